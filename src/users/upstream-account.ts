import type { CallbackAccount } from '../config/callbacks.ts'
import type { EventAccount } from '../config/events.ts'

/** What a provider granted and sent for one account, besides the profile. */
export interface UpstreamAccount extends AccountReference {
  scope: readonly string[]
  readAt: number
  /** Further profile fields under the provider's names, for clients with the scope `platform`. */
  extras: Record<string, string | number | boolean>
  /**
   * The additional fields that the provider's `profile` callback returned, as JSON, for the
   * deployment's own callbacks. Absent if the provider sent no profile.
   */
  profileFields?: string | undefined
  /** The user's email address if the provider has not verified it. It proves nothing. */
  unverifiedEmail?: string | undefined
  /** What the provider's `account` callback returned, if the deployment keeps tokens. */
  sealedTokens?: string | undefined
  /** When the tokens were refreshed, if they are not those of the sign-in at {@link readAt}. */
  refreshedAt?: number | undefined
}

/** Identifies an account. The same id at another issuer is another account. */
export interface AccountReference {
  provider: string
  /** Without a trailing slash; empty if the provider has none. */
  issuer: string
  accountId: string
}

/** One string that identifies an account. */
export function accountKey({ provider, issuer, accountId }: AccountReference): string {
  return `${provider} ${issuer} ${accountId}`
}

/** The provider of the account with this key. */
export function providerOfKey(key: string | null): string | undefined {
  return key?.split(' ', 1)[0]
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

/** Identifies an account in the deployment's events. */
export function toEventAccount({ provider, issuer, accountId }: AccountReference): EventAccount {
  return { provider, issuer, id: accountId }
}

const KEY_PREFIX = 'upstream:'

/** The upstream accounts of one user. */
export class UpstreamAccounts {
  readonly #kv: SyncKvStorage

  constructor(kv: SyncKvStorage) {
    this.#kv = kv
  }

  put(account: UpstreamAccount): void {
    this.#kv.put<UpstreamAccount>(KEY_PREFIX + accountKey(account), account)
  }

  find(key: string | undefined): UpstreamAccount | undefined {
    return key === undefined ? undefined : this.#kv.get<UpstreamAccount>(KEY_PREFIX + key)
  }

  list(): UpstreamAccount[] {
    const entries = this.#kv.list<UpstreamAccount>({ prefix: KEY_PREFIX })
    return Array.from(entries, ([, account]) => account)
  }

  deleteAll(): void {
    for (const account of this.list()) this.#kv.delete(KEY_PREFIX + accountKey(account))
  }
}
