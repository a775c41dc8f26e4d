import { nowInSeconds } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { ATTEMPT_LIFETIME } from '../config/lifetimes.ts'
import { openUnexpired, sealUntil } from '../crypto/expiring-seal.ts'

/** The content of a state that the redirect proxy opens. */
interface ProxyState {
  /** The deployment to return to. */
  origin: string
  provider: string
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
  const state: ProxyState = { origin: issuer, provider, correlationId }
  return sealUntil(redirectProxy.seal, nowInSeconds() + ATTEMPT_LIFETIME, {
    purpose: 'proxy',
    context: provider,
    text: JSON.stringify(state),
  })
}

/**
 * The address a proxied callback is forwarded to: a configured deployment that started the attempt.
 */
export async function proxiedCallback(
  { issuer, redirectProxy: { seal, origins } }: Config,
  provider: string,
  callback: URLSearchParams,
): Promise<{ address: string; correlationId: string } | undefined> {
  const state = callback.get('state')
  if (!state || !seal) return undefined
  const opened = await openUnexpired(seal, state, { purpose: 'proxy', context: provider })
  if (!opened) return undefined
  const { origin, correlationId, ...content }: ProxyState = JSON.parse(opened)
  if (content.provider !== provider) return undefined
  const isAllowed = origin !== issuer && origins.some((pattern) => matches(pattern, origin))
  if (!isAllowed) return undefined
  return { address: `${origin}/api/auth/callback/${provider}?${callback}`, correlationId }
}

/** Exact, except that `*` in a pattern stands for one label of a host. */
function matches(pattern: string, origin: string): boolean {
  const [before, after] = pattern.split('*')
  if (before === undefined || after === undefined) return pattern === origin
  const label = origin.slice(before.length, origin.length - after.length)
  return origin === before + label + after && /^[a-z0-9-]+$/.test(label)
}
