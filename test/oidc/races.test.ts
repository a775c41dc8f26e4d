import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Browser, standIn } from '../browser.ts'
import { level } from '../soak/level.ts'
import { post, RelyingApp, signedIn } from './relying-app.ts'

/** Each round of a race uses new codes or tokens; the browsers of a batch race side by side. */
const ROUNDS = level.races
const BROWSERS = Math.min(ROUNDS, 20)
const BATCHES = Math.ceil(ROUNDS / BROWSERS)

/** How many batches a race may take until each side has won once. */
const MAX_BATCHES = 17

/** What the tests may take on a busy machine. */
const PATIENCE = { timeout: 240_000 } // milliseconds

const REFUSED = { status: 400, error: 'invalid_grant' }

const app = new RelyingApp('shop')

afterEach(() => {
  vi.useRealTimers()
})

describe('a code', PATIENCE, () => {
  it('[C1] works once when a hundred show it at once', async () => {
    await raceForTokens(await signedIn(), 100)
  })

  it(`[C1][Q1] works once in each of ${ROUNDS} rounds`, async () => {
    const browsers = await atOnce(BROWSERS, () => signedIn())

    for (let batch = 0; batch < BATCHES; batch++)
      await Promise.all(browsers.map((browser) => raceForTokens(browser, 3)))
  })
})

describe('a refresh token', PATIENCE, () => {
  it('[D3] gives a hundred callers at once the same successor, and signs nobody out', async () => {
    const browser = await signedIn()
    const { successor } = await raceForSuccessor(browser, 100)

    expect(await refresh(successor)).toMatchObject({ status: 200 })
    expect(await browser.session()).not.toBeNull()
  })

  it(`[D3][D4][Q1][Q15] has one successor in each of ${ROUNDS} rounds, and ends its grant when it is sent late`, async () => {
    const browsers = await atOnce(BROWSERS, () => signedIn())

    for (let batch = 0; batch < BATCHES; batch++) {
      const families = await Promise.all(browsers.map((browser) => raceForSuccessor(browser, 3)))
      later(10)
      await Promise.all(families.map(repeatAfterLostAnswer))
      later(11)
      await Promise.all(families.map(showLate))
    }
  })
})

describe('a logout that races a refresh', PATIENCE, () => {
  it(`[D8] leaves the user signed out in each of ${ROUNDS} rounds`, async () => {
    const winners = new Set<string>()

    // A few rounds may all end the same way, so it goes on until each side has been first once.
    for (let batch = 0; batch < MAX_BATCHES; batch++) {
      if (batch >= BATCHES && winners.size === 2) break
      // The platform counts who asks for profiles, and has enough of it after six hundred in a minute.
      await standIn.post('reset', {})
      const browsers = await atOnce(BROWSERS, () => signedIn())
      for (const winner of await Promise.all(browsers.map(raceLogout))) winners.add(winner)
    }

    // It was a race: each side was first at least once.
    expect(winners).toEqual(new Set(['logout', 'refresh']))
  })
})

/** So many show one code at once: one gets tokens. */
async function raceForTokens(browser: Browser, callers: number): Promise<void> {
  const code = await codeFor(browser)
  const answers = await atOnce(callers, () => redeem(code))

  const losers = answers.filter(({ status }) => status !== 200)
  expect(losers).toHaveLength(callers - 1)
  for (const answer of losers) expect(answer).toMatchObject(REFUSED)
}

interface Family {
  first: string
  successor: string
}

/** So many show one refresh token at once: all get the same successor. */
async function raceForSuccessor(browser: Browser, callers: number): Promise<Family> {
  const first = await tokenFor(browser)
  const answers = await atOnce(callers, () => refresh(first))

  const successor = answers[0]?.refresh_token ?? ''
  expect(successor).not.toBe(first)
  for (const answer of answers)
    expect(answer).toMatchObject({ status: 200, refresh_token: successor })
  return { first, successor }
}

/** Who never got the answer asks again within the grace, and is none the worse for it. */
async function repeatAfterLostAnswer({ first, successor }: Family): Promise<void> {
  expect(await refresh(first)).toMatchObject({ status: 200, refresh_token: successor })
}

/** A thief shows the old token after the grace, while its owner uses the new one: whoever is first, nothing is left. */
async function showLate({ first, successor }: Family): Promise<void> {
  const [late, used] = await Promise.all([refresh(first), refresh(successor)])

  expect(late).toMatchObject(REFUSED)
  expect(await refresh(used.refresh_token ?? successor)).toMatchObject(REFUSED)
}

/** Signs out while the app refreshes twice. Says who was first; what is left of it is nothing in any case. */
async function raceLogout(browser: Browser): Promise<'logout' | 'refresh'> {
  const token = await tokenFor(browser)
  const [signedOut, ...answers] = await Promise.all([
    hesitate().then(() => browser.post('/api/auth/signout', {})),
    hesitate().then(() => refresh(token)),
    hesitate().then(() => refresh(token)),
  ])

  expect(signedOut.ok).toBe(true)
  const latest = answers.find(({ status }) => status === 200)?.refresh_token ?? token
  expect(await refresh(latest)).toMatchObject(REFUSED)
  return latest === token ? 'logout' : 'refresh'
}

/** About as long as it takes to answer: without it, who is asked first is always first. */
async function hesitate(): Promise<void> {
  await scheduler.wait(Math.random() * 30)
}

async function codeFor(browser: Browser): Promise<string> {
  // Without openid: these races are about grants, and every ID token would be signed for nothing.
  const callback = await app.callback(browser, { scope: 'offline_access' })
  return callback.searchParams.get('code') ?? ''
}

async function tokenFor(browser: Browser): Promise<string> {
  return (await redeem(await codeFor(browser))).refresh_token ?? ''
}

interface Answer {
  status: number
  error?: string
  refresh_token?: string
}

function redeem(code: string): Promise<Answer> {
  return ask({
    grant_type: 'authorization_code',
    code,
    redirect_uri: app.redirectUri,
    code_verifier: app.verifier,
  })
}

function refresh(refresh_token: string): Promise<Answer> {
  return ask({ grant_type: 'refresh_token', refresh_token })
}

async function ask(form: Record<string, string>): Promise<Answer> {
  const response = await post('/oidc/token', { client_id: app.clientId, ...form })
  return { ...(await response.json<object>()), status: response.status }
}

function atOnce<T>(times: number, act: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: times }, act))
}

function later(seconds: number): void {
  vi.useFakeTimers({ now: Date.now() + seconds * 1000, toFake: ['Date'] })
}
