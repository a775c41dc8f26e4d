/** Returns the address of the first link on a page that contains `part`, or an empty string. */
export function findLink(html: string, part: string): string {
  const links = html.matchAll(/href="([^"]*)"/g)
  const addresses = Array.from(links, ([, address = '']) => address.replaceAll('&amp;', '&'))
  return addresses.find((address) => address.includes(part)) ?? ''
}
