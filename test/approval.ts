/**
 * Turns an authorization request to the stand-in into one that the user has approved: the stand-in
 * skips its pages and redirects to the callback. Grants every requested scope unless `grant` lists
 * others, or is `deny`.
 */
export function approveAs(handle: string, authorization: string | URL, grant?: string): URL {
  const url = new URL(authorization)
  url.searchParams.set('__as', handle)
  url.searchParams.set('__grant', grant ?? url.searchParams.get('scope') ?? '')
  return url
}
