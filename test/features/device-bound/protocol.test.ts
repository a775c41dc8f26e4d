import { env } from 'cloudflare:workers'
import { exportJWK, generateKeyPair } from 'jose'
import { describe, expect, it } from 'vitest'
import { Browser, serviceOf } from '../../browser.ts'
import { advanceClock, HOUR, MINUTE } from '../../clock.ts'
import { interceptCalls } from '../../intercept-calls.ts'
import {
  bindAndUse,
  bindSession,
  boundService,
  copyOf,
  createKey,
  type Instructions,
  offeredChallenge,
  PROOF_COOKIE,
  refresh,
  refreshChallenge,
  register,
  renew,
  SESSION_COOKIE,
  sign,
  signIn,
} from './bound-browser.ts'
import { boundWith } from './bound-deployment.ts'

describe('the response that opens a session', () => {
  it('offers the registration of a key', async () => {
    const { response } = await signIn()

    expect(response.headers.get('Secure-Session-Registration')).toMatch(
      /^\(ES256 RS256\);path="\/api\/auth\/device-bound\/registration";challenge="[\w-]+"$/,
    )
  })

  it('is the only one that does', async () => {
    const { browser } = await signIn()

    for (const path of ['/account', '/api/auth/session', '/api/auth/signin', '/']) {
      expect(offeredChallenge(await browser.get(path)), path).toBeUndefined()
    }
  })
})

describe('POST /api/auth/device-bound/registration', () => {
  it.each(['ES256', 'RS256'])('binds the session to a key for %s', async (alg) => {
    const { browser, challenge } = await signIn()
    const key = await createKey(alg)

    const response = await register(browser, await sign(key, challenge))

    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      session_identifier: expect.stringMatching(/^[\w-]+$/),
      refresh_url: '/api/auth/device-bound/refresh',
      scope: { include_site: false },
      credentials: [
        {
          type: 'cookie',
          name: PROOF_COOKIE,
          attributes: 'Path=/; Secure; HttpOnly; SameSite=Lax',
        },
      ],
      allowed_refresh_initiators: expect.any(Array),
    })
    expect(await browser.session()).toMatchObject({ user: {} })
  })

  it('accepts a JWT in quotes, without any cookie', async () => {
    const { challenge } = await signIn()
    const token = await sign(await createKey(), challenge)

    const response = await register(new Browser(boundService()), `"${token}"`)

    expect(response.status).toBe(200)
  })

  const invalid: Record<string, (challenge: string) => Promise<string>> = {
    'no JWT': async () => 'x',
    'an empty JWT': async () => '',
    'a challenge that nobody has sealed': async () => sign(await createKey(), 'challenge'),
    'a challenge of a refresh': async () => {
      const { browser, id } = await bindSession()
      return sign(await createKey(), refreshChallenge(await refresh(browser, id)))
    },
    'the id of a session as the challenge': async () =>
      sign(await createKey(), (await bindSession()).id),
    'another type': async (challenge) =>
      sign(await createKey(), challenge, { header: { typ: 'dpop+jwt' } }),
    'an algorithm that is not offered': async (challenge) =>
      sign(await createKey('PS256'), challenge),
    'no key': async (challenge) =>
      sign(await createKey(), challenge, { header: { jwk: undefined } }),
    'a key that did not sign it': async (challenge) =>
      sign(await createKey(), challenge, { header: { jwk: (await createKey()).jwk } }),
    'a private key': async (challenge) => {
      const { privateKey } = await generateKeyPair('ES256', { extractable: true })
      const jwk = await exportJWK(privateKey)
      return sign({ alg: 'ES256', privateKey, jwk }, challenge)
    },
    'a signature that was changed': async (challenge) => {
      const token = await sign(await createKey(), challenge)
      return token.slice(0, -4) + (token.endsWith('AAAA') ? 'BBBB' : 'AAAA')
    },
    'no signature': async (challenge) => {
      const [, payload] = (await sign(await createKey(), challenge)).split('.')
      const header = btoa(JSON.stringify({ alg: 'none', typ: 'dbsc+jwt' })).replaceAll('=', '')
      return `${header}.${payload}.`
    },
    'an expired JWT': async (challenge) =>
      sign(await createKey(), challenge, { payload: { exp: 1 } }),
    'a long JWT': async (challenge) =>
      sign(await createKey(), challenge, { payload: { x: 'x'.repeat(5000) } }),
    'two challenges': async (challenge) =>
      sign(await createKey(), challenge, { payload: { jti: [challenge, challenge] } }),
  }

  it.each(Object.keys(invalid))('refuses %s, without a call of storage', async (name) => {
    const { browser, challenge } = await signIn()
    const token = (await invalid[name]?.(challenge)) ?? ''
    const calls: string[] = []
    const USERS = interceptCalls(env.TEST_BOUND_USERS, async (perform, { method }) => {
      calls.push(method)
      return perform()
    })

    const response = await register(copyOf(browser, [], boundService({ USERS })), token)

    expect(response.status).toBe(400)
    expect(response.headers.getSetCookie()).toEqual([])
    expect(calls).toEqual([])
    // The right answer is still accepted.
    expect((await register(browser, await sign(await createKey(), challenge))).status).toBe(200)
  })

  it('refuses a second registration of a session', async () => {
    const { browser, challenge, key } = await bindSession()

    for (const other of [key, await createKey()]) {
      const thief = copyOf(browser, [SESSION_COOKIE])
      const response = await register(thief, await sign(other, challenge))
      expect(response.status).toBe(400)
      expect(thief.cookies.has(PROOF_COOKIE)).toBe(false)
    }
  })

  it('accepts the challenge for two minutes', async () => {
    const early = await signIn()
    const late = await signIn()
    const token = await sign(await createKey(), early.challenge)
    const lateToken = await sign(await createKey(), late.challenge)

    advanceClock(2 * MINUTE - 5)
    expect((await register(early.browser, token)).status).toBe(200)
    advanceClock(6)
    expect((await register(late.browser, lateToken)).status).toBe(400)
  })

  it('refuses a session that has ended', async () => {
    const { browser, challenge } = await signIn()
    const token = await sign(await createKey(), challenge)
    await browser.post('/api/auth/signout', {})

    expect((await register(browser, token)).status).toBe(400)
  })

  it('is not needed by a browser that lost the response', async () => {
    const { browser, challenge } = await signIn()
    await register(copyOf(browser), await sign(await createKey(), challenge))

    for (const wait of [0, 3 * MINUTE, HOUR]) {
      advanceClock(wait)
      expect(await browser.session(), `after ${wait} seconds`).not.toBeNull()
    }
  })
})

