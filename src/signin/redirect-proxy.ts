import { seconds } from '../clock.ts'
import type { Config } from '../config/config.ts'

/** As long as an attempt lives. */
const TEN_MINUTES = 600 // seconds

interface Ticket {
  /** The deployment to return to. */
  origin: string
  provider: string
  expiresAt: number
  /** The sign-in's in the log. */
  name: string
}

/**
 * The state of an attempt whose callback is at a redirect proxy: it tells the proxy, and nobody else, which
 * deployment to pass the person on to.
 */
export async function makeProxiedState(
  { issuer, redirectProxy }: Config,
  provider: string,
  name: string,
): Promise<string | undefined> {
  if (!redirectProxy.seal) return undefined
  const expiresAt = seconds() + TEN_MINUTES
  const ticket: Ticket = { origin: issuer, provider, expiresAt, name }
  return redirectProxy.seal.seal('proxy', provider, JSON.stringify(ticket))
}

/** Where a proxied callback belongs, a deployment on the list that sent the person and nowhere else; and its name in the log. */
export async function proxiedCallback(
  { issuer, redirectProxy: { seal, origins } }: Config,
  provider: string,
  callback: URL,
): Promise<{ address: string; name: string | undefined } | undefined> {
  const state = callback.searchParams.get('state')
  const opened = state && (await seal?.open('proxy', provider, state))
  if (!opened) return undefined
  const ticket: Ticket = JSON.parse(opened)
  if (ticket.provider !== provider || ticket.expiresAt <= seconds()) return undefined
  const { origin, name } = ticket
  if (origin === issuer || !origins.some((pattern) => matches(pattern, origin))) return undefined
  return { address: `${origin}${callback.pathname}${callback.search}`, name }
}

/** Letter for letter, but that `*` stands for one label of a host. */
function matches(pattern: string, origin: string): boolean {
  const [before, after] = pattern.split('*')
  if (before === undefined || after === undefined) return pattern === origin
  const label = origin.slice(before.length, origin.length - after.length)
  return origin === before + label + after && /^[a-z0-9-]+$/.test(label)
}
