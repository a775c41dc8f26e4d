import type { AppContext } from '../config/app-env.ts'

/** The network from which Workers of other zones call; a second header distinguishes them. */
const WORKERS_NETWORK = '2a06:98c0:3600:0'

/**
 * The address that rate limits count by: an IPv4 address, or the first 64 bits of an IPv6 address,
 * because one customer controls all of them. Only Cloudflare's header is trusted; without it there
 * is no address and nothing is counted.
 */
export function clientAddress(c: AppContext): string | undefined {
  const address = connectingAddress(c)
  if (!address?.includes(':')) return address
  const network = ipv6Groups(address, 4).join(':')
  return network === WORKERS_NETWORK ? `${network} ${c.req.header('CF-Worker')}` : network
}

/** The network of the address, for the audit log: it is shared by many customers. */
export function coarseAddress(c: AppContext): string | undefined {
  const address = connectingAddress(c)
  if (!address) return undefined
  if (address.includes(':')) return `${ipv6Groups(address, 3).join(':')}::/48`
  return `${address.split('.').slice(0, 3).join('.')}.0/24`
}

/** The address in lower case. An IPv4 address that is mapped to IPv6 is returned as IPv4. */
function connectingAddress(c: AppContext): string | undefined {
  const address = c.req.header('CF-Connecting-IP')?.trim().toLowerCase()
  return address?.match(/^::ffff:(\d+\.\d+\.\d+\.\d+)$/)?.[1] ?? (address || undefined)
}

/** The first groups of 16 bits each, without leading zeros (RFC 5952 §4.1). */
function ipv6Groups(address: string, count: number): string[] {
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? []
  const headGroups = head.split(':').filter(Boolean)
  const tailGroups = tail?.split(':').filter(Boolean) ?? []
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - headGroups.length - tailGroups.length)
  return [...headGroups, ...Array<string>(zeros).fill('0'), ...tailGroups]
    .slice(0, count)
    .map((group) => group.replace(/^0+(?=.)/, ''))
}