describe('POST /api/auth/device-bound/refresh', () => {
  it('renews the bound cookie after a challenge, as often as the browser asks', async () => {
    const { browser, id, key } = await bindAndUse()

    for (let round = 0; round < 3; round += 1) {
      advanceClock(HOUR)
      expect(await browser.session()).toBeNull()
      const challenged = await refresh(browser, id)
      expect(challenged.status).toBe(403)
      const response = await refresh(browser, id, await sign(key, refreshChallenge(challenged)))
      expect(response.status).toBe(200)
      expect(await response.json<Instructions>()).toMatchObject({ session_identifier: id })
      expect(await browser.session()).not.toBeNull()
    }
  })

  it('needs no other cookie, and accepts values in quotes', async () => {
    const { id, key } = await bindAndUse()
    const browser = new Browser(boundService())

    const challenge = refreshChallenge(await refresh(browser, `"${id}"`))
    const token = await sign(key, challenge, { header: { jwk: undefined } })
    const response = await refresh(browser, `"${id}"`, `"${token}"`)

    expect(response.status).toBe(200)
    expect(browser.cookies.has(PROOF_COOKIE)).toBe(true)
  })

  it('calls the object of the user once, with the signed request', async () => {
    const { id, key } = await bindAndUse()
    const calls: string[] = []
    const USERS = interceptCalls(env.TEST_BOUND_USERS, async (perform, { method }) => {
      calls.push(method)
      return perform()
    })

    await renew(new Browser(boundService({ USERS })), { id, key })

    expect(calls).toEqual(['proveKey'])
  })

  type Bound = Awaited<ReturnType<typeof bindAndUse>>
  const forged: Record<string, (bound: Bound) => Promise<[id: string, token?: string]>> = {
    'no id': async () => [''],
    'an id that nobody has sealed': async () => ['x'.repeat(80)],
    'a changed id': async ({ id }) => [
      `${id.slice(0, 9)}${id[9] === 'A' ? 'B' : 'A'}${id.slice(10)}`,
    ],
    'the bound cookie as the id': async ({ browser }) => [browser.cookies.get(PROOF_COOKIE) ?? ''],
    'the session cookie as the id': async ({ browser }) => [
      browser.cookies.get(SESSION_COOKIE) ?? '',
    ],
    'no JWT': async ({ id }) => [id, 'x'],
    'a challenge that nobody has sealed': async ({ id, key }) => [id, await sign(key, 'x')],
    'a challenge of another session': async ({ id, key }) => {
      const other = await bindAndUse()
      return [id, await sign(key, refreshChallenge(await refresh(other.browser, other.id)))]
    },
    'the challenge of its registration': async ({ id, key, challenge }) => [
      id,
      await sign(key, challenge),
    ],
  }

  it.each(Object.keys(forged))('refuses %s, without a call of storage', async (name) => {
    const session = await bindAndUse()
    const [id, token] = (await forged[name]?.(session)) ?? ['']
    const calls: string[] = []
    const USERS = interceptCalls(env.TEST_BOUND_USERS, async (perform, { method }) => {
      calls.push(method)
      return perform()
    })
    const thief = new Browser(boundService({ USERS }))

    const response = await refresh(thief, id, token)

    expect(response.status).toBe(400)
    expect(response.headers.getSetCookie()).toEqual([])
    expect(calls).toEqual([])
  })

  it.each(['another key', 'another type', 'an algorithm of another key'])(
    'refuses %s, and the session continues',
    async (name) => {
      const { browser, id, key } = await bindAndUse()
      const challenge = refreshChallenge(await refresh(browser, id))
      const token =
        name === 'another type'
          ? await sign(key, challenge, { header: { typ: 'JWT' } })
          : await sign(await createKey(name === 'another key' ? 'ES256' : 'RS256'), challenge)
      const thief = new Browser(boundService())

      const response = await refresh(thief, id, token)

      expect(response.status).toBe(400)
      expect(thief.cookies.size).toBe(0)
      expect((await renew(browser, { id, key })).status).toBe(200)
    },
  )

  it('refuses a challenge that was used, and sends another one', async () => {
    const { browser, id, key } = await bindAndUse()
    const token = await sign(key, refreshChallenge(await refresh(browser, id)))
    expect((await refresh(browser, id, token)).status).toBe(200)
    const thief = new Browser(boundService())

    const response = await refresh(thief, id, token)

    expect(response.status).toBe(403)
    expect(thief.cookies.size).toBe(0)
    // As a browser does that has lost the response.
    const next = await refresh(browser, id, await sign(key, refreshChallenge(response)))
    expect(next.status).toBe(200)
  })

  it('accepts one of two proofs of the same challenge that arrive together', async () => {
    const { browser, id, key } = await bindAndUse()
    const token = await sign(key, refreshChallenge(await refresh(browser, id)))

    const responses = await Promise.all([1, 2, 3].map(() => refresh(browser, id, token)))

    expect(responses.map(({ status }) => status).sort()).toEqual([200, 403, 403])
  })

  it('sends another challenge for one that is older than two minutes', async () => {
    const { browser, id, key } = await bindAndUse()
    const token = await sign(key, refreshChallenge(await refresh(browser, id)))
    advanceClock(2 * MINUTE + 1)

    const response = await refresh(browser, id, token)

    expect(response.status).toBe(403)
    expect(refreshChallenge(response)).not.toBe('')
  })

  it.each(['sign-out', 'sign-in again'])('ends in the browser after a %s', async (name) => {
    const { browser, id, key, handle } = await bindAndUse()
    if (name === 'sign-out') await browser.post('/api/auth/signout', {})
    else await signIn(browser, handle)

    const response = await renew(browser, { id, key })

    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ session_identifier: id, continue: false })
    expect(response.headers.getSetCookie()).toEqual([])
  })

  it('answers 503 over a limit, without a call of storage', async () => {
    const { id, key, browser } = await bindAndUse()
    const token = await sign(key, refreshChallenge(await refresh(browser, id)))
    const calls: string[] = []
    const USERS = interceptCalls(env.TEST_BOUND_USERS, async (perform, { method }) => {
      calls.push(method)
      return perform()
    })
    const USER_RATE_LIMIT = { limit: async () => ({ success: false }) }
    const limited = new Browser(boundService({ USERS, USER_RATE_LIMIT }))
    const network = { 'CF-Connecting-IP': '192.0.2.1' }

    for (const response of [
      await refresh(limited, id),
      await refresh(limited, id, token),
      await refresh(limited, 'x', undefined, network),
      await register(limited, token, network),
    ]) {
      expect(response.status).toBe(503)
      expect(response.headers.get('Retry-After')).toBe('10')
    }
    expect(calls).toEqual([])
  })

  it('answers 503 while storage fails, and the session continues', async () => {
    const { id, key, browser } = await bindAndUse()
    const token = await sign(key, refreshChallenge(await refresh(browser, id)))
    const USERS = interceptCalls(env.TEST_BOUND_USERS, async () => {
      throw new Error('The object is overloaded.')
    })

    const response = await refresh(new Browser(boundService({ USERS })), id, token)

    expect(response.status).toBe(503)
    expect((await refresh(browser, id, token)).status).toBe(200)
  })
})

