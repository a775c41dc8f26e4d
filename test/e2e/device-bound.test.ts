import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type BoundServices, LOGIN, PARTNER, SHOP, startBoundServices } from './bound-services.ts'
import { launchChromium, wholeChromiumPath } from './chromium.ts'
import { signInWithTikTok, waitForErrorPage } from './page-steps.ts'

/** The bound cookie. */
const COOKIE = '__Host-vestibule.device'

const COOKIE_LIFETIME = 600 // seconds

/** For how long after the sign-in the session cookie alone is sufficient. */
const GRACE_PERIOD = 120 // seconds

/** What the browser sends for one renewal. */
const RENEWAL = [
  { path: '/api/auth/device-bound/refresh', isSigned: false, status: 403 },
  { path: '/api/auth/device-bound/refresh', isSigned: true, status: 200 },
]

/** An authorization request of the app on another site. */
const AUTHORIZATION_URL = `${LOGIN}/oidc/authorize?${new URLSearchParams({
  client_id: 'partner',
  response_type: 'code',
  redirect_uri: `${PARTNER}/callback`,
  scope: 'openid',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
})}`

/** Answers of the session endpoint. */
const SIGNED_IN = { status: 200, body: { user: expect.anything() } }
const SIGNED_OUT = { status: 200, body: null }

const ACTION_TIMEOUT = 25_000 // milliseconds

/** Longer than Chromium waits after a failure until it tries again. */
const BACKOFF = { timeout: 30_000, interval: 500 } // milliseconds

