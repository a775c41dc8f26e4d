import * as z from 'zod/mini'
import { seconds } from '../clock.ts'
import type { Config } from '../config.ts'

/** As long as an attempt lives. */
const TEN_MINUTES = 600 // seconds

const ticket = z.object({ origin: z.string(), provider: z.string(), expiresAt: z.number() })

/**
 * The state of an attempt whose callback is at a redirect proxy: it tells the proxy, and nobody else, which
 * deployment to pass the person on to.
 */
export async function makeProxiedState(
  { issuer, redirectProxy }: Config,
  provider: string,
): Promise<string | undefined> {
  if (!redirectProxy.seal) return undefined
  const expiresAt = seconds() + TEN_MINUTES
  return redirectProxy.seal.seal(
    'proxy',
    provider,
    JSON.stringify({ origin: issuer, provider, expiresAt }),
  )
}

/** Where a proxied callback belongs: a deployment on the list that sent the person, and nowhere else. */
export async function proxiedCallback(
  { issuer, redirectProxy: { seal, origins } }: Config,
  provider: string,
  callback: URL,
): Promise<string | undefined> {
  const state = callback.searchParams.get('state')
  const opened = state && (await seal?.open('proxy', provider, state))
  if (!opened) return undefined
  const { data } = ticket.safeParse(JSON.parse(opened))
  if (data?.provider !== provider || data.expiresAt <= Date.now() / 1000) return undefined
  if (data.origin === issuer || !origins.some((pattern) => matches(pattern, data.origin)))
    return undefined
  return `${data.origin}${callback.pathname}${callback.search}`
}

/** Letter for letter, but that `*` stands for one label of a host. */
function matches(pattern: string, origin: string): boolean {
  const [before, after] = pattern.split('*')
  if (before === undefined || after === undefined) return pattern === origin
  const label = origin.slice(before.length, origin.length - after.length)
  return origin === before + label + after && /^[a-z0-9-]+$/.test(label)
}
