import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Browser, standIn } from '../../browser.ts'
import { advanceClock } from '../../clock.ts'
import { level } from '../../soak/level.ts'
import { handleContent } from './handle-content.ts'
import { RelyingApp, signedIn } from './relying-app.ts'

/** Each round of a race uses new codes or tokens; the browsers of a batch race side by side. */
const ROUNDS = level.races
const BROWSERS = Math.min(ROUNDS, 20)
const BATCHES = Math.ceil(ROUNDS / BROWSERS)

/** The maximum number of batches until each side has won once. */
const MAX_BATCHES = 17

/** Enough for a busy machine. */
const TIMEOUT = { timeout: 240_000 } // milliseconds

const REJECTED = { status: 400, error: 'invalid_grant' }

const app = new RelyingApp('shop')

afterEach(() => {
  vi.useRealTimers()
})

describe('a code', TIMEOUT, () => {
  it(`[C1][Q1] is redeemed once in each of ${ROUNDS} rounds`, async () => {
    const browsers = await inParallel(BROWSERS, () => signedIn())

    for (let batch = 0; batch < BATCHES; batch++)
      await Promise.all(browsers.map((browser) => raceForTokens(browser, 3)))
  })
})

describe('a refresh token', TIMEOUT, () => {
  it('[D3] has the same successor for a hundred parallel requests, and the session continues', async () => {
    const browser = await signedIn()

    const { successor } = await raceForSuccessor(browser, 100)

    expect(await refresh(successor)).toMatchObject({ status: 200 })
    expect(await browser.session()).not.toBeNull()
  })

  it(`[D3][D4][Q1][Q15] has one successor in each of ${ROUNDS} rounds, and ends its family when reused late`, async () => {
    const browsers = await inParallel(BROWSERS, () => signedIn())

    for (let batch = 0; batch < BATCHES; batch++) {
      const families = await Promise.all(browsers.map((browser) => raceForSuccessor(browser, 3)))
      advanceClock(10)
      await Promise.all(families.map(repeatWithinGracePeriod))
      advanceClock(11)
      await Promise.all(families.map(reuseAfterGracePeriod))
    }
  })
})

describe('a sign-out that races a refresh', TIMEOUT, () => {
  it(`[D8] ends all tokens in each of ${ROUNDS} rounds`, async () => {
    const winners = new Set<string>()

    // A few rounds may all end the same way, so the race continues until each side has won once.
    for (let batch = 0; batch < MAX_BATCHES; batch++) {
      if (batch >= BATCHES && winners.size === 2) break
      // The stand-in limits profile requests to six hundred a minute.
      await standIn.post('reset', {})
      const browsers = await inParallel(BROWSERS, () => signedIn())
      for (const winner of await Promise.all(browsers.map(raceSignOut))) winners.add(winner)
    }

    expect(winners).toEqual(new Set(['sign-out', 'refresh']))
  })
})

/** Sends one code in parallel requests, of which one receives tokens. */
async function raceForTokens(browser: Browser, requests: number): Promise<void> {
  const callback = await callbackFor(browser)

  const results = await inParallel(requests, () => redeem(callback))

  const losers = results.filter(({ status }) => status !== 200)
  expect(losers).toHaveLength(requests - 1)
  for (const result of losers) expect(result).toMatchObject(REJECTED)
}

/** The refresh tokens of one grant. */
interface Family {
  first: string
  successor: string
}

/** Sends one refresh token in parallel requests, which all receive the same successor. */
async function raceForSuccessor(browser: Browser, requests: number): Promise<Family> {
  const first = await refreshTokenFor(browser)

  const results = await inParallel(requests, () => refresh(first))

  const successor = results[0]?.refresh_token ?? ''
  expect(await handleContent(successor)).not.toEqual(await handleContent(first))
  for (const result of results) await expectSuccessor(result, successor)
  return { first, successor }
}

/** A client that lost the response repeats its request. */
async function repeatWithinGracePeriod({ first, successor }: Family): Promise<void> {
  await expectSuccessor(await refresh(first), successor)
}

/** The response contains the same refresh token as `successor`. */
async function expectSuccessor(
  result: { status: number; refresh_token?: string },
  successor: string,
): Promise<void> {
  expect(result).toMatchObject({ status: 200 })
  expect(await handleContent(result.refresh_token)).toEqual(await handleContent(successor))
}

/** A stolen old token is used while the client uses the new one: in either order, both end. */
async function reuseAfterGracePeriod({ first, successor }: Family): Promise<void> {
  const [reused, regular] = await Promise.all([refresh(first), refresh(successor)])

  expect(reused).toMatchObject(REJECTED)
  expect(await refresh(regular.refresh_token ?? successor)).toMatchObject(REJECTED)
}

/** Signs out during two refreshes, and returns which of them was first. */
async function raceSignOut(browser: Browser): Promise<'sign-out' | 'refresh'> {
  const token = await refreshTokenFor(browser)

  const [signedOut, ...results] = await Promise.all([
    waitRandomly().then(() => browser.post('/api/auth/signout', {})),
    waitRandomly().then(() => refresh(token)),
    waitRandomly().then(() => refresh(token)),
  ])

  expect(signedOut.ok).toBe(true)
  const latest = results.find(({ status }) => status === 200)?.refresh_token ?? token
  expect(await refresh(latest)).toMatchObject(REJECTED)
  return latest === token ? 'sign-out' : 'refresh'
}

/** Up to about the time of one request: without it, the first request sent always wins. */
async function waitRandomly(): Promise<void> {
  await scheduler.wait(Math.random() * 30)
}

/** Without openid: signing an ID token in every round would only take time. */
function callbackFor(browser: Browser): Promise<URL> {
  return app.callbackFor(browser, { scope: 'offline_access' })
}

async function refreshTokenFor(browser: Browser): Promise<string> {
  return (await redeem(await callbackFor(browser))).refresh_token ?? ''
}

interface TokenResult {
  status: number
  error?: string
  refresh_token?: string
}

function redeem(callback: URL): Promise<TokenResult> {
  return requestTokens(app.codeExchangeForm(callback))
}

function refresh(refresh_token: string): Promise<TokenResult> {
  return requestTokens({ grant_type: 'refresh_token', refresh_token })
}

async function requestTokens(form: Record<string, string>): Promise<TokenResult> {
  const response = await app.requestTokens(form)
  return { ...(await response.json<object>()), status: response.status }
}

function inParallel<T>(times: number, run: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: times }, run))
}