describe('a failed proof of a valid session', () => {
  async function auditedEvents(userId: string) {
    const { results } = await env.DIRECTORY.prepare(
      "SELECT event, detail FROM audit WHERE subject = ? AND event = 'session_proof_refused'",
    )
      .bind(userId)
      .all()
    return results
  }

  async function failProof(browser: Browser, id: string) {
    const challenge = refreshChallenge(await refresh(browser, id))
    return refresh(browser, id, await sign(await createKey(), challenge))
  }

  it('is in the audit log, once an hour', async () => {
    const { browser, id, userId, key } = await bindAndUse()

    await failProof(browser, id)
    await failProof(browser, id)
    expect(await auditedEvents(userId)).toEqual([
      { event: 'session_proof_refused', detail: 'refresh' },
    ])

    advanceClock(HOUR)
    await failProof(browser, id)
    expect(await auditedEvents(userId)).toHaveLength(2)
    expect((await renew(browser, { id, key })).status).toBe(200)
  })

  it('is in the audit log if it is a second registration', async () => {
    const { browser, challenge } = await bindSession()
    const session = await browser.session()

    await register(browser, await sign(await createKey(), challenge))

    expect(await auditedEvents(session?.user.id ?? '')).toEqual([
      { event: 'session_proof_refused', detail: 'registration' },
    ])
  })

  it('ends the session if the deployment wants that', async () => {
    const ending = serviceOf(boundWith({ endOnFailedProof: true }), { USERS: env.TEST_BOUND_USERS })
    const { browser, id, key } = await bindAndUse(new Browser(ending))

    expect((await failProof(browser, id)).status).toBe(400)

    expect(await browser.session()).toBeNull()
    expect(await (await renew(browser, { id, key })).json()).toMatchObject({ continue: false })
  })
})

describe('deviceBound()', () => {
  it('keeps the bound cookie for as long as its option says, also after a renewal', async () => {
    const service = boundService({}, boundWith({ cookieLifetime: 180 }))
    const { browser, id, key, response } = await bindSession(new Browser(service))
    await browser.session()
    const renewed = await renew(browser, { id, key })

    for (const { headers } of [response, renewed]) {
      const cookie = headers.getSetCookie().find((line) => line.startsWith(PROOF_COOKIE))
      expect(cookie).toMatch(/; Max-Age=180\b/)
    }
  })

  it.each([179, 3601, 600.5, Number.NaN])('refuses a cookie for %s seconds', (cookieLifetime) => {
    expect(() => boundWith({ cookieLifetime })).toThrow('from 180 to 3600 seconds')
  })
})
