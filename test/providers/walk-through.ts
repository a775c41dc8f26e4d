import { LOGIN } from '../browser.ts'

/**
 * Follows the redirects of the certified provider, with its cookies, signs in there as this user
 * and consents. Returns the callback address.
 */
export async function walkThrough(authorization: URL, user: string): Promise<string> {
  const cookies = new Map<string, string>()
  let url = authorization.href
  for (let hop = 0; hop < 10; hop++) {
    if (url.startsWith(LOGIN)) return url
    const target = new URL(url)
    if (target.pathname.startsWith('/interaction/')) target.searchParams.set('as', user)
    const headers = {
      Cookie: Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; '),
    }
    const response = await fetch(target, { headers, redirect: 'manual' })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      const end = pair.indexOf('=')
      cookies.set(pair.slice(0, end), pair.slice(end + 1))
    }
    url = new URL(response.headers.get('Location') ?? '', url).href
  }
  throw new Error('The certified provider did not redirect back within ten redirects.')
}
