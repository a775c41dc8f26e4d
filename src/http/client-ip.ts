import type { AppContext } from '../config/app-env.ts'
import { ipv6Groups, networkOf, normalizeIp } from '../values/ip-network.ts'

/** The network from which Workers of other zones call; a second header distinguishes them. */
const WORKERS_NETWORK = '2a06:98c0:3600:0'

/**
 * What rate limits count by: the IPv4 address of the client, or the first 64 bits of its IPv6
 * address, because one customer controls all of them. Only Cloudflare's header is trusted; without
 * it nothing is counted.
 */
export function clientIp(c: AppContext): string | undefined {
  const ip = connectingIp(c)
  if (!ip?.includes(':')) return ip
  const network = ipv6Groups(ip, 4).join(':')
  return network === WORKERS_NETWORK ? `${network} ${c.req.header('CF-Worker')}` : network
}

/** The network of the client, for the audit log and the request log. */
export function clientNetwork(c: AppContext): string | undefined {
  const ip = connectingIp(c)
  return ip === undefined ? undefined : networkOf(ip)
}

function connectingIp(c: AppContext): string | undefined {
  return normalizeIp(c.req.header('CF-Connecting-IP') ?? '') || undefined
}
