/** The network of an IP address, which many customers share: an IPv4 /24 or an IPv6 /48. */
export function networkOf(ip: string): string {
  if (ip.includes(':')) return `${ipv6Groups(ip, 3).join(':')}::/48`
  return `${ip.split('.').slice(0, 3).join('.')}.0/24`
}

/** The network of an IP address, or of an address and the length of its network. */
export function parseNetwork(text: string): string | undefined {
  const [address = '', length, ...rest] = text.split('/')
  const ip = normalizeIp(address)
  const isIpv6 = ip.includes(':')
  const isValid = isIpv6
    ? URL.canParse(`http://[${ip}]`)
    : /^(\d{1,3}\.){3}\d{1,3}$/.test(ip) && URL.canParse(`http://${ip}`)
  const isOurs = length === undefined || length === (isIpv6 ? '48' : '24')
  return isValid && isOurs && rest.length === 0 ? networkOf(ip) : undefined
}

/** In lower case. An IPv4 address that is mapped to IPv6 is returned as IPv4. */
export function normalizeIp(text: string): string {
  const ip = text.trim().toLowerCase()
  return ip.match(/^::ffff:(\d+\.\d+\.\d+\.\d+)$/)?.[1] ?? ip
}

/** The first groups of 16 bits each, without leading zeros (RFC 5952 §4.1). */
export function ipv6Groups(ip: string, count: number): string[] {
  const [head = '', tail] = ip.split('%', 1)[0]?.split('::') ?? []
  const headGroups = head.split(':').filter(Boolean)
  const tailGroups = tail?.split(':').filter(Boolean) ?? []
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - headGroups.length - tailGroups.length)
  return [...headGroups, ...Array<string>(zeros).fill('0'), ...tailGroups]
    .slice(0, count)
    .map((group) => group.replace(/^0+(?=.)/, ''))
}
