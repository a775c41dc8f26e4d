import { exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { Browser, LOGIN, SHOP } from '../../browser.ts'
import { inputValues } from '../../html.ts'
import { signedIn } from '../oidc/relying-app.ts'

/** What libraries for tracing and Okta's for browsers add, among others. */
const ANY_HEADERS = 'authorization,content-type,traceparent,x-okta-user-agent-extended'

const UNREGISTERED_ORIGINS = [
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

describe('a cross-origin GET request', () => {
  it.each(UNREGISTERED_ORIGINS)('[M4][M5] for the session is rejected from %s', async (origin) => {
    const response = await (await signedIn()).get('/api/auth/session', { Origin: origin })

    expect(response.status).toBe(403)
    expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull()
    expect(response.headers.get('Vary')).toContain('Origin')
    expect(await response.text()).not.toContain('Mia')
  })

  it.each(['/api/auth/session', '/api/auth/providers', '/api/auth/csrf'])(
    '[M4] for %s is allowed with credentials from a registered app',
    async (path) => {
      const response = await (await signedIn()).get(path, { Origin: SHOP })

      expect(response.status).toBe(200)
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe(SHOP)
      expect(response.headers.get('Access-Control-Allow-Credentials')).toBe('true')
      expect(response.headers.get('Vary')).toContain('Origin')
    },
  )

  it('[M4] passes its preflight from registered apps only', async () => {
    const sendPreflight = (origin: string) =>
      new Browser().fetch('/api/auth/session', {
        method: 'OPTIONS',
        headers: { Origin: origin, 'Access-Control-Request-Method': 'GET' },
      })

    const allowed = await sendPreflight(SHOP)
    const rejected = await sendPreflight('https://evil.example')

    expect(allowed.status).toBe(204)
    expect(allowed.headers.get('Access-Control-Allow-Methods')).toBe('GET')
    expect(rejected.status).toBe(403)
  })

  it.each([
    ['/api/auth/session', 'Content-Type'],
    ['/oidc/token', ANY_HEADERS],
    ['/oidc/userinfo', ANY_HEADERS],
    ['/oidc/revoke', ANY_HEADERS],
  ])('[M4] from a registered app for %s may have the headers %s', async (path, allowedHeaders) => {
    const sendPreflight = (Origin: string) =>
      new Browser().fetch(path, {
        method: 'OPTIONS',
        headers: {
          Origin,
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': ANY_HEADERS,
        },
      })

    const response = await sendPreflight(SHOP)
    const rejected = await sendPreflight('https://evil.example')

    expect(response.status).toBe(204)
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe(SHOP)
    expect(response.headers.get('Access-Control-Allow-Headers')).toBe(allowedHeaders)
    expect(rejected.headers.get('Access-Control-Allow-Origin')).toBeNull()
  })

  it.each([
    '/api/auth/signin',
    '/api/auth/signin/tiktok',
    '/api/auth/callback/tiktok',
    '/api/auth/error',
    '/healthz',
    '/readyz',
  ])('[M4] for %s cannot be read from any other origin', async (path) => {
    for (const origin of [SHOP, 'https://evil.example']) {
      const response = await new Browser().get(path, { Origin: origin })
      expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull()
    }
  })
})

describe('a POST request', () => {
  const paths = ['/api/auth/signout', '/api/auth/signin/tiktok'] as const

  it.each(paths.flatMap((path) => UNREGISTERED_ORIGINS.map((origin) => [path, origin] as const)))(
    '[M6] to %s from %s is rejected and changes nothing',
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
  ])('[M6] from another origin is rejected with any content type: %s', async (type, body) => {
    const { Cookie = '' } = (await signedIn()).cookieHeader()
    const headers = { Cookie, Origin: 'https://evil.example', 'Content-Type': type }

    const response = await exports.default.fetch(
      new Request(`${LOGIN}/api/auth/signout`, { method: 'POST', headers, body }),
    )

    expect(response.status).toBe(403)
  })

  it.each([
    { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' },
    { Origin: LOGIN },
    { Origin: SHOP, 'Sec-Fetch-Site': 'cross-site' },
  ])('[M6] from our own pages or a first-party app is accepted: %o', async (headers) => {
    const browser = await signedIn()

    expect((await browser.fetch('/api/auth/signout', { form: {}, headers })).status).toBe(200)
    expect(await browser.session()).toBeNull()
  })

  it.each(['/api/auth/signout', '/api/auth/signin/tiktok'])(
    '[M6] from a third-party app is rejected: %s',
    async (path) => {
      const browser = await signedIn()
      const headers = { Origin: 'https://kiosk.example', 'Sec-Fetch-Site': 'cross-site' }

      const response = await browser.fetch(path, { form: { prompt: 'login' }, headers })

      expect(response.status).toBe(403)
      expect(browser.cookieNames('attempt.')).toEqual([])
      expect(await browser.session()).not.toBeNull()
    },
  )

  it('[M6] without Origin and Sec-Fetch-Site requires our CSRF token', async () => {
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

  it('[M6] is accepted with the CSRF token in the form of our own page', async () => {
    const browser = await signedIn()
    const page = await (await browser.get('/api/auth/signout')).text()
    const [csrfToken = ''] = inputValues(page, 'csrfToken')

    const response = await browser.fetch('/api/auth/signout', { form: { csrfToken } })

    expect(response.status).toBe(200)
  })
})

describe('a response that depends on the user', () => {
  it.each([
    '/api/auth/session',
    '/api/auth/signin',
    '/api/auth/signout',
    '/api/auth/csrf',
    '/',
    '/api/auth/error',
  ])('[M9] is not cached: %s', async (path) => {
    const response = await (await signedIn()).get(path)

    expect(response.headers.get('Cache-Control')).toBe('no-store')
  })
})
