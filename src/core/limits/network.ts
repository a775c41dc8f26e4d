import { ipv6Groups } from '../../foundation/values/ip-network.ts'

/**
 * Where the request of a stranger comes from, as all limits count it: an IPv4 address, or an IPv6
 * /48 network and the subnet in it.
 */
export interface Network {
  /** The IPv4 address, or the first 48 bits of the IPv6 address. */
  name: string
  /** The next 16 bits of the IPv6 address, as four hexadecimal digits; otherwise empty. */
  subnet: string
}

/**
 * Whom a limit counts: the id of whoever has proved to be that user, session, grant or client, or
 * the network of a stranger, unless it is unknown. Nobody else can use up the limit of an id.
 */
export type Requester = string | Network | undefined

/** A part of what a guard counts, which has a limit of its own. */
export interface CountedPart {
  /** Only names with this prefix are counted. */
  prefix: string
  /** The number by which the limit is multiplied. */
  factor: number
}

/** Everything that a guard counts. */
export const WHOLE: CountedPart = { prefix: '', factor: 1 }

/**
 * A customer controls a /64, a /56 or a /48. The limit of a larger network is higher than that of
 * one customer in it, so that nobody can use it up for the neighbours.
 */
const IPV6_PARTS = [
  { digits: 4, factor: 1 }, // the /64
  { digits: 2, factor: 4 }, // the /56
  { digits: 0, factor: 16 }, // the /48
]

/** The network of an IP address in lower case. */
export function networkOfIp(ip: string): Network {
  if (!ip.includes(':')) return { name: ip, subnet: '' }
  const groups = ipv6Groups(ip, 4)
  return {
    name: `${groups.slice(0, 3).join(':')}::/48`,
    subnet: groups.slice(3).join('').padStart(4, '0'),
  }
}

/** The parts of a network that a request is counted in, the smallest first. */
export function partsOf({ subnet }: Network): CountedPart[] {
  if (subnet === '') return [WHOLE]
  return IPV6_PARTS.map(({ digits, factor }) => ({ prefix: subnet.slice(0, digits), factor }))
}