describe.skipIf(!wholeChromiumPath)('a session in Chromium', () => {
  let services: BoundServices
  let browser: Browser
  const contexts: BrowserContext[] = []

  beforeAll(async () => {
    services = await startBoundServices()
    browser = await launchChromium({ args: services.flags }, wholeChromiumPath)
  })
  afterAll(async () => {
    await browser?.close()
    await services?.stop()
  })
  afterEach(async () => {
    services.setRenewalsFail(false)
    for (const context of contexts.splice(0)) await context.close()
    await services.setClock(0)
  })

  async function openContext(): Promise<BrowserContext> {
    const context = await browser.newContext({ reducedMotion: 'reduce' })
    context.setDefaultTimeout(ACTION_TIMEOUT)
    contexts.push(context)
    return context
  }

  /**
   * Signs in through the stand-in, and returns when the browser has bound the session, and the session
   * cookie alone is no longer sufficient.
   */
  async function signIn(): Promise<{ context: BrowserContext; page: Page }> {
    const context = await openContext()
    const page = await context.newPage()
    const persona = await services.createPersona()
    await page.goto(`${LOGIN}/api/auth/signin?callbackUrl=/account`)
    await signInWithTikTok(page, persona)
    await page.waitForURL(`${LOGIN}/account**`)
    await vi.waitFor(async () => expect(await hasBoundCookie(context)).toBe(true), BACKOFF)
    await page.reload()
    await services.setClock(GRACE_PERIOD)
    services.sent.length = 0
    return { context, page }
  }

  async function hasBoundCookie(context: BrowserContext): Promise<boolean> {
    return (await context.cookies(LOGIN)).some(({ name }) => name === COOKIE)
  }

  /** Removes the bound cookie, as the browser does after ten minutes by its own clock. */
  function expireCookie(context: BrowserContext): Promise<void> {
    return context.clearCookies({ name: COOKIE })
  }

  /** The answers of the session endpoint to requests that the page of an app sends at once. */
  function fetchSessions(page: Page, count = 1) {
    return page.evaluate(
      ({ url, count }) =>
        Promise.all(
          Array.from({ length: count }, async () => {
            const response = await fetch(url, { credentials: 'include' })
            return { status: response.status, body: await response.json() }
          }),
        ),
      { url: `${LOGIN}/api/auth/session`, count },
    )
  }

  it('is bound after the sign-in, and the account page says so', async () => {
    const { page } = await signIn()

    await page.getByText('This device only').waitFor()
  })

  it('is renewed by the next page when the cookie has expired', async () => {
    const { context, page } = await signIn()
    await expireCookie(context)

    await page.goto(`${LOGIN}/account`)

    await page.getByText('This device only').waitFor()
    expect(await hasBoundCookie(context)).toBe(true)
    expect(services.sent).toEqual(RENEWAL)
  })

  it('is renewed once for five requests of a frontend on its site, and two of another tab', async () => {
    const { context, page } = await signIn()
    const other = await context.newPage()
    await page.goto(SHOP)
    await other.goto(SHOP)
    await expireCookie(context)

    const answers = await Promise.all([fetchSessions(page, 5), fetchSessions(other, 2)])

    expect(answers.flat()).toMatchObject(Array(7).fill(SIGNED_IN))
    expect(services.sent).toEqual(RENEWAL)
  })

  it('is renewed for the authorization request of an app on another site', async () => {
    const { context, page } = await signIn()
    await page.goto(PARTNER)
    await expireCookie(context)
    const visited: string[] = []
    page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname))

    await page.evaluate((url) => {
      location.href = url
    }, AUTHORIZATION_URL)
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(`${PARTNER}/callback?**`)

    expect(page.url()).toContain('code=')
    expect(visited).not.toContain('/api/auth/signin')
  })

  it('ends with a sign-out, also in the browser', async () => {
    const { context, page } = await signIn()
    await page.getByRole('button', { name: 'Sign out', exact: true }).first().click()
    await page.getByText('signed out').first().waitFor()
    await page.goto(SHOP)

    expect(await fetchSessions(page)).toEqual([SIGNED_OUT])
    // The browser has tried to renew it, and was told that it has ended.
    expect(services.sent).toEqual(RENEWAL)
    expect(await hasBoundCookie(context)).toBe(false)
    await page.goto(`${LOGIN}/account`)
    await page.waitForURL(`${LOGIN}/api/auth/signin?**`)
    expect(services.sent).toEqual(RENEWAL)
  })

  it('survives a restart of the service', async () => {
    const { context, page } = await signIn()
    await page.goto(SHOP)
    await services.restart()
    await services.setClock(GRACE_PERIOD)
    expect(await fetchSessions(page)).toMatchObject([SIGNED_IN])
    await expireCookie(context)

    expect(await fetchSessions(page)).toMatchObject([SIGNED_IN])
  })

  it('survives that renewals fail for a while', async () => {
    const { context, page } = await signIn()
    const app = await context.newPage()
    await app.goto(SHOP)
    services.setRenewalsFail(true)
    await expireCookie(context)

    expect(await fetchSessions(app)).toMatchObject([{ status: 503 }])
    // The page that repeats the navigation comes first.
    await page.goto(`${LOGIN}/account`)
    await waitForErrorPage(page, 'unavailable')
    expect(new URL(page.url()).pathname).toBe('/account')

    services.setRenewalsFail(false)
    await vi.waitFor(
      async () => expect(await fetchSessions(app)).toMatchObject([SIGNED_IN]),
      BACKOFF,
    )
    await page.goto(`${LOGIN}/account`)
    await page.getByText('This device only').waitFor()
  })

  it('is useless to another browser with copied cookies once the bound cookie has expired', async () => {
    const { context, page } = await signIn()
    const copied = await openCopy(context)
    expect(await fetchSessions(copied)).toMatchObject([SIGNED_IN])

    await services.setClock(COOKIE_LIFETIME)

    await expectSignedOut(copied)
    await page.goto(SHOP)
    await expireCookie(context)
    expect(await fetchSessions(page)).toMatchObject([SIGNED_IN])
    await expectSignedOut(copied)
    expect(services.sent).toEqual(RENEWAL)
  })

  it('is useless at once to another browser without the bound cookie', async () => {
    const { context } = await signIn()
    const copied = await openCopy(context)
    await expireCookie(copied.context())

    await expectSignedOut(copied)
    expect(services.sent).toEqual([])
  })

  /** A page of the app on the site, in another browser with the cookies of this one. */
  async function openCopy(context: BrowserContext): Promise<Page> {
    const thief = await openContext()
    await thief.addCookies(await context.cookies(LOGIN))
    const page = await thief.newPage()
    await page.goto(SHOP)
    return page
  }

  async function expectSignedOut(page: Page): Promise<void> {
    expect(await fetchSessions(page)).toEqual([SIGNED_OUT])
    for (const url of [`${LOGIN}/account`, AUTHORIZATION_URL]) {
      await page.goto(url)
      await page.waitForURL(`${LOGIN}/api/auth/signin?**`)
    }
    await page.goto(SHOP)
  }
})
