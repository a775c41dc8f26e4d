import { afterEach, describe, expect, it, vi } from 'vitest'
import { Browser } from '../browser.ts'
import { signedIn } from '../oidc/relying-app.ts'
import { Certifier, later, RESPONSE_MODES, signInThere } from './certifier.ts'

afterEach(() => {
  vi.useRealTimers()
})

describe.each(RESPONSE_MODES)('the Basic plan in %s: who is signed in', (mode) => {
  /** What a first request of somebody who is signed in is answered. */
  async function before(browser: Browser) {
    const { id_token = '' } = await new Certifier(mode).tokens(browser)
    const { payload } = await new Certifier(mode).verify(id_token)
    return { idToken: id_token, subject: payload.sub, authTime: Number(payload['auth_time']) }
  }

  it.each([
    ['oidcc-prompt-login', { prompt: 'login' }],
    ['oidcc-max-age-1', { max_age: '1' }],
  ])('[A17] %s: wants a new sign-in, of which the ID token tells', async (_, changes) => {
    const browser = await signedIn()
    const first = await before(browser)
    later(10)
    const certifier = new Certifier(mode)

    const answered = await signInThere(browser, await certifier.ask(browser, changes))

    const tokens = await certifier.redeem(await certifier.receive(answered))
    const { payload } = await certifier.verify(tokens.id_token)
    expect(payload.sub).toBe(first.subject)
    expect(payload['auth_time']).toBeGreaterThan(first.authTime)
    expect(payload['auth_time']).toBeGreaterThan(Date.now() / 1000 - 60)
  })

  it('[A15] oidcc-prompt-none-not-logged-in: an error and nothing else, with the state as it came', async () => {
    const certifier = new Certifier(mode)
    const state = 's'.repeat(128)

    const response = await certifier.ask(new Browser(), { prompt: 'none', state })

    expect((await certifier.receive(response.clone())).get('state')).toBe(state)
    expect(['login_required', 'interaction_required']).toContain(await certifier.refusal(response))
  })

  it.each([
    ['oidcc-prompt-none-logged-in', { prompt: 'none' }],
    ['oidcc-max-age-10000', { max_age: '10000' }],
  ])('%s: answers at once, for the same person and sign-in', async (_, changes) => {
    const browser = await signedIn()
    const first = await before(browser)
    later(10)
    const certifier = new Certifier(mode)

    const tokens = await certifier.tokens(browser, changes)

    const { payload } = await certifier.verify(tokens.id_token)
    expect(payload['auth_time']).toEqual(expect.any(Number))
    expect([payload.sub, payload['auth_time']]).toEqual([first.subject, first.authTime])
  })

  it('[A19] oidcc-id-token-hint: answers silently for whom the hint is about', async () => {
    const browser = await signedIn()
    const first = await before(browser)
    const certifier = new Certifier(mode)

    const tokens = await certifier.tokens(browser, {
      prompt: 'none',
      id_token_hint: first.idToken,
    })

    expect((await certifier.verify(tokens.id_token)).payload.sub).toBe(first.subject)
  })
})
