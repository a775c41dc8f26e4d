import { LOGIN } from '../browser.ts'

/**
 * Follows the redirects of the certified provider, with its cookies, signs in there as this user
 * and consents. Returns the callback address.
 */
export async function walkThrough(authorization: URL, user: string): Promise<string> {
  const { url } = await walkToEnd(authorization, user)
  if (url.startsWith(LOGIN)) return url
  throw new Error('The certified provider did not redirect back.')
}

/** As {@link walkThrough}, for a provider that posts its response. Returns the page that does. */
export async function walkToForm(authorization: URL, user: string): Promise<string> {
  const { page } = await walkToEnd(authorization, user)
  if (page !== undefined) return page
  throw new Error('The certified provider redirected back.')
}

/** The callback address, or the page at which the redirects end. */
async function walkToEnd(
  authorization: URL,
  user: string,
): Promise<{ url: string; page?: string }> {
  const cookies = new Map<string, string>()
  let url = authorization.href
  for (let hop = 0; hop < 10; hop++) {
    if (url.startsWith(LOGIN)) return { url }
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
    const location = response.headers.get('Location')
    if (location === null) return { url, page: await response.text() }
    url = new URL(location, url).href
  }
  throw new Error('The certified provider did not end within ten redirects.')
}
