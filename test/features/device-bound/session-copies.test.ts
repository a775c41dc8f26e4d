import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { Browser } from '../../browser.ts'
import { advanceClock, HOUR, MINUTE } from '../../clock.ts'
import { RelyingApp } from '../../core/oidc/relying-app.ts'
import { hiddenFields } from '../../html.ts'
import { recordCopies } from '../../storage.ts'
import {
  bindAndUse,
  bindSession,
  boundService,
  copyOf,
  createKey,
  register,
  renew,
  SESSION_COOKIE,
  sign,
  signIn,
} from './bound-browser.ts'

const kiosk = new RelyingApp('kiosk', boundService())

describe('a copy in KV', () => {
  it('is not made in the two minutes in which a session can be bound', async () => {
    const { SESSIONS, keys } = recordCopies()
    const { browser, challenge } = await signIn(new Browser(boundService({ SESSIONS })))
    await browser.json('/api/auth/session?token=false')
    await browser.session()
    expect(keys).toEqual([])

    await register(browser, await sign(await createKey(), challenge))
    await copyOf(browser, [SESSION_COOKIE], boundService({ SESSIONS })).get('/account')
    expect(keys).toEqual([])
  })

  it('is made later of a session that is not bound, as without the feature', async () => {
    const { SESSIONS, keys } = recordCopies()
    const { browser } = await signIn(new Browser(boundService({ SESSIONS })))
    advanceClock(2 * MINUTE)

    await browser.json('/api/auth/session?token=false')

    expect(keys).toHaveLength(1)
    expect(keys[0]).toMatch(/^s:[\w-]+$/)
  })

  it('is only found with the proof, and deleted with the session', async () => {
    const { SESSIONS, keys } = recordCopies()
    const { browser } = await bindAndUse(new Browser(boundService({ SESSIONS })))
    await browser.json('/api/auth/session?token=false')
    expect(keys.length).toBeGreaterThan(0)
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toMatch(/^s:[\w-]+\.[\w-]+$/)

    const thief = copyOf(browser, [SESSION_COOKIE])
    advanceClock(2 * MINUTE)
    expect(await thief.json('/api/auth/session?token=false')).toBeNull()
    const other = await signInElsewhere(browser)
    await other.post('/account/sessions', { sid: 'others' })
    expect(await env.SESSIONS.get(keys[0] ?? '')).toBeNull()
  })

  it('is deleted when the user signs out without the proof', async () => {
    const { SESSIONS, keys } = recordCopies()
    const { browser } = await bindAndUse(new Browser(boundService({ SESSIONS })))
    await browser.json('/api/auth/session?token=false')
    expect(await env.SESSIONS.get(keys[0] ?? '')).not.toBeNull()

    await copyOf(browser, [SESSION_COOKIE]).post('/api/auth/signout', {})

    expect(await env.SESSIONS.get(keys[0] ?? '')).toBeNull()
  })

  /** The same user in another browser, with the recorded handle. */
  async function signInElsewhere(browser: Browser): Promise<Browser> {
    const session = await browser.session()
    const { name } = session?.user ?? {}
    const other = new Browser(boundService())
    await other.signIn(String(session?.user.username ?? name), { prompt: 'login' })
    return other
  }
})

describe('a session that is not bound', () => {
  it('is valid with the session cookie alone', async () => {
    const { browser } = await signIn()
    const copy = copyOf(browser, [SESSION_COOKIE])

    for (const wait of [0, 2 * MINUTE, HOUR]) {
      advanceClock(wait)
      expect(await copy.session(), `after ${wait} seconds`).not.toBeNull()
    }
  })

  it('stays valid until the first request with the bound cookie', async () => {
    const { browser } = await bindSession()
    const copy = copyOf(browser, [SESSION_COOKIE])
    advanceClock(HOUR)
    expect(await copy.session()).not.toBeNull()

    // The browser has got the response, as its renewal shows.
    const bound = await bindSession()
    const second = copyOf(bound.browser, [SESSION_COOKIE])
    advanceClock(HOUR)
    await renew(bound.browser, bound)
    expect(await second.session()).toBeNull()
  })
})

describe('a page that is open while the session is bound', () => {
  it('accepts its form', async () => {
    const { browser, challenge } = await signIn()
    const page = await browser.get(await kiosk.authorizationUrl())
    const fields = Object.fromEntries(hiddenFields(await page.text()))
    await register(browser, await sign(await createKey(), challenge))
    await browser.session()

    const decided = await browser.post('/oidc/consent', { ...fields, answer: 'approve' })

    const next = /url=([^"]+)/i.exec(decided.headers.get('Refresh') ?? '')?.[1] ?? ''
    const response = await browser.get(next, { 'Sec-Fetch-Site': 'same-origin' })
    expect(response.headers.get('Location')).toMatch(/^https:\/\/kiosk\.example\/callback\?code=/)
  })
})
