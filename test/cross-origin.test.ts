import { describe, expect, it } from 'vitest'
import { Browser, LOGIN, SHOP } from './browser.ts'

const STRANGERS = [
  'https://evil.example',
  'null',
  'http://shop.example',
  'https://shop.example.evil.example',
  'https://evilshop.example',
  'https://sub.shop.example',
  'https://shop.example:8443',
  'https://shop.example/',
  'HTTPS://SHOP.EXAMPLE',
]

async function signedIn(): Promise<Browser> {
  const browser = new Browser()
  await browser.signIn('mia')
  return browser
}

describe('an answer to another origin', () => {
  it.each(STRANGERS)('[M4][M5] is refused to %s at the session endpoint', async (origin) => {
    const response = await (await signedIn()).get('/api/auth/session', { Origin: origin })

    expect(response.status).toBe(403)
    expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull()
    expect(response.headers.get('Vary')).toContain('Origin')
    expect(await response.text()).not.toContain('Mia')
  })

  it.each(['/api/auth/session', '/api/auth/providers', '/api/auth/csrf'])(
    '[M4] is given with credentials to a registered app at %s',
    async (path) => {
      const response = await (await signedIn()).get(path, { Origin: SHOP })

      expect(response.status).toBe(200)
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe(SHOP)
      expect(response.headers.get('Access-Control-Allow-Credentials')).toBe('true')
      expect(response.headers.get('Vary')).toContain('Origin')
    },
  )

  it('[M4] is prepared by a preflight for registered apps alone', async () => {
    const ask = (origin: string) =>
      new Browser().fetch('/api/auth/session', {
        method: 'OPTIONS',
        headers: { Origin: origin, 'Access-Control-Request-Method': 'GET' },
      })

    const granted = await ask(SHOP)
    expect(granted.status).toBe(204)
    expect(granted.headers.get('Access-Control-Allow-Methods')).toBe('GET')
    expect((await ask('https://evil.example')).status).toBe(403)
  })

  it.each([
    '/api/auth/signin',
    '/api/auth/signin/tiktok',
    '/api/auth/callback/tiktok',
    '/api/auth/error',
    '/healthz',
  ])('[M4] is nobody’s to read at %s', async (path) => {
    for (const origin of [SHOP, 'https://evil.example']) {
      const response = await new Browser().get(path, { Origin: origin })
      expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull()
    }
  })
})

describe('a post', () => {
  const paths = ['/api/auth/signout', '/api/auth/signin/tiktok'] as const

  it.each(paths.flatMap((path) => STRANGERS.map((origin) => [path, origin] as const)))(
    '[M6] to %s from %s is refused, and changes nothing',
    async (path, origin) => {
      const browser = await signedIn()

      for (const site of ['cross-site', 'same-site', undefined]) {
        const headers = { Origin: origin, ...(site && { 'Sec-Fetch-Site': site }) }
        const response = await browser.fetch(path, { form: {}, headers })
        expect(response.status).toBe(403)
        expect(response.headers.getSetCookie()).toEqual([])
      }
      expect(await browser.session()).not.toBeNull()
    },
  )

  it.each([
    ['text/plain', 'a=b'],
    ['application/json', '{}'],
    ['multipart/form-data; boundary=x', '--x--'],
  ])('[M6] is refused whatever its content type: %s', async (type, body) => {
    const { Cookie = '' } = (await signedIn()).cookieHeader()
    const headers = { Cookie, Origin: 'https://evil.example', 'Content-Type': type }

    const { exports } = await import('cloudflare:workers')
    const response = await exports.default.fetch(
      new Request(`${LOGIN}/api/auth/signout`, { method: 'POST', headers, body }),
    )

    expect(response.status).toBe(403)
  })

  it.each([
    { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' },
    { Origin: LOGIN },
    { Origin: SHOP, 'Sec-Fetch-Site': 'cross-site' },
  ])('[M6] of our own pages or of a registered app passes: %o', async (headers) => {
    const browser = await signedIn()

    expect((await browser.fetch('/api/auth/signout', { form: {}, headers })).status).toBe(200)
    expect(await browser.session()).toBeNull()
  })

  it('[M6] without Origin and Sec-Fetch-Site needs our token', async () => {
    const browser = await signedIn()
    const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
    const other = await new Browser().json<{ csrfToken: string }>('/api/auth/csrf')
    const forms = [{}, { csrfToken: '' }, { csrfToken: 'guess' }, { csrfToken: other.csrfToken }]

    for (const form of forms) {
      expect((await browser.fetch('/api/auth/signout', { form })).status).toBe(403)
    }
    const headers = { Origin: 'null' }
    expect((await browser.fetch('/api/auth/signout', { form: {}, headers })).status).toBe(403)
    expect(
      (await browser.fetch('/api/auth/signout', { form: { csrfToken }, headers })).status,
    ).toBe(200)
  })

  it('[M6] of a page of ours carries the token in the form', async () => {
    const browser = await signedIn()
    const page = await (await browser.get('/api/auth/signout')).text()
    const csrfToken = page.match(/name="csrfToken" value="([^"]+)"/)?.[1] ?? ''

    expect((await browser.fetch('/api/auth/signout', { form: { csrfToken } })).status).toBe(200)
  })
})

describe('an answer that depends on who asks', () => {
  it.each([
    '/api/auth/session',
    '/api/auth/signin',
    '/api/auth/signout',
    '/api/auth/csrf',
    '/',
    '/api/auth/error',
  ])('[M9] is kept by no cache: %s', async (path) => {
    const response = await (await signedIn()).get(path)

    expect(response.headers.get('Cache-Control')).toBe('no-store')
  })
})
