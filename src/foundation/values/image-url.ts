/**
 * URLs allow other characters in a host, such as the semicolon that ends a directive of a policy.
 */
const HOST = /^[a-z0-9.-]+(:\d+)?$/

/** The https URL of an image, whose origin can be listed in a Content-Security-Policy. */
export function isHttpsImageUrl(url: string): boolean {
  if (!hasPlainHost(url) || /\s/.test(url)) return false
  const { protocol, username, password } = new URL(url)
  return protocol === 'https:' && !username && !password
}

/** Whether the origin of a URL can be listed in a Content-Security-Policy. */
export function hasPlainHost(url: string): boolean {
  return HOST.test(URL.parse(url)?.host ?? '')
}
