import type { AppContext } from './app-env.ts'

/**
 * Whose requests are counted together: an IPv4 address, or the half of an IPv6 address that names a
 * network, because its owner has all the others. Only Cloudflare's word for it counts; elsewhere
 * nobody is counted.
 */
export function addressOf(c: AppContext): string | undefined {
  const address = c.req.header('CF-Connecting-IP')?.trim().toLowerCase()
  if (!address) return undefined
  const mapped = address.match(/^::ffff:(\d+\.\d+\.\d+\.\d+)$/)?.[1]
  if (mapped || !address.includes(':')) return mapped ?? address
  const network = networkOf(address)
  return network === WORKERS ? `${network} ${c.req.header('CF-Worker')}` : network
}

/** Where all Workers of other zones call from; another header tells them apart. */
const WORKERS = '2a06:98c0:3600:0'

/** The first 64 of 128 bits, each group without its leading zeros (RFC 5952 §4.1). */
function networkOf(address: string): string {
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? []
  const groups = head.split(':').filter(Boolean)
  const rest = tail?.split(':').filter(Boolean) ?? []
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - rest.length)
  const all = [...groups, ...Array<string>(zeros).fill('0'), ...rest]
  return all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}
