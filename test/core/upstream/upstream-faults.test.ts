import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import {
  Browser,
  logLines,
  serviceWith,
  standIn,
  TOKEN_PATH,
  USER_INFO_PATH,
} from '../../browser.ts'
import { errorCode } from '../../html.ts'
import { createPlatformUser } from '../../new-user.ts'
import { redirectUrl } from '../../redirect.ts'

/** A sign-in during which the platform has this fault. */
async function signInWith(fault: Record<string, unknown>, persona = 'mia') {
  const browser = new Browser()
  await standIn.fault(fault)
  const response = await browser.signIn(persona)
  return {
    status: response.status,
    code: await errorCode(response.clone()),
    page: await response.text(),
    session: await browser.session(),
  }
}

describe('the platform', () => {
  it('[P1] is called at the configured addresses only, whatever the request contains', async () => {
    const browser = new Browser()
    const internal = 'https%3A%2F%2F169.254.169.254%2Flatest'
    const start = await browser.get(
      `/api/auth/signin/tiktok?token=${internal}&wellKnown=${internal}&redirect_uri=${internal}&authorization=${internal}`,
    )
    const authorization = redirectUrl(start)

    await browser.get(`${await browser.approve(authorization, 'mia')}&token_endpoint=${internal}`)

    expect(authorization.origin).toBe('https://www.tiktok.com')
    expect(authorization.href).not.toContain('169.254')
    const calledPaths = (await standIn.log()).map(({ path }) => path)
    expect(calledPaths).toEqual(['/v2/auth/authorize/', TOKEN_PATH, USER_INFO_PATH])
  })

  it('[P2][P3] is not called at addresses from its own responses', async () => {
    const { session } = await signInWith({
      path: TOKEN_PATH,
      set: { userinfo_endpoint: 'http://10.0.0.1/', jwks_uri: 'http://10.0.0.1/' },
    })

    expect(session).not.toBeNull()
    expect((await standIn.log()).map(({ path }) => path)).not.toContain('/')
  })

  it('[P4] is waited for five seconds when it hangs, before or during the response', {
    timeout: 20_000,
  }, async () => {
    const faults = [
      { path: TOKEN_PATH, delayMs: 8000 },
      { path: TOKEN_PATH, kind: 'drip' },
    ]
    const started = Date.now()
    const results = await Promise.all(
      faults.map(async (fault) => ({
        ...(await signInWith(fault)),
        duration: Date.now() - started,
      })),
    )

    for (const { status, code, session, duration } of results) {
      expect({ status, code, session }).toEqual({
        status: 503,
        code: 'provider_unavailable',
        session: null,
      })
      expect(duration).toBeGreaterThan(4500)
    }
  })

  it.each([TOKEN_PATH, USER_INFO_PATH])(
    '[P5] is cut off at 64 KiB when its response from %s does not end',
    async (path) => {
      const { status, code, session } = await signInWith({ path, kind: 'endless', times: 2 })

      expect({ status, code, session }).toEqual({
        status: 502,
        code: 'provider_invalid',
        session: null,
      })
    },
  )

  it.each([TOKEN_PATH, USER_INFO_PATH])(
    '[P6] is not followed when it redirects from %s',
    async (path) => {
      const { code, session } = await signInWith({ path, kind: 'redirect', times: 2 })

      expect({ code, session }).toEqual({
        code: expect.stringMatching(/^provider_/),
        session: null,
      })
      const otherPaths = (await standIn.log())
        .map((entry) => entry.path)
        .filter((calledPath) => calledPath !== path && calledPath !== TOKEN_PATH)
      expect(otherPaths).toEqual(['/v2/auth/authorize/'])
    },
  )

  it.each([
    { kind: 'truncated-json' },
    { kind: 'empty' },
    { kind: 'json-array' },
    { body: '<!doctype html><h1>Oops</h1>', contentType: 'text/html' },
    { body: 'null', contentType: 'application/json' },
    { body: '"text"', contentType: 'application/json' },
    { body: '{}', contentType: 'application/json' },
    { body: '\u0000\uFFFF', contentType: 'application/json' },
  ])('[P7] causes an error page with a malformed response: %o', async (fault) => {
    for (const path of [TOKEN_PATH, USER_INFO_PATH]) {
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
  ])(
    '[P7] either signs the user in or causes an error page with an unusual response: %s',
    async (kind) => {
      const { status, session } = await signInWith({ path: TOKEN_PATH, kind })

      expect([302, 502]).toContain(status)
      expect(session === null).toBe(status !== 302)
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    },
  )

  it('[P7] causes an error page with a profile response without data', async () => {
    const { code } = await signInWith({ path: USER_INFO_PATH, kind: 'missing-data' })

    expect(code).toBe('provider_invalid')
  })

  it.each([429, 500, 502, 503])(
    '[P8] is sent the profile request again after status %i',
    async (status) => {
      const { session } = await signInWith({
        path: USER_INFO_PATH,
        status,
        body: '',
        contentType: 'text/plain',
      })

      expect(session).toMatchObject({ user: { name: 'Mia Lindqvist' } })
      expect(await standIn.countRequests(USER_INFO_PATH)).toBe(2)
    },
  )

  it.each([429, 500, 502, 503])(
    '[P8] is sent a code only once, even after status %i',
    async (status) => {
      const { code, session, page } = await signInWith({
        path: TOKEN_PATH,
        status,
        body: '',
        contentType: 'text/plain',
      })

      expect({ code, session }).toEqual({ code: 'provider_unavailable', session: null })
      expect(await standIn.countRequests(TOKEN_PATH)).toBe(1)
      expect(page).toContain('href="/api/auth/signin/tiktok?')
    },
  )

  it('[P8] is treated as unavailable when its connection is reset', async () => {
    const { code } = await signInWith({ path: TOKEN_PATH, kind: 'reset' })

    expect(code).toMatch(/^provider_(invalid|unavailable)$/)
    expect(await standIn.countRequests(TOKEN_PATH)).toBe(1)
  })

  it('[P8] causes a Retry-After header for scripts, too, when it is unavailable', async () => {
    const browser = new Browser()
    const callback = await browser.approve(await browser.start(), 'mia')
    await standIn.fault({ path: TOKEN_PATH, kind: 'html-502' })

    const response = await browser.get(callback, { Accept: 'application/json' })

    expect(response.headers.get('Retry-After')).toBe('10')
    expect(await response.json()).toMatchObject({ error: 'provider_unavailable' })
  })

  it('[O10] cannot put its error text on our pages', async () => {
    const marker = 'UPSTREAM-MARKER-7781'
    const { page } = await signInWith({
      path: TOKEN_PATH,
      body: { error: 'invalid_client', error_description: marker, log_id: 'LOG1' },
    })

    expect(page).not.toContain(marker)
    expect(page).toContain('provider_refused')
    expect(logLines.join('\n')).toContain('"logId":"LOG1"')
  })

  it('[CVE-2022-31186] does not cause our client secret to be logged when it rejects it', async () => {
    await signInWith({ path: TOKEN_PATH, body: { error: 'invalid_client', log_id: 'LOG2' } })

    expect(logLines.join('\n')).not.toContain('5yQ0cVnB7sTzKp3HgXwE9mRdU2fLaJ6o')
  })

  it.each(['7200', 0, -1, 1e12, 1.5, null])(
    '[P12] either signs the user in or causes an error page with expires_in %j',
    async (expires_in) => {
      const { status, session } = await signInWith({ path: TOKEN_PATH, set: { expires_in } })

      expect([302, 502]).toContain(status)
      expect(session === null).toBe(status !== 302)
    },
  )

  it('[P12] may leave out expires_in', async () => {
    const { status } = await signInWith({ path: TOKEN_PATH, without: 'expires_in' })

    expect(status).toBe(302)
  })

  it.each([
    ['bearer', 302],
    ['BEARER', 302],
    ['mac', 502],
    ['', 502],
  ])('[P13] with the token type "%s" causes status %i', async (token_type, status) => {
    const result = await signInWith({ path: TOKEN_PATH, set: { token_type } })

    expect(result.status).toBe(status)
  })

  it.each([
    [{ code: 'invalid_grant', message: 'x' }, 400],
    [{}, 502],
    [{ code: 'ok', message: '', log_id: '' }, 302],
  ])('with tokens and the error %j causes status %i', async (error, status) => {
    const result = await signInWith({ path: TOKEN_PATH, set: { error } })

    expect(result.status).toBe(status)
    expect(result.session === null).toBe(status !== 302)
  })

  it.each(['first', 'second'])(
    '[P14] may accept either of two configured secrets while they are replaced: the %s',
    async (accepted) => {
      const real = env.AUTH_TIKTOK_SECRET
      const other = 'Nx5cV8bM2kL7qW4eR9tY1uI6oP3aS0dF'
      const secrets =
        accepted === 'first'
          ? { AUTH_TIKTOK_SECRET: real, AUTH_TIKTOK_SECRET_1: other }
          : { AUTH_TIKTOK_SECRET: other, AUTH_TIKTOK_SECRET_1: real }

      const response = await new Browser(serviceWith(secrets)).signIn('mia')

      expect(response.status).toBe(302)
      expect(await standIn.countRequests(TOKEN_PATH)).toBe(accepted === 'first' ? 1 : 2)
    },
  )

  it('[P14] is called twice only when it accepts neither secret', async () => {
    const browser = new Browser(
      serviceWith({
        AUTH_TIKTOK_SECRET: 'Wrong5cV8bM2kL7qW4eR9tY1uI6o',
        AUTH_TIKTOK_SECRET_1: 'Worse5cV8bM2kL7qW4eR9tY1uI6o',
      }),
    )

    expect(await (await browser.signIn('mia')).text()).toContain('provider_refused')
    expect(await standIn.countRequests(TOKEN_PATH)).toBe(2)
  })

  it('[P15] prevents the next sign-in of a user it banned, but does not end a session', async () => {
    const handle = await createPlatformUser()
    const browser = new Browser()
    await browser.signIn(handle)
    await standIn.post('users', { handle, standing: 'banned' })

    expect(await browser.session()).not.toBeNull()
    const other = new Browser()
    expect(await (await other.signIn(handle)).text()).toContain('account_rejected')
    expect(await other.session()).toBeNull()
  })
})
