import { LOGIN } from '../browser.ts'

/** The way through the certified provider: its redirects, its cookies, and a person who says yes. */
export async function walkThrough(authorization: URL, as: string): Promise<string> {
  const cookies = new Map<string, string>()
  let url = authorization.href
  for (let hop = 0; hop < 10; hop++) {
    if (url.startsWith(LOGIN)) return url
    const target = new URL(url)
    if (target.pathname.startsWith('/interaction/')) target.searchParams.set('as', as)
    const headers = {
      Cookie: Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; '),
    }
    const response = await fetch(target, { headers, redirect: 'manual' })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      const at = pair.indexOf('=')
      cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    url = new URL(response.headers.get('Location') ?? '', url).href
  }
  throw new Error('The certified provider leads nowhere.')
}
