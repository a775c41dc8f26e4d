import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Browser, LOGIN, SHOP } from './browser.ts'

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
  ])('[N1][CVE-2022-24858][CVE-2025-27143] "%s" is rejected', async (callbackUrl) => {
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
      fc.string({ unit: 'binary' }),
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

  it.each(['a'.repeat(2600), 'é'.repeat(1200)])(
    '[R6] is named in the error when it is too long',
    async (path) => {
      const query = new URLSearchParams({ callbackUrl: `${SHOP}/${path}` })

      expect((await new Browser().get(`/api/auth/signin/tiktok?${query}`)).status).toBe(400)
      expect(await new Browser().json(`/api/auth/signin?${query}`)).toMatchObject({
        error: 'request_invalid',
        parameter: 'callbackUrl',
      })
    },
  )

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

  it('[N5] reaches the Location header only as the URL parser serializes it', async () => {
    const paths = fc.webPath().map((path) => `${SHOP}${path}`)
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          paths,
          fc.string({ unit: 'binary' }).map((text) => `${SHOP}/${text}`),
        ),
        async (callbackUrl) => {
          const response = await new Browser().post('/api/auth/signout', { callbackUrl })
          const location = response.headers.get('Location')
          if (response.status === 303) expect(location).toBe(new URL(callbackUrl).href)
          else expect(response.status).toBe(400)
        },
      ),
      { numRuns: 100 },
    )
  })
})
