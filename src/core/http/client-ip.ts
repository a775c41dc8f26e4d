import { networkOf, normalizeIp } from '../../foundation/values/ip-network.ts'
import { type Network, networkOfIp } from '../limits/network.ts'
import type { AppContext } from './app-env.ts'

/** The network from which Workers of other zones call; a second header distinguishes them. */
const WORKERS_NETWORK = networkOfIp('2a06:98c0:3600::')

/**
 * What limits count strangers by. Only Cloudflare's header is trusted; without it nothing is
 * counted.
 */
export function countedNetwork(c: AppContext): Network | undefined {
  const ip = connectingIp(c)
  if (ip === undefined) return undefined
  const network = networkOfIp(ip)
  const { name, subnet } = WORKERS_NETWORK
  const isWorker = network.name === name && network.subnet === subnet
  return isWorker ? { name: `${name} ${c.req.header('CF-Worker')}`, subnet: '' } : network
}

/** The network of the client, for the audit log and the request log. */
export function clientNetwork(c: AppContext): string | undefined {
  const ip = connectingIp(c)
  return ip === undefined ? undefined : networkOf(ip)
}

/** Two letters, or `T1` for Tor. */
export function clientCountry(c: AppContext): string | undefined {
  return (c.req.raw.cf as { country?: string } | undefined)?.country
}

function connectingIp(c: AppContext): string | undefined {
  return normalizeIp(c.req.header('CF-Connecting-IP') ?? '') || undefined
}
