/** URLs allow other characters in a host, such as the semicolon that ends a directive of a policy. */
const HOST = /^[a-z0-9.-]+(:\d+)?$/

/** The https address of an image, whose origin can be listed in a Content-Security-Policy. */
export function isHttpsImageAddress(address: string): boolean {
  if (!hasPlainHost(address) || /\s/.test(address)) return false
  const { protocol, username, password } = new URL(address)
  return protocol === 'https:' && !username && !password
}

/** Whether the origin of an address can be listed in a Content-Security-Policy. */
export function hasPlainHost(address: string): boolean {
  return HOST.test(URL.parse(address)?.host ?? '')
}
