import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../any-character.ts'
import { Browser, LOGIN, SHOP, serviceWith } from '../../browser.ts'
import { continueUrl } from '../../continue-url.ts'
import { linkAddress, OWN_PAGE } from '../../link-account.ts'
import { expectLengthLimit, MAX_LENGTH } from '../../return-url-length.ts'

/** The address that a complete sign-in redirects to, or `rejected`. */
async function signInWith(callbackUrl: string): Promise<string> {
  const browser = new Browser()
  const response = await browser.get(
    `/api/auth/signin/tiktok?${new URLSearchParams({ callbackUrl })}`,
  )
  if (response.status !== 302) {
    expect(browser.cookieNames('attempt.')).toEqual([])
    return (await response.text()).includes('return_url_refused')
      ? 'rejected'
      : `status ${response.status}`
  }
  const callback = await browser.approve(new URL(response.headers.get('Location') ?? ''), 'mia')
  return (await browser.get(callback)).headers.get('Location') ?? 'nowhere'
}

const JSON_RESPONSE = { Accept: 'application/json' }
const PHONE = {
  'User-Agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Safari/604.1',
}
const COMPUTER = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0' }

const get =
  (path: string, headers: Record<string, string> = {}) =>
  (callbackUrl: string) =>
    new Browser().get(`${path}?${new URLSearchParams({ callbackUrl })}`, {
      ...JSON_RESPONSE,
      ...headers,
    })
const post = (path: string) => (callbackUrl: string) =>
  new Browser().post(path, { callbackUrl }, JSON_RESPONSE)

/** Every request that accepts a return address. */
const ROUTES = [
  { name: 'sign-in page', send: get('/api/auth/signin') },
  { name: 'phone', send: get('/api/auth/signin/tiktok', PHONE) },
  { name: 'computer', send: get('/api/auth/signin/tiktok', COMPUTER) },
  { name: 'posted sign-in', send: post('/api/auth/signin/tiktok') },
  { name: 'sign-out page', send: get('/api/auth/signout') },
  { name: 'sign-out', send: post('/api/auth/signout') },
]

