import type { AppContext } from './app-env.ts'

/** The network from which Workers of other zones call; a second header distinguishes them. */
const WORKERS_NETWORK = '2a06:98c0:3600:0'

/**
 * The address that rate limits count by: an IPv4 address, or the first 64 bits of an IPv6 address,
 * because one customer controls all of them. Only Cloudflare's header is trusted; without it there
 * is no address and nothing is counted.
 */
export function clientAddress(c: AppContext): string | undefined {
  const address = c.req.header('CF-Connecting-IP')?.trim().toLowerCase()
  if (!address) return undefined
  const mappedIpv4 = address.match(/^::ffff:(\d+\.\d+\.\d+\.\d+)$/)?.[1]
  if (mappedIpv4 || !address.includes(':')) return mappedIpv4 ?? address
  const network = ipv6Network(address)
  return network === WORKERS_NETWORK ? `${network} ${c.req.header('CF-Worker')}` : network
}

/** The first 64 of 128 bits, in groups without leading zeros (RFC 5952 §4.1). */
function ipv6Network(address: string): string {
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? []
  const headGroups = head.split(':').filter(Boolean)
  const tailGroups = tail?.split(':').filter(Boolean) ?? []
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - headGroups.length - tailGroups.length)
  return [...headGroups, ...Array<string>(zeros).fill('0'), ...tailGroups]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}
