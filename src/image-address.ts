/** URLs allow other characters in a host, such as the semicolon that ends a directive of a policy. */
const HOST = /^[a-z0-9.-]+(:\d+)?$/

/** The https address of an image, whose origin can be listed in a Content-Security-Policy. */
export function isHttpsImageAddress(address: string): boolean {
  if (!URL.canParse(address) || /\s/.test(address)) return false
  const { protocol, username, password, host } = new URL(address)
  return protocol === 'https:' && !username && !password && HOST.test(host)
}
