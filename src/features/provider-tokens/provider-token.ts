import { decodeJwt } from 'jose'
import type { Config } from '../../core/config/config.ts'
import { findProvider } from '../../core/upstream/enabled-providers.ts'
import { translateUpstreamError } from '../../core/upstream/upstream-error.ts'
import { type AccountReference, accountKey } from '../../core/users/account-reference.ts'
import type { UpstreamAccount } from '../../core/users/upstream-account.ts'
import type { FailureDetail } from '../../foundation/errors/failure-detail.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import type { TokenSet } from '../../provider-interface/oauth-types.ts'
import { refreshTokens, revokeToken } from './provider-requests.ts'
import { keepsTokens, selectTokens, type TokenOptions } from './select-tokens.ts'

/** A token is refreshed this long before it expires, so that the client can still use it. */
const EXPIRY_MARGIN = 60 // seconds

/**
 * How long a token is used if the provider does not say when it expires (RFC 6749 §5.1 only
 * recommends it) but has issued a refresh token. An hour is the most common lifetime.
 */
const ASSUMED_LIFETIME = 3600 // seconds

/** What tokens are sealed for. */
export const SEAL = 'account'

/** Seals a provider's tokens. They open only for the same account. */
export function sealTokens(
  { seal }: Config,
  account: AccountReference,
  tokens: TokenSet,
): Promise<string> {
  return seal.seal<typeof SEAL>(SEAL, accountKey(account), JSON.stringify(tokens))
}

/** Seals what is kept of the tokens of a sign-in; undefined if nothing is. */
export async function keepTokens(
  config: Config,
  provider: TokenOptions,
  { account, tokens }: { account: AccountReference; tokens: TokenSet },
): Promise<string | undefined> {
  const selected = await selectTokens(provider, tokens)
  return selected && sealTokens(config, account, selected)
}

/** A provider's access token, as a client receives it. */
export interface ProviderToken {
  accessToken: string
  expiresAt: number | undefined
  scope: readonly string[]
}

/** Why a client does not receive a provider's token. */
export interface ProviderTokenRejection {
  /**
   * `gone`: the user must sign in again. `invalid`: the provider's response is not acceptable.
   * `unavailable`: the provider did not respond, or with an error that may be temporary.
   */
  rejected: 'grant_ended' | 'gone' | 'invalid' | 'unavailable'
  detail?: FailureDetail<string> | undefined
}

/**
 * The account's access token, refreshed if it has expired. The returned account must then be
 * stored.
 */
export async function freshProviderToken(
  config: Config,
  account: UpstreamAccount,
): Promise<{ account: UpstreamAccount; token: ProviderToken } | ProviderTokenRejection> {
  const tokens = await openTokens(config, account)
  const provider = findProvider(config, account.provider)
  // The deployment may have been changed to keep no tokens since these were stored.
  if (!tokens || !provider || !keepsTokens(provider)) return { rejected: 'gone' }
  // Another issuer may be configured now, which must not receive these tokens.
  if (provider.accountIssuer !== account.issuer) return { rejected: 'gone' }
  // An `account` callback may have stored only the refresh token.
  const isUsable = tokens.access_token !== undefined
  if (isUsable && assumedExpiry(account, tokens) > nowInSeconds() + EXPIRY_MARGIN) {
    return { account, token: toProviderToken(account, tokens) }
  }
  if (!tokens.refresh_token) return { rejected: 'gone' }
  try {
    const { accountId, idInTokens = accountId } = account
    const owner = { accountId: idInTokens, subject: subjectOf(tokens) }
    const response = await refreshTokens(provider, tokens.refresh_token, owner)
    // The former expiry must not remain if the response has none.
    const { expires_at: _, ...former } = tokens
    const refreshed: TokenSet = { ...former, ...response }
    const stored = (await selectTokens(provider, refreshed)) ?? refreshed
    const sealedTokens = await sealTokens(config, account, stored)
    const refreshedAt = nowInSeconds()
    return {
      account: { ...account, sealedTokens, refreshedAt },
      token: toProviderToken(account, refreshed),
    }
  } catch (cause) {
    const { code, detail } = translateUpstreamError(cause)
    // Only `invalid_grant` and an invalid response are final; any other failure may be temporary.
    if (code === 'code_expired') return { rejected: 'gone', detail }
    return { rejected: code === 'provider_invalid' ? 'invalid' : 'unavailable', detail }
  }
}

/**
 * When the access token is refreshed at the latest. Without a refresh token it is used until the
 * provider rejects it.
 */
function assumedExpiry(
  { readAt, refreshedAt = readAt }: UpstreamAccount,
  tokens: TokenSet,
): number {
  if (tokens.expires_at !== undefined) return tokens.expires_at
  return tokens.refresh_token ? refreshedAt + ASSUMED_LIFETIME : Number.POSITIVE_INFINITY
}

/** The subject of the ID token, which was verified before it was stored. */
function subjectOf({ id_token }: TokenSet): string | undefined {
  return id_token === undefined ? undefined : decodeJwt(id_token).sub
}

/** Revokes the account's token at the provider, if it is kept and the provider supports it. */
export async function revokeProviderToken(config: Config, account: UpstreamAccount): Promise<void> {
  const provider = findProvider(config, account.provider)
  const fresh = await freshProviderToken(config, account)
  if ('rejected' in fresh || !provider) return
  try {
    await revokeToken(provider, fresh.token.accessToken)
  } catch {
    // The user has left either way, and the token expires.
  }
}

async function openTokens(
  { seal }: Config,
  account: UpstreamAccount,
): Promise<TokenSet | undefined> {
  const { sealedTokens = '' } = account
  const opened = await seal.openAndRenew<typeof SEAL>(SEAL, accountKey(account), sealedTokens)
  return opened && (JSON.parse(opened.text) as TokenSet)
}

function toProviderToken({ scope }: UpstreamAccount, tokens: TokenSet): ProviderToken {
  return { accessToken: tokens.access_token ?? '', expiresAt: tokens.expires_at, scope }
}
