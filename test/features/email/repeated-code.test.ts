import { env } from 'cloudflare:workers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listAuditEntries, readHourlyCounts } from '../../../src/administration/read-audit.ts'
import { Browser, LOGIN, lastLogEntry, SHOP } from '../../browser.ts'
import { advanceClock, MINUTE } from '../../clock.ts'
import { continueUrl } from '../../continue-url.ts'
import { RelyingApp } from '../../core/oidc/relying-app.ts'
import { skipWaits } from '../../fast-timers.ts'
import { errorCode, hiddenFields } from '../../html.ts'
import { linkAddress, OWN_PAGE } from '../../link-account.ts'
import { signInNewUser } from '../../new-user.ts'
import { redirectUrl } from '../../redirect.ts'
import { pauseBeforeOpeningSession, userObject } from '../../storage.ts'
import { emailService, newAddress, requestMessage, wrongCode } from './email-browser.ts'

/** A deployment that counts its events. */
function countingService(settings: Record<string, unknown> = {}) {
  const events: string[] = []
  const record = (name: string) => () => {
    events.push(name)
  }
  const names = ['createUser', 'signIn', 'signInFailed', 'linkAccount'] as const
  const handlers = Object.fromEntries(names.map((name) => [name, record(name)]))
  return { events, ...emailService({}, { settings, events: handlers }) }
}

/** Presses the button of the page that a link opens. */
async function followLink(browser: Browser, url = ''): Promise<Response> {
  const page = await (await browser.get(url.slice(LOGIN.length))).text()
  return browser.post('/api/auth/callback/email', { token: hiddenFields(page).get('token') ?? '' })
}

async function auditedEvents(userId: string | undefined): Promise<string[]> {
  const { entries } = await listAuditEntries(env, { subject: userId ?? '', limit: 100 })
  return entries.map(({ event }) => event)
}

async function sessionsOf(userId: string | undefined) {
  return (await userObject(userId).readOverview('')).sessions
}

async function countedSignIns(): Promise<number> {
  const counts = await readHourlyCounts(env, { since: 0 })
  return counts
    .filter(({ provider, outcome }) => provider === 'email' && outcome === 'ok')
    .reduce((sum, { count }) => sum + count, 0)
}

