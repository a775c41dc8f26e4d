import type { Config } from '../../core/config/config.ts'
import { type AccountReference, accountKey } from '../../core/users/account-reference.ts'
import type { UpstreamAccount, UpstreamAccounts } from '../../core/users/upstream-account.ts'
import { callUserObject, type UserObject } from '../../core/users/user-object.ts'
import {
  freshProviderToken,
  type ProviderToken,
  type ProviderTokenRejection,
  revokeProviderToken,
} from './provider-token.ts'

/** What the user's object does with kept tokens. */
export interface TokenKeeper {
  /** The provider's access token for the account a grant was opened with. */
  providerToken(grantId: string, provider: string): Promise<ProviderToken | ProviderTokenRejection>
}

export function withProviderTokens(Base: typeof UserObject): typeof UserObject {
  return class extends Base implements TokenKeeper {
    readonly #keptTokens = new KeptTokens(this.ctx, this.readConfig, this.stored.upstream)

    async providerToken(
      grantId: string,
      provider: string,
    ): Promise<ProviderToken | ProviderTokenRejection> {
      const { grants } = this.stored
      const terms = grants.read(grantId)
      if (!terms) return { rejected: 'grant_ended' }
      const token = await this.#keptTokens.read(terms.account, provider)
      // The grant may have ended while the provider refreshed the token.
      return 'rejected' in token || grants.read(grantId) ? token : { rejected: 'grant_ended' }
    }

    /** Also revokes the tokens of these accounts at their providers. */
    override async endEverything(revokedAccounts: readonly AccountReference[]): Promise<void> {
      this.#keptTokens.revoke(revokedAccounts)
      await super.endEverything(revokedAccounts)
    }
  }
}

/** The provider's access token for the account that the user's grant was opened with. */
export function readProviderToken(
  env: Env,
  { userId, grantId }: { userId: string; grantId: string },
  provider: string,
): Promise<ProviderToken | ProviderTokenRejection> {
  return callUserObject(env, userId, (object) =>
    (object as DurableObjectStub<UserObject & TokenKeeper>).providerToken(grantId, provider),
  )
}

/**
 * The provider tokens that are kept for the accounts of one user. They are stored with the
 * accounts.
 */
class KeptTokens {
  readonly #ctx: DurableObjectState
  readonly #readConfig: () => Config
  readonly #accounts: UpstreamAccounts
  /** Token refreshes in progress, by account. */
  readonly #refreshes = new Map<string, Promise<ProviderToken | ProviderTokenRejection>>()

  constructor(ctx: DurableObjectState, readConfig: () => Config, accounts: UpstreamAccounts) {
    this.#ctx = ctx
    this.#readConfig = readConfig
    this.#accounts = accounts
  }

  /**
   * The provider's access token for an account. An expired token is refreshed by one request,
   * however many callers wait for it, because a refresh token can be used only once.
   */
  async read(
    key: string | undefined,
    provider: string,
  ): Promise<ProviderToken | ProviderTokenRejection> {
    const account = this.#accounts.find(key)
    if (account?.provider !== provider) return { rejected: 'gone' }
    const refreshKey = accountKey(account)
    const refresh =
      this.#refreshes.get(refreshKey) ??
      this.#refresh(account).finally(() => this.#refreshes.delete(refreshKey))
    this.#refreshes.set(refreshKey, refresh)
    return refresh
  }

  /** Revokes the tokens of these accounts at their providers. The caller does not wait for it. */
  revoke(accounts: readonly AccountReference[]): void {
    const keys = accounts.map(accountKey)
    const revoked = this.#accounts.list().filter((account) => keys.includes(accountKey(account)))
    this.#ctx.waitUntil(
      Promise.all(revoked.map((account) => revokeProviderToken(this.#readConfig(), account))),
    )
  }

  async #refresh(account: UpstreamAccount): Promise<ProviderToken | ProviderTokenRejection> {
    const fresh = await freshProviderToken(this.#readConfig(), account)
    if ('rejected' in fresh) return fresh
    // The user may have disconnected the account or signed in again during the request.
    const current = this.#accounts.find(accountKey(account))
    if (!current) {
      this.#ctx.waitUntil(revokeProviderToken(this.#readConfig(), fresh.account))
      return { rejected: 'gone' }
    }
    if (current.sealedTokens !== account.sealedTokens) return { rejected: 'unavailable' }
    if (fresh.account !== account) this.#accounts.put(fresh.account)
    return fresh.token
  }
}
