import type { AppContext } from '../config/app-env.ts'

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

/** The network of the client, for the audit log: many customers share it. */
export function clientNetwork(c: AppContext): string | undefined {
  const ip = connectingIp(c)
  if (!ip) return undefined
  if (ip.includes(':')) return `${ipv6Groups(ip, 3).join(':')}::/48`
  return `${ip.split('.').slice(0, 3).join('.')}.0/24`
}

/** In lower case. An IPv4 address that is mapped to IPv6 is returned as IPv4. */
function connectingIp(c: AppContext): string | undefined {
  const ip = c.req.header('CF-Connecting-IP')?.trim().toLowerCase()
  return ip?.match(/^::ffff:(\d+\.\d+\.\d+\.\d+)$/)?.[1] ?? (ip || undefined)
}

/** The first groups of 16 bits each, without leading zeros (RFC 5952 §4.1). */
function ipv6Groups(ip: string, count: number): string[] {
  const [head = '', tail] = ip.split('%', 1)[0]?.split('::') ?? []
  const headGroups = head.split(':').filter(Boolean)
  const tailGroups = tail?.split(':').filter(Boolean) ?? []
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - headGroups.length - tailGroups.length)
  return [...headGroups, ...Array<string>(zeros).fill('0'), ...tailGroups]
    .slice(0, count)
    .map((group) => group.replace(/^0+(?=.)/, ''))
}
