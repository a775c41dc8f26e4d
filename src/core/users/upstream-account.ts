import type { CallbackAccount } from '../config/callbacks.ts'
import { KvRecords } from '../storage/kv-records.ts'
import { type AccountReference, accountKey } from './account-reference.ts'

/** What a provider granted and sent for one account, besides the profile. */
export interface UpstreamAccount extends AccountReference {
  scope: readonly string[]
  readAt: number
  /** The account's id in token responses, if the deployment's `profile` returned another one. */
  idInTokens?: string | undefined
  /** Further profile fields under the provider's names, for clients with the scope `platform`. */
  extras: Record<string, string | number | boolean>
  /**
   * The additional fields that the provider's `profile` callback returned, as JSON, for the
   * deployment's own callbacks. Absent if the provider sent no profile.
   */
  profileFields?: string | undefined
  /** The user's email address if the provider has not verified it. It proves nothing. */
  unverifiedEmail?: string | undefined
  /** What a feature keeps of the provider's tokens. */
  sealedTokens?: string | undefined
  /** When the tokens were refreshed, if they are not those of the sign-in at {@link readAt}. */
  refreshedAt?: number | undefined
}

/** An account without its tokens, as it is passed between the user's object and the Worker. */
export interface AccountSummary extends Pick<UpstreamAccount, 'scope' | 'extras'> {
  provider: string
  issuer: string
  id: string
  profileFields?: string | undefined
}

export function summarizeAccount(
  account: AccountReference & Pick<UpstreamAccount, 'scope' | 'extras' | 'profileFields'>,
): AccountSummary {
  const { provider, issuer, accountId, scope, extras, profileFields } = account
  return { provider, issuer, id: accountId, scope, extras, profileFields }
}

/** What the deployment's callbacks receive about an account. */
export function toCallbackAccount(account: AccountSummary): CallbackAccount {
  const { provider, issuer, id, scope, extras, profileFields = '{}' } = account
  return {
    provider,
    issuer,
    id,
    scope: [...scope],
    extras: { ...JSON.parse(profileFields), ...extras },
  }
}

/** The upstream accounts of one user. */
export class UpstreamAccounts {
  readonly #records: KvRecords<UpstreamAccount>

  constructor(kv: SyncKvStorage) {
    this.#records = new KvRecords(kv, 'upstream:')
  }

  put(account: UpstreamAccount): void {
    this.#records.put(accountKey(account), account)
  }

  find(key: string | undefined): UpstreamAccount | undefined {
    return key === undefined ? undefined : this.#records.get(key)
  }

  /** What callbacks receive about an account: everything but its tokens. */
  summary(key: string | undefined): AccountSummary | undefined {
    const account = this.find(key)
    return account && summarizeAccount(account)
  }

  list(): UpstreamAccount[] {
    return this.#records.values()
  }

  deleteAll(): void {
    this.#records.deleteAll()
  }
}
