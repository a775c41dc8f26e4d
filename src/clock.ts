/** Now, in seconds since 1970: the unit of everything we store and sign. */
export function seconds(): number {
  return Math.floor(Date.now() / 1000)
}