describe('a code that a browser sends again', () => {
  it.each([
    ['with the cookies of the first response', true],
    ['before it has received them', false],
  ])('[Q1] leads to the same session, %s', async (_, hasCookies) => {
    const { sent, events, service, browser: open } = countingService()
    const before = await countedSignIns()
    const browser = open()
    const page = await requestMessage(browser, newAddress(), { callbackUrl: `${SHOP}/cart` })
    const code = sent[0]?.token ?? ''
    const earlier = new Browser(service).withCookiesOf(browser)
    const first = await browser.post(page, { code })
    const second = hasCookies ? browser : earlier

    const response = await second.post(page, { code })

    expect(await continueUrl(first)).toBe(`${SHOP}/cart`)
    expect(await continueUrl(response)).toBe(`${SHOP}/cart`)
    const userId = (await second.session())?.user.id
    expect((await browser.session())?.user.id).toBe(userId)
    expect(userId).toMatch(/^usr_/)
    expect(await sessionsOf(userId)).toHaveLength(1)
    expect(await auditedEvents(userId)).toEqual(['sign_in'])
    expect((await countedSignIns()) - before).toBe(1)
    expect(events).toEqual(['createUser', 'signIn'])
    expect(lastLogEntry('signin_repeated').userId).toBe(userId)
    expect(second.cookieNames('provider')).toHaveLength(1)
    expect(second.cookieNames('known')).toHaveLength(1)
    // Signing out of one signs out of the other.
    await browser.post('/api/auth/signout', {})
    expect(await second.session()).toBeNull()
  })

  it('[Q1] leads to the same session if two tabs send it at the same time, and one the link', async () => {
    const { sent, events, service, browser: open } = countingService()
    const browser = open()
    const page = await requestMessage(browser, newAddress())
    const code = sent[0]?.token ?? ''

    const tabs = [1, 2, 3].map(() => new Browser(service).withCookiesOf(browser))
    const responses = await Promise.all([
      ...tabs.slice(0, 2).map((tab) => tab.post(page, { code })),
      followLink(tabs[2] ?? browser, sent[0]?.url),
    ])

    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
    const userIds = await Promise.all(tabs.map(async (tab) => (await tab.session())?.user.id))
    expect(new Set(userIds).size).toBe(1)
    expect(await sessionsOf(userIds[0])).toHaveLength(1)
    expect(await auditedEvents(userIds[0])).toEqual(['sign_in'])
    expect(events).toEqual(['createUser', 'signIn'])
  })

  it('[Q1] waits for the first request', async () => {
    const paused = pauseBeforeOpeningSession()
    const { sent, events, service, browser: open } = countingService({ USERS: paused.users })
    const browser = open()
    const page = await requestMessage(browser, newAddress())
    const code = sent[0]?.token ?? ''
    const second = new Browser(service).withCookiesOf(browser)

    const first = browser.post(page, { code })
    await paused.isReached
    const response = second.post(page, { code })
    await new Promise((resolve) => setTimeout(resolve, 200))
    paused.resume()

    expect((await response).status).toBe(200)
    expect((await first).status).toBe(200)
    expect((await second.session())?.user).toEqual((await browser.session())?.user)
    expect(events).toEqual(['createUser', 'signIn'])
  })

  it('continues an authorization request', async () => {
    const { sent, service, browser: open } = emailService()
    const browser = open()
    const start = await browser.get(await new RelyingApp().authorizationUrl())
    const signInPage = await (await browser.get(redirectUrl(start).href.slice(LOGIN.length))).text()
    const form = { ...Object.fromEntries(hiddenFields(signInPage)), email: newAddress() }
    const page = redirectUrl(await browser.post('/api/auth/signin/email', form)).pathname
    const code = sent[0]?.token ?? ''
    const second = new Browser(service).withCookiesOf(browser)
    await browser.post(page, { code })

    const finished = await second.post(page, { code })
    const response = await second.get((await continueUrl(finished)).slice(LOGIN.length))

    expect(redirectUrl(response).searchParams.get('code')).toMatch(/^ac_/)
  })

  it('adds the address once, and confirms it twice', async () => {
    const { sent, events, service } = countingService()
    const { browser, userId } = await signInNewUser(new Browser(service))
    const link = await linkAddress(browser, 'email')
    const form = hiddenFields(await (await browser.get(link, OWN_PAGE)).text())
    const page = await requestMessage(browser, newAddress(), Object.fromEntries(form))
    const code = sent[0]?.token ?? ''
    const second = new Browser(service).withCookiesOf(browser)

    const urls = [
      await continueUrl(await browser.post(page, { code })),
      await continueUrl(await second.post(page, { code })),
    ]

    expect(urls[0]).toContain('/account?done=linked')
    expect(urls[1]).toBe(urls[0])
    expect(
      (await auditedEvents(userId)).filter((event) => event === 'account_linked'),
    ).toHaveLength(1)
    expect(events.filter((name) => name === 'linkAccount')).toHaveLength(1)
  })

  it('is rejected after a minute', async () => {
    const { sent, browser: open } = emailService()
    const browser = open()
    const page = await requestMessage(browser, newAddress())
    const code = sent[0]?.token ?? ''
    const response = await browser.post(page, { code })
    advanceClock(MINUTE)

    const repeated = await browser.post(page, { code })

    expect(await errorCode(repeated)).toBe('attempt_missing')
    const attempt = response.headers.getSetCookie().find((cookie) => cookie.includes('.attempt.'))
    expect(attempt).toContain('Max-Age=60')
  })

  it('does not sign in again after a sign-out', async () => {
    onTestFinished(skipWaits())
    const { sent, service, browser: open } = emailService()
    const browser = open()
    const page = await requestMessage(browser, newAddress())
    const code = sent[0]?.token ?? ''
    const second = new Browser(service).withCookiesOf(browser)
    await browser.post(page, { code })
    await browser.post('/api/auth/signout', {})

    const responses = await Promise.all([browser, second].map((tab) => tab.post(page, { code })))

    for (const response of responses) expect(await errorCode(response)).toBe('attempt_missing')
    expect(await browser.session()).toBeNull()
    expect(await second.session()).toBeNull()
  })

  it('[U2] cannot be guessed meanwhile', async () => {
    const { sent, service, browser: open } = emailService()
    const browser = open()
    const page = await requestMessage(browser, newAddress())
    const code = sent[0]?.token ?? ''
    const thieves = Array.from({ length: 6 }, () => new Browser(service).withCookiesOf(browser))
    await browser.post(page, { code })

    const guesses = [...Array(5).fill(wrongCode(code)), code]
    for (const [index, guess] of guesses.entries()) {
      const response = await thieves[index]?.post(page, { code: guess })
      expect(await errorCode(response ?? new Response())).toBe('attempt_missing')
    }

    expect(thieves.flatMap((thief) => thief.cookieNames('session'))).toEqual([])
    expect(await browser.session()).not.toBeNull()
  })

  it('does not evade callbacks.signIn, which is called once', async () => {
    onTestFinished(skipWaits())
    let calls = 0
    const signIn = () => {
      calls += 1
      return false
    }
    const { sent, service, browser: open } = emailService({}, { callbacks: { signIn } })
    const browser = open()
    const page = await requestMessage(browser, newAddress())
    const code = sent[0]?.token ?? ''
    const second = new Browser(service).withCookiesOf(browser)

    const responses = await Promise.all([browser, second].map((tab) => tab.post(page, { code })))

    const codes = await Promise.all(responses.map(errorCode))
    expect(codes.toSorted()).toEqual(['attempt_missing', 'not_allowed'])
    expect(calls).toBe(1)
    expect([browser, second].flatMap((tab) => tab.cookieNames('session'))).toEqual([])
  })
})