describe('callbackUrl', () => {
  it.each([
    ['', `${LOGIN}/`],
    ['/', `${LOGIN}/`],
    ['/account?tab=1#top', `${LOGIN}/account?tab=1#top`],
    ['account', `${LOGIN}/account`],
    [`${LOGIN}/api/auth/signin`, `${LOGIN}/api/auth/signin`],
    [`${SHOP}/a/../b`, `${SHOP}/b`],
    ['HTTPS://SHOP.EXAMPLE/Cart', `${SHOP}/Cart`],
    ['https://blog.example/post', 'https://blog.example/post'],
  ])('[N1] "%s" redirects to %s', async (callbackUrl, target) => {
    expect(await signInWith(callbackUrl)).toBe(target)
  })

  it.each([
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '\\\\evil.example',
    'https:///evil.example',
    'https://evil.example',
    'http://shop.example/',
    'https://shop.example:8443/',
    'https://shop.example@evil.example/',
    'https://shop.example:x@evil.example/',
    'https://user@shop.example/',
    'https://shop.example.evil.example/',
    'https://evilshop.example/',
    'https://shop.example%00.evil.example/',
    'https://shop.example%2f.evil.example/',
    'https://shop。evil.example/',
    'https://shop.example\u2025/',
    'https://ſhop.example.evil/',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    '\tjavascript:alert(1)',
    'java\nscript:alert(1)',
    ' https://shop.example/',
    'https://shop.example/ x',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'blob:https://shop.example/uuid',
    'file:///etc/passwd',
    'https://shop.example/\r\nSet-Cookie: a=b',
    '/\r\nLocation: https://evil.example',
    'https://[::1/',
    'https://',
    'http:///',
    // They would start another sign-in, or end the session, as if the user had chosen it on our
    // page.
    '/api/auth/signin/tiktok?prompt=select_account',
    '/api/auth/./signin/tiktok?prompt=select_account',
    '/%61pi/auth/signin/tiktok?prompt=select_account',
    '/api/auth/callback/tiktok?code=x',
    '/api/auth/signout',
  ])('[N1][K11][CVE-2022-24858][CVE-2025-27143] "%s" is rejected', async (callbackUrl) => {
    expect(await signInWith(callbackUrl)).toBe('rejected')
  })

  it.each(['/%5cevil.example', '/%2f%2fevil.example', 'https:evil'])(
    '[N1] "%s" redirects to our own origin',
    async (callbackUrl) => {
      expect(new URL(await signInWith(callbackUrl)).origin).toBe(LOGIN)
    },
  )

  it('[N2][CVE-2022-31093] causes neither a server error nor a link to another origin, whatever it is', async () => {
    const browser = new Browser()
    const pieces = fc.constantFrom(
      '//',
      '\\',
      ':',
      '@',
      '%00',
      '.evil.example',
      'https',
      'shop.example',
      '#',
      '?',
      '\u0000',
      '[',
    )
    const anyText = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.webUrl(),
      fc.array(pieces).map((list) => list.join('')),
    )
    await fc.assert(
      fc.asyncProperty(anyText, async (callbackUrl) => {
        const query = new URLSearchParams({ callbackUrl })
        const response = await browser.get(`/api/auth/signin?${query}`)
        expect([200, 400]).toContain(response.status)
        const page = await response.text()
        for (const [, href = ''] of page.matchAll(/<a [^>]*href="([^"]*)"/g)) {
          expect(new URL(href, LOGIN).origin).toBe(LOGIN)
        }
      }),
      { numRuns: 300 },
    )
  })

  it.each(ROUTES)(
    '[R6] is accepted up to a fixed length, and named in the error beyond it: $name',
    ({ send }) => expectLengthLimit(send),
  )

  it('[R6] of the maximum length fits into the cookie when everything else is as long as possible', async () => {
    const host = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(53)}.example`
    const settings = {
      AUTH_URL: `https://${host}`,
      AUTH_REDIRECT_PROXY_URL: `${LOGIN}/api/auth`,
      AUTH_REDIRECT_PROXY_SECRET: 'mX7pQ2rT9vB4nK6wZ1cL8sD3fH5jG0yA',
      AUTH_MICROSOFT_ENTRA_ID_ID: 'our-client',
      AUTH_MICROSOFT_ENTRA_ID_SECRET: 'our-secret-Kq7vR2',
      AUTH_MICROSOFT_ENTRA_ID_ISSUER: 'https://op.example',
    }
    const browser = new Browser(serviceWith(settings), settings.AUTH_URL)
    const { pathname, search } = new URL(
      await browser.approve(await browser.start({ prompt: 'login' }), 'mia'),
    )
    await browser.get(`${pathname}${search}`)
    const link = new URL(await linkAddress(browser, 'microsoft-entra-id'), browser.origin)
    link.searchParams.set('callbackUrl', `${SHOP}/`.padEnd(MAX_LENGTH, 'a'))

    const response = await browser.get(link.href, OWN_PAGE)

    expect(response.status).toBe(302)
    expect(browser.cookieNames('attempt.')).toHaveLength(1)
  })

  it('[N3] is ignored in a callback without an attempt', async () => {
    const response = await new Browser().get(
      `/api/auth/callback/tiktok?error=access_denied&state=x&callbackUrl=${SHOP}/&redirect_uri=${SHOP}/`,
    )

    expect(response.headers.get('Location')).toBeNull()
    expect(await response.text()).not.toContain(SHOP)
  })

  it.each(['https://evil.example/', '//evil.example', 'javascript:alert(1)'])(
    '[N4] is checked by the same rule at sign-out: %s',
    async (callbackUrl) => {
      const browser = new Browser()
      await browser.signIn('mia')

      const page = await browser.get(`/api/auth/signout?${new URLSearchParams({ callbackUrl })}`)
      const posted = await browser.post('/api/auth/signout', { callbackUrl })

      expect([page.status, posted.status]).toEqual([400, 400])
      expect(posted.headers.get('Location')).toBeNull()
      expect(await page.text()).not.toContain(callbackUrl)
      expect(await browser.session()).not.toBeNull()
    },
  )

  it('[N5] reaches the Refresh header only as the URL parser serializes it', async () => {
    const paths = fc.webPath().map((path) => `${SHOP}${path}`)
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          paths,
          fc.string({ unit: anyCharacter }).map((text) => `${SHOP}/${text}`),
        ),
        async (callbackUrl) => {
          const response = await new Browser().post('/api/auth/signout', { callbackUrl })
          if (response.status === 400) expect(response.headers.get('Refresh')).toBeNull()
          else expect(await continueUrl(response)).toBe(new URL(callbackUrl).href)
        },
      ),
      { numRuns: 100 },
    )
  })
})
