import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../any-character.ts'
import { Browser, LOGIN, SHOP, standIn, TOKEN_PATH } from '../../browser.ts'
import { advanceClock, MINUTE } from '../../clock.ts'
import { findLink } from '../../html.ts'
import { createPlatformUser } from '../../new-user.ts'
import { redirectUrl } from '../../redirect.ts'

/** No session was opened, and the error page shows this code. */
async function expectRejection(browser: Browser, response: Response, status: number, code: string) {
  expect(response.status).toBe(status)
  expect(await response.text()).toContain(`<dd>${code}</dd>`)
  expect(await browser.session()).toBeNull()
}

/**
 * No session was opened, the callback was ignored, and the sign-in starts again with another state.
 */
async function expectRestart(browser: Browser, response: Response, callback: string) {
  const { host, searchParams } = redirectUrl(response)
  expect(host).toBe('www.tiktok.com')
  expect(searchParams.get('state')).not.toBe(new URL(callback).searchParams.get('state'))
  expect(await browser.session()).toBeNull()
}

describe('GET /api/auth/callback/tiktok', () => {
  it('[K1] rejects a callback without a state, and does not redeem the code', async () => {
    const browser = new Browser()
    const callback = new URL(await browser.approve(await browser.start(), 'mia'))
    callback.searchParams.delete('state')

    const response = await browser.get(callback.href)

    await expectRejection(browser, response, 400, 'attempt_missing')
    expect(await standIn.countRequests(TOKEN_PATH)).toBe(0)
  })

  it.each([
    ['another state', () => 'A'.repeat(43)],
    [
      'a state that differs in one character',
      (state: string) =>
        `${state.slice(0, -6)}${state.at(-6) === 'A' ? 'B' : 'A'}${state.slice(-5)}`,
    ],
    ['a truncated state', (state: string) => state.slice(0, 20)],
    ['an empty state', () => ''],
  ])('[K1] rejects %s, and does not redeem the code', async (_, change) => {
    const browser = new Browser()
    const callback = new URL(await browser.approve(await browser.start(), 'mia'))
    callback.searchParams.set('state', change(callback.searchParams.get('state') ?? ''))

    const response = await browser.get(callback.href)

    await expectRejection(browser, response, 400, 'attempt_missing')
    expect(await standIn.countRequests(TOKEN_PATH)).toBe(0)
  })

  it('[K1][CVE-2023-27490] rejects a callback in another browser than the one that started', async () => {
    const victim = new Browser()
    const attacker = new Browser()
    const callback = await attacker.approve(await attacker.start(), 'noah')

    const response = await victim.get(callback)

    await expectRestart(victim, response, callback)
    expect(await standIn.countRequests(TOKEN_PATH)).toBe(0)
  })

  it('[K1] rejects an attempt after ten minutes, even if the browser still sends its cookie', async () => {
    const browser = new Browser()
    const callback = await browser.approve(await browser.start(), 'mia')
    const cookies = browser.cookieHeader()
    advanceClock(10 * MINUTE + 1)

    const response = await browser.get(callback, { ...cookies })

    await expectRejection(browser, response, 400, 'attempt_missing')
    expect(await standIn.countRequests(TOKEN_PATH)).toBe(0)
  })

  it('[K1][B9] has a new state and a new verifier for each attempt', async () => {
    const urls = await Promise.all([new Browser().start(), new Browser().start()])

    const states = urls.map((url) => url.searchParams.get('state') ?? '')
    const challenges = urls.map((url) => url.searchParams.get('code_challenge') ?? '')

    expect(new Set([...states, ...challenges]).size).toBe(4)
    for (const state of states) expect(state).toMatch(/^[\w-]{43}\.[\w-]+$/)
    for (const url of urls) expect(url.href).not.toContain('code_verifier')
  })

  it('[K2] has a state that does not reveal the return address', async () => {
    const authorization = await new Browser().start({ callbackUrl: `${SHOP}/secret-page` })

    expect(authorization.href).not.toContain('shop')
    expect(authorization.href).not.toContain('secret-page')
  })

  it("[K3][GHSA-x445-f3h2-j279] rejects one attempt's cookie under the name of another", async () => {
    const browser = new Browser()
    await browser.start()
    const [first = ''] = browser.cookieNames('attempt.')
    const authorization = await browser.start()
    const second = browser.cookieNames('attempt.').find((name) => name !== first) ?? ''
    browser.cookies.set(second, browser.cookies.get(first) ?? '')

    const callback = await browser.approve(authorization, 'mia')
    const response = await browser.get(callback)

    await expectRestart(browser, response, callback)
    expect(await standIn.countRequests(TOKEN_PATH)).toBe(0)
  })

  it.each([
    ['the iss of another issuer', 'https://evil.example'],
    ['an empty iss', ''],
  ])('[K4] rejects a response with %s (RFC 9207)', async (_, iss) => {
    const browser = new Browser()
    const callback = await browser.approve(await browser.start(), 'mia')

    const response = await browser.get(`${callback}&iss=${encodeURIComponent(iss)}`)

    await expectRejection(browser, response, 502, 'provider_invalid')
    expect(await standIn.countRequests(TOKEN_PATH)).toBe(0)
  })

  it('[K4] exists only for configured providers', async () => {
    const browser = new Browser()
    const callback = await browser.approve(await browser.start(), 'mia')

    const response = await browser.get(callback.replace('/tiktok?', '/google?'))

    await expectRejection(browser, response, 404, 'provider_unknown')
  })

  it('[K5] does not redeem the code when the browser has lost the attempt', async () => {
    const browser = new Browser()
    const callback = await browser.approve(await browser.start(), 'mia')
    browser.cookies.clear()

    const response = await browser.get(callback)

    await expectRestart(browser, response, callback)
    expect(await standIn.countRequests(TOKEN_PATH)).toBe(0)
  })

  it('[K6] ignores an error response without a valid state', async () => {
    const browser = new Browser()

    const response = await browser.get(
      '/api/auth/callback/tiktok?error=access_denied&state=made-up',
    )

    await expectRejection(browser, response, 400, 'attempt_missing')
  })

  it.each(['constructor', '__proto__', 'hasOwnProperty'])(
    '[K9] treats the error %s as an unknown one',
    async (error) => {
      const browser = new Browser()
      const state = (await browser.start()).searchParams.get('state') ?? ''
      const query = new URLSearchParams({ error, state })

      const response = await browser.get(`/api/auth/callback/tiktok?${query}`)

      await expectRejection(browser, response, 502, 'provider_refused')
    },
  )

  it('[K6] returns a user who cancelled to the sign-in page, with a link back to the app', async () => {
    const browser = new Browser()

    const response = await browser.signIn('mia', { grant: 'deny', callbackUrl: `${SHOP}/cart` })

    const page = await (await browser.get(redirectUrl(response, 303).href)).text()
    expect(await browser.session()).toBeNull()
    expect(page).toContain('Sign-in cancelled. Try again or choose another way.')
    expect(page).toContain(`href="${SHOP}/cart"`)
    const tryAgain = findLink(page, '/api/auth/signin/tiktok?')
    expect(new URL(tryAgain, LOGIN).searchParams.get('prompt')).toBe('consent')
    const platform = redirectUrl(await browser.get(tryAgain, { 'Sec-Fetch-Site': 'same-origin' }))
    const finished = await browser.get(await browser.approve(platform, 'mia'))
    expect(finished.headers.get('Location')).toBe(`${SHOP}/cart`)
  })

  it.each(['code', 'state', 'error', 'iss'])('[K9] rejects a repeated %s', async (parameter) => {
    const browser = new Browser()
    const callback = await browser.approve(await browser.start(), 'mia')

    const response = await browser.get(`${callback}&${parameter}=x&${parameter}=y`)

    await expectRejection(browser, response, 400, 'request_invalid')
    expect(await standIn.countRequests(TOKEN_PATH)).toBe(0)
  })

  it.each([
    ['code', 4097],
    ['state', 513],
    ['error_description', 2049],
  ])('[K9] rejects a %s of %i characters', async (parameter, length) => {
    const browser = new Browser()

    const response = await browser.get(
      `/api/auth/callback/tiktok?${parameter}=${'a'.repeat(length)}`,
    )

    await expectRejection(browser, response, 400, 'request_invalid')
  })

  it('[K9] decodes special characters in a code exactly once', async () => {
    const browser = new Browser()
    const callback = await browser.approve(await browser.start(), 'mia')

    expect(callback).toContain('%2A')
    expect((await browser.get(callback)).status).toBe(302)
  })

  it('[K9] rejects random parameters with status 400', async () => {
    const browser = new Browser()
    const randomParameters = fc.dictionary(
      fc.constantFrom('code', 'state', 'error', 'error_type', 'iss', 'x'),
      fc.string({ unit: anyCharacter, maxLength: 40 }),
    )
    await fc.assert(
      fc.asyncProperty(randomParameters, async (parameters) => {
        const response = await browser.get(
          `/api/auth/callback/tiktok?${new URLSearchParams(parameters)}`,
        )
        expect(response.status).toBe(400)
      }),
      { numRuns: 100 },
    )
  })

  it('[K11] does not replace the session of another user without confirmation', async () => {
    const browser = new Browser()
    await browser.signIn('mia')

    const response = await browser.signIn('noah', { callbackUrl: `${SHOP}/` })

    const page = await response.text()
    expect(response.status).toBe(409)
    expect(page).toContain('already_signed_in')
    expect(page).toContain('You are signed in as \u2068Mia Lindqvist\u2069.')
    expect(page).toContain('The other account: \u2068Noah Adeyemi\u2069 (TikTok)')
    expect(page).toContain('Continue as \u2068Mia Lindqvist\u2069')
    expect(page).toContain(`href="${SHOP}/"`)
    expect(page).toContain('prompt=select_account')
    expect(await browser.session()).toMatchObject({ user: { name: 'Mia Lindqvist' } })
  })

  it('[K11] creates no user while another one is signed in', async () => {
    const browser = new Browser()
    await browser.signIn('mia')
    const count = () => env.DIRECTORY.prepare('SELECT count(*) FROM users').first('count(*)')
    const users = await count()

    const response = await browser.signIn(await createPlatformUser({ displayName: 'Pat New' }))

    expect(await response.text()).toContain('The other account: \u2068Pat New\u2069 (TikTok)')
    expect(await count()).toBe(users)
  })

  it('[K11] names the other user without letting the name change the page', async () => {
    const browser = new Browser()
    await browser.signIn('mia')
    const other = await createPlatformUser({ displayName: '<b>\u202eNoah' })

    const page = await (await browser.signIn(other)).text()

    expect(page).toContain('The other account: \u2068&lt;b&gt;Noah\u2069 (TikTok)')
  })

  it.each(['login', 'select_account'])(
    '[K11] replaces the session of another user for prompt=%s, which confirms it',
    async (prompt) => {
      const browser = new Browser()
      await browser.signIn('mia')
      const before = await browser.session()
      const cookies = browser.cookieHeader()

      await browser.signIn('noah', { prompt })

      const after = await browser.session()
      expect(after).toMatchObject({ user: { name: 'Noah Adeyemi' } })
      expect(after?.user.id).not.toBe(before?.user.id)
      expect(await new Browser().session({ ...cookies })).toBeNull()
    },
  )

  it('[K12] completes the attempts of several tabs in any order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }), async (order) => {
        const browser = new Browser()
        const callbacks: string[] = []
        for (const tab of [0, 1, 2, 3, 4]) {
          const authorization = await browser.start({ callbackUrl: `${SHOP}/tab-${tab}` })
          callbacks.push(await browser.approve(authorization, 'mia'))
        }
        for (const tab of order) {
          const response = await browser.get(callbacks[tab] ?? '')
          expect(response.headers.get('Location')).toBe(`${SHOP}/tab-${tab}`)
        }
        expect(browser.cookieNames('attempt.')).toEqual([])
      }),
      { numRuns: 5 },
    )
  })

  it('[K13] keeps the five newest attempts of a browser', async () => {
    const browser = new Browser()
    const first = await browser.start()
    for (let tab = 2; tab <= 20; tab++) await browser.start()

    expect(browser.cookieNames('attempt.')).toHaveLength(5)
    const callback = await browser.approve(first, 'mia')
    await expectRestart(browser, await browser.get(callback), callback)
    const last = await browser.start()
    expect((await browser.get(await browser.approve(last, 'mia'))).status).toBe(302)
  })

  it('[K13] keeps the Cookie header below 8 KiB, however long the return addresses are', async () => {
    const browser = new Browser()

    for (let tab = 1; tab <= 20; tab++)
      await browser.start({ callbackUrl: `${SHOP}/${'a'.repeat(1950)}` })

    expect(browser.cookieHeader().Cookie?.length).toBeLessThan(8192)
    expect(browser.cookieNames('attempt.').length).toBeGreaterThanOrEqual(2)
  })

  it('[K14] keeps the session when the callback is reloaded, and redeems the code once', async () => {
    const browser = new Browser()
    const callback = await browser.approve(await browser.start(), 'mia')
    await browser.get(callback)

    const response = await browser.get(callback)

    expect(response.headers.get('Location')).toBe(`${LOGIN}/`)
    expect(await standIn.countRequests(TOKEN_PATH)).toBe(1)
    expect(await browser.session()).toMatchObject({ user: { name: 'Mia Lindqvist' } })
  })

  it('[K14] opens one session per attempt, even if its cookie is sent again', async () => {
    const browser = new Browser()
    const authorization = await browser.start()
    const cookies = browser.cookieHeader()
    await browser.get(await browser.approve(authorization, 'mia'))

    const thief = new Browser()
    const response = await thief.get(await thief.approve(authorization, 'mia'), { ...cookies })

    await expectRejection(thief, response, 400, 'attempt_missing')
  })

  it.each([
    ['has signed out', (browser: Browser) => browser.post('/api/auth/signout', {})],
    ['has signed in again', (browser: Browser) => browser.signIn('mia')],
    [
      'has ended all other sessions',
      async () => {
        const other = new Browser()
        await other.signIn('mia')
        await other.post('/account/sessions', { sid: 'others' })
      },
    ],
  ])('[K1][K14] opens no second session for an attempt when its user %s', async (_, end) => {
    const browser = new Browser()
    const authorization = await browser.start()
    const cookies = browser.cookieHeader()
    await browser.get(await browser.approve(authorization, 'mia'))
    await end(browser)
    advanceClock(9 * MINUTE)

    const thief = new Browser()
    const response = await thief.get(await thief.approve(authorization, 'mia'), { ...cookies })

    await expectRejection(thief, response, 400, 'attempt_missing')
  })

  it.each([
    { 'Sec-Purpose': 'prefetch' },
    { 'Sec-Purpose': 'prefetch;prerender' },
    { Purpose: 'prefetch' },
    { Purpose: 'preview' },
    { 'X-Moz': 'prefetch' },
  ])('[K15] does nothing for a prefetch: %o', async (headers) => {
    const browser = new Browser()
    const callback = await browser.approve(await browser.start(), 'mia')

    expect((await browser.get(callback, headers)).status).toBe(503)
    expect((await browser.get('/api/auth/signin/tiktok', headers)).status).toBe(503)
    expect((await browser.fetch(callback, { method: 'HEAD' })).status).toBe(405)
    expect(await standIn.countRequests(TOKEN_PATH)).toBe(0)
    expect(browser.cookieNames('attempt.')).toHaveLength(1)
    expect((await browser.get(callback)).status).toBe(302)
  })

  it('[K16] redirects a response sent by POST to GET, which includes the cookies', async () => {
    const browser = new Browser()
    const callback = new URL(await browser.approve(await browser.start(), 'mia'))

    const posted = await new Browser().fetch(callback.pathname, {
      form: Object.fromEntries(callback.searchParams),
      headers: { Origin: 'https://www.tiktok.com', 'Sec-Fetch-Site': 'cross-site' },
    })

    expect(posted.status).toBe(303)
    expect((await browser.get(posted.headers.get('Location') ?? '')).status).toBe(302)
    expect(await browser.session()).toMatchObject({ user: { name: 'Mia Lindqvist' } })
  })
})
