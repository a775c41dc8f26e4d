import { seconds } from '../clock.ts'
import { type Config, readConfig } from '../config/config.ts'
import type { TokenSet } from '../providers/oauth-types.ts'
import { enabledProviders } from '../upstream/enabled-providers.ts'
import { refusal } from '../upstream/refusal.ts'
import { refreshTokens, revokeTokens } from '../upstream/token-endpoint.ts'
import { nameOfAccount, type Upstream } from './session.ts'

/** Before a token ends for us, it has a moment left for who asked for it. */
const MARGIN = 60 // seconds

/** Seals a platform's tokens for one account: they open for no other. */
export function sealTokens(
  { seal }: Config,
  provider: string,
  accountId: string,
  tokens: TokenSet,
): Promise<string> {
  const account = nameOfAccount({ provider, accountId })
  return seal.seal('account', account, JSON.stringify(tokens))
}

/** What a client gets of it. */
export interface PlatformToken {
  accessToken: string
  expiresAt: number | undefined
  scope: readonly string[]
}

/** The tokens as they are, if they still work; refreshed, if they do not; or why there are none. */
export async function freshTokens(
  env: Env,
  upstream: Upstream,
): Promise<{ upstream: Upstream; token: PlatformToken } | 'gone' | 'unavailable'> {
  const config = readConfig(env)
  const tokens = await openTokens(config, upstream)
  const provider = enabledProviders(config).find(({ id }) => id === upstream.provider)
  // A deployment that keeps none any more hands out none.
  if (!tokens || !provider?.account(tokens)) return 'gone'
  if ((tokens.expires_at ?? Number.POSITIVE_INFINITY) > seconds() + MARGIN)
    return { upstream, token: toToken(upstream, tokens) }
  if (!tokens.refresh_token) return 'gone'
  try {
    const next = { ...tokens, ...(await refreshTokens(provider, tokens.refresh_token)) }
    const kept = provider.account(next) ?? next
    const sealedTokens = await sealTokens(config, upstream.provider, upstream.accountId, kept)
    const renewed = { ...upstream, sealedTokens }
    return { upstream: renewed, token: toToken(renewed, kept) }
  } catch (cause) {
    // The platform's word that the token is no more; whatever else went wrong may pass.
    return refusal(cause).code === 'code_expired' ? 'gone' : 'unavailable'
  }
}

/** Gives the platform back what it granted. Says whether it has. */
export async function giveBack(env: Env, upstream: Upstream): Promise<boolean> {
  const fresh = await freshTokens(env, upstream)
  const config = readConfig(env)
  const provider = enabledProviders(config).find(({ id }) => id === upstream.provider)
  if (typeof fresh === 'string' || !provider) return false
  return revokeTokens(provider, fresh.token.accessToken).catch(() => false)
}

async function openTokens({ seal }: Config, upstream: Upstream): Promise<TokenSet | undefined> {
  const opened = await seal.open('account', nameOfAccount(upstream), upstream.sealedTokens ?? '')
  return opened === undefined ? undefined : (JSON.parse(opened) as TokenSet)
}

function toToken({ scope }: Upstream, tokens: TokenSet): PlatformToken {
  return { accessToken: tokens.access_token ?? '', expiresAt: tokens.expires_at, scope }
}
