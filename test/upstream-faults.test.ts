import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { Browser, logLines, serviceWith, standIn } from './browser.ts'

const TOKEN = '/v2/oauth/token/'
const USER_INFO = '/v2/user/info/'

/** A sign-in that meets this fault, and what became of it. */
async function signInWith(fault: Record<string, unknown>, persona = 'mia') {
  const browser = new Browser()
  await standIn.fault(fault)
  const response = await browser.signIn(persona)
  const page = await response.text()
  return {
    status: response.status,
    page,
    code: page.match(/<dt>Code<\/dt><dd>(\w+)<\/dd>/)?.[1],
    session: await browser.session(),
  }
}

describe('a platform in trouble', () => {
  it('[P1] is asked at the addresses of the configuration, whatever the request says', async () => {
    const browser = new Browser()
    const elsewhere = 'https%3A%2F%2F169.254.169.254%2Flatest'
    const start = await browser.get(
      `/api/auth/signin/tiktok?token=${elsewhere}&wellKnown=${elsewhere}&redirect_uri=${elsewhere}&authorization=${elsewhere}`,
    )
    const authorization = new URL(start.headers.get('Location') ?? '')
    await browser.get(`${await browser.approve(authorization, 'mia')}&token_endpoint=${elsewhere}`)

    expect(authorization.origin).toBe('https://www.tiktok.com')
    expect(authorization.href).not.toContain('169.254')
    const asked = (await standIn.log()).map(({ path }) => path)
    expect(asked).toEqual(['/v2/auth/authorize/', TOKEN, USER_INFO])
  })

  it('[P2][P3] takes no address from any request or answer, so there is none to guard', async () => {
    const { session } = await signInWith({
      path: TOKEN,
      set: { userinfo_endpoint: 'http://10.0.0.1/', jwks_uri: 'http://10.0.0.1/' },
    })

    expect(session).not.toBeNull()
    expect((await standIn.log()).map(({ path }) => path)).not.toContain('/')
  })

  it('[P4] that hangs, before or in its answer, is waited for five seconds', {
    timeout: 20_000,
  }, async () => {
    const started = Date.now()
    const results = [
      await signInWith({ path: TOKEN, delayMs: 8000 }),
      await signInWith({ path: TOKEN, kind: 'drip' }),
    ]

    for (const { status, code, session } of results) {
      expect({ status, code, session }).toEqual({
        status: 503,
        code: 'provider_unavailable',
        session: null,
      })
    }
    expect(Date.now() - started).toBeGreaterThan(9000)
  })

  it.each([TOKEN, USER_INFO])(
    '[P5] that answers without end at %s is cut off at 64 KiB',
    async (path) => {
      const { status, code, session } = await signInWith({ path, kind: 'endless', times: 2 })

      expect({ status, code, session }).toEqual({
        status: 502,
        code: 'provider_invalid',
        session: null,
      })
    },
  )

  it.each([TOKEN, USER_INFO])('[P6] that redirects at %s is not followed', async (path) => {
    const { code, session } = await signInWith({ path, kind: 'redirect', times: 2 })

    expect({ code, session }).toEqual({ code: expect.stringMatching(/^provider_/), session: null })
    const asked = (await standIn.log()).map((entry) => entry.path)
    expect(asked.filter((one) => one !== path && one !== TOKEN)).toEqual(['/v2/auth/authorize/'])
  })

  it.each([
    { kind: 'truncated-json' },
    { kind: 'empty' },
    { kind: 'json-array' },
    { body: '<!doctype html><h1>Oops</h1>', contentType: 'text/html' },
    { body: 'null', contentType: 'application/json' },
    { body: '"text"', contentType: 'application/json' },
    { body: '{}', contentType: 'application/json' },
    { body: '\u0000\uFFFF', contentType: 'application/json' },
  ])('[P7] that answers nonsense gets a clean error: %o', async (fault) => {
    for (const path of [TOKEN, USER_INFO]) {
      const { status, code, session } = await signInWith({ path, ...fault, times: 2 })

      expect({ path, status, code, session }).toEqual({
        path,
        status: 502,
        code: 'provider_invalid',
        session: null,
      })
    }
  })

  it.each([
    'deep-json',
    'duplicate-keys',
    'proto-key',
    'bom',
    'expires-in-string',
    'scope-reordered',
    'www-authenticate',
  ])('[P7] that answers oddly but well (%s) is understood or refused cleanly', async (kind) => {
    const { status, session } = await signInWith({ path: TOKEN, kind })

    expect([302, 502]).toContain(status)
    expect(session === null).toBe(status !== 302)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  it('[P7] may say nothing of the data it was asked for', async () => {
    const { code } = await signInWith({ path: USER_INFO, kind: 'missing-data' })

    expect(code).toBe('provider_invalid')
  })

  it.each([429, 500, 502, 503])(
    '[P8] is asked for the profile once more after %i',
    async (status) => {
      const { session } = await signInWith({
        path: USER_INFO,
        status,
        body: '',
        contentType: 'text/plain',
      })

      expect(session).toMatchObject({ user: { name: 'Mia Lindqvist' } })
      expect(await standIn.countRequests(USER_INFO)).toBe(2)
    },
  )

  it.each([429, 500, 502, 503])(
    '[P8] is shown a code once, even if it answers %i',
    async (status) => {
      const { code, session, page } = await signInWith({
        path: TOKEN,
        status,
        body: '',
        contentType: 'text/plain',
      })

      expect({ code, session }).toEqual({ code: 'provider_unavailable', session: null })
      expect(await standIn.countRequests(TOKEN)).toBe(1)
      expect(page).toContain('Try again')
    },
  )

  it('[P8] whose connection breaks is a platform that does not answer', async () => {
    const { code } = await signInWith({ path: TOKEN, kind: 'reset' })

    expect(code).toMatch(/^provider_(invalid|unavailable)$/)
    expect(await standIn.countRequests(TOKEN)).toBe(1)
  })

  it('[P8] asks people and programs alike to come back in a moment', async () => {
    const browser = new Browser()
    const callback = await browser.approve(await browser.start(), 'mia')
    await standIn.fault({ path: TOKEN, kind: 'html-502' })

    const response = await browser.get(callback, { Accept: 'application/json' })

    expect(response.headers.get('Retry-After')).toBe('10')
    expect(await response.json()).toMatchObject({ error: 'provider_unavailable' })
  })

  it('[O10] never sees its words on our pages', async () => {
    const marker = 'UPSTREAM-MARKER-7781'
    const { page } = await signInWith({
      path: TOKEN,
      body: { error: 'invalid_client', error_description: marker, log_id: 'LOG1' },
    })

    expect(page).not.toContain(marker)
    expect(page).toContain('provider_refused')
    expect(logLines.join('\n')).toContain('"logId":"LOG1"')
  })

  it('[CVE-2022-31186] never brings our client secret into the log', async () => {
    await signInWith({ path: TOKEN, body: { error: 'invalid_client', log_id: 'LOG2' } })

    expect(logLines.join('\n')).not.toContain('5yQ0cVnB7sTzKp3HgXwE9mRdU2fLaJ6o')
  })

  it.each(['7200', 0, -1, 1e12, 1.5, null])(
    '[P12] may say odd things about expiry: %j',
    async (expires_in) => {
      const { status, session } = await signInWith({ path: TOKEN, set: { expires_in } })

      expect([302, 502]).toContain(status)
      expect(session === null).toBe(status !== 302)
    },
  )

  it('[P12] may leave expiry out', async () => {
    expect((await signInWith({ path: TOKEN, without: 'expires_in' })).status).toBe(302)
  })

  it.each([
    ['bearer', 302],
    ['BEARER', 302],
    ['mac', 502],
    ['', 502],
  ])('[P13] may call its token "%s"', async (token_type, status) => {
    expect((await signInWith({ path: TOKEN, set: { token_type } })).status).toBe(status)
  })

  it.each(['first', 'second'])(
    '[P14] may know one of two secrets while they are replaced: the %s',
    async (known) => {
      const real = env.AUTH_TIKTOK_SECRET
      const other = 'Nx5cV8bM2kL7qW4eR9tY1uI6oP3aS0dF'
      const secrets =
        known === 'first'
          ? { AUTH_TIKTOK_SECRET: real, AUTH_TIKTOK_SECRET_1: other }
          : { AUTH_TIKTOK_SECRET: other, AUTH_TIKTOK_SECRET_1: real }
      const browser = new Browser(serviceWith(secrets))

      expect((await browser.signIn('mia')).status).toBe(302)
      expect(await standIn.countRequests(TOKEN)).toBe(known === 'first' ? 1 : 2)
    },
  )

  it('[P14] that knows neither secret is asked no third time', async () => {
    const browser = new Browser(
      serviceWith({
        AUTH_TIKTOK_SECRET: 'Wrong5cV8bM2kL7qW4eR9tY1uI6o',
        AUTH_TIKTOK_SECRET_1: 'Worse5cV8bM2kL7qW4eR9tY1uI6o',
      }),
    )

    expect(await (await browser.signIn('mia')).text()).toContain('provider_refused')
    expect(await standIn.countRequests(TOKEN)).toBe(2)
  })

  it('[P15] that bans a person later ends no session of ours, and lets them in no more', async () => {
    await standIn.post('users', { handle: 'banned-later' })
    const browser = new Browser()
    await browser.signIn('banned-later')
    await standIn.post('users', { handle: 'banned-later', standing: 'banned' })

    expect(await browser.session()).not.toBeNull()
    expect((await new Browser().signIn('banned-later')).status).toBe(403)
  })
})
