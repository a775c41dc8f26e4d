import { afterEach, describe, expect, it, vi } from 'vitest'
import { Browser } from '../../browser.ts'
import { advanceClock } from '../../clock.ts'
import { signedIn } from '../oidc/relying-app.ts'
import { signInOnPage } from '../oidc/user-steps.ts'
import {
  ConformanceClient,
  LONG_STATE,
  RESPONSE_MODES,
  type ResponseMode,
} from './conformance-client.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** Signs in, runs a first code flow, and lets ten seconds pass. */
async function signedInTenSecondsAgo(mode: ResponseMode) {
  const browser = await signedIn()
  const client = new ConformanceClient(mode)
  const { id_token: idToken = '' } = await client.tokens(browser)
  const { payload } = await client.verifyIdToken(idToken)
  advanceClock(10)
  return { browser, idToken, subject: payload.sub, authTime: Number(payload['auth_time']) }
}

describe.each(RESPONSE_MODES)('the Basic plan with response_mode=%s: sign-in', (mode) => {
  it.each([
    ['oidcc-prompt-login', { prompt: 'login' }],
    ['oidcc-max-age-1', { max_age: '1' }],
  ])('[A17] %s: requires a new sign-in, whose time is in the ID token', async (_, changes) => {
    const { browser, subject, authTime } = await signedInTenSecondsAgo(mode)
    const client = new ConformanceClient(mode)

    const response = await signInOnPage(browser, await client.authorize(browser, changes))

    const tokens = await client.redeem(await client.readResponse(response))
    const { payload } = await client.verifyIdToken(tokens.id_token)
    expect(payload.sub).toBe(subject)
    expect(payload['auth_time']).toBeGreaterThan(authTime)
    expect(payload['auth_time']).toBeGreaterThan(Date.now() / 1000 - 60)
  })

  it('[A15] oidcc-prompt-none-not-logged-in: returns an error with the unchanged state', async () => {
    const client = new ConformanceClient(mode)

    const response = await client.authorize(new Browser(), { prompt: 'none', state: LONG_STATE })

    expect((await client.readResponse(response.clone())).get('state')).toBe(LONG_STATE)
    expect(['login_required', 'interaction_required']).toContain(await client.readError(response))
  })

  it.each([
    ['oidcc-prompt-none-logged-in', { prompt: 'none' }],
    ['oidcc-max-age-10000', { max_age: '10000' }],
  ])('%s: returns a code without a sign-in, for the same user and time', async (_, changes) => {
    const { browser, subject, authTime } = await signedInTenSecondsAgo(mode)
    const client = new ConformanceClient(mode)

    const tokens = await client.tokens(browser, changes)

    const { payload } = await client.verifyIdToken(tokens.id_token)
    expect(payload['auth_time']).toEqual(expect.any(Number))
    expect([payload.sub, payload['auth_time']]).toEqual([subject, authTime])
  })

  it('[A19] oidcc-id-token-hint: returns a code without a sign-in for the user of the hint', async () => {
    const { browser, idToken, subject } = await signedInTenSecondsAgo(mode)
    const client = new ConformanceClient(mode)

    const tokens = await client.tokens(browser, { prompt: 'none', id_token_hint: idToken })

    expect((await client.verifyIdToken(tokens.id_token)).payload.sub).toBe(subject)
  })
})
