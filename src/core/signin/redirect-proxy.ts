import { nowInSeconds } from '../../foundation/values/clock.ts'
import type { Config } from '../config/config.ts'
import { ATTEMPT_LIFETIME } from '../config/lifetimes.ts'

/**
 * The content of a state that the redirect proxy opens. The proxy and the deployments behind it may
 * run different versions of this service, so this format must not change.
 */
interface ProxyState {
  /** The deployment to return to. */
  origin: string
  provider: string
  expiresAt: number
  correlationId: string
}

/**
 * Creates the state of an attempt whose callback is at a redirect proxy. Only the proxy can read
 * from it which deployment the user must be forwarded to. Returns `undefined` if no proxy is
 * configured.
 */
export async function createProxyState(
  { issuer, redirectProxy }: Config,
  provider: string,
  correlationId: string,
): Promise<string | undefined> {
  if (!redirectProxy.seal) return undefined
  const state: ProxyState = {
    origin: issuer,
    provider,
    expiresAt: nowInSeconds() + ATTEMPT_LIFETIME,
    correlationId,
  }
  return redirectProxy.seal.seal('proxy', provider, JSON.stringify(state))
}

/**
 * The URL that a proxied callback is forwarded to: of a configured deployment that started the
 * attempt.
 */
export async function proxiedCallback(
  { issuer, redirectProxy: { seal, origins } }: Config,
  provider: string,
  callback: URLSearchParams,
): Promise<{ url: string; correlationId: string } | undefined> {
  const state = callback.get('state')
  const opened = state && (await seal?.open('proxy', provider, state))
  if (!opened) return undefined
  const { origin, correlationId, ...content }: ProxyState = JSON.parse(opened)
  if (content.provider !== provider || content.expiresAt <= nowInSeconds()) return undefined
  const isAllowed = origin !== issuer && origins.some((pattern) => matches(pattern, origin))
  if (!isAllowed) return undefined
  return { url: `${origin}/api/auth/callback/${provider}?${callback}`, correlationId }
}

/** Exact, except that `*` in a pattern stands for one label of a host. */
function matches(pattern: string, origin: string): boolean {
  const [before, after] = pattern.split('*')
  if (before === undefined || after === undefined) return pattern === origin
  const label = origin.slice(before.length, origin.length - after.length)
  return origin === before + label + after && /^[a-z0-9-]+$/.test(label)
}
