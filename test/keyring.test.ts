import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { decodeProtectedHeader, type JSONWebKeySet } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Browser, LOGIN, logLines, serviceWith } from './browser.ts'

const DAY = 24 * 3600 * 1000

const keyring = () => env.KEYRING.get(env.KEYRING.idFromName('keyring'))

/** A keyring of its own, for what would disturb the others. */
const newKeyring = () => env.KEYRING.get(env.KEYRING.newUniqueId())

function statesOf({ keys }: Awaited<ReturnType<ReturnType<typeof keyring>['read']>>) {
  return keys.map(({ alg, state }) => `${alg} ${state}`)
}

function moveTo(time: number) {
  vi.useFakeTimers({ now: time, toFake: ['Date'] })
}

afterEach(() => {
  vi.useRealTimers()
})

describe('the keyring', () => {
  it('makes one set of keys under 100 parallel first requests (openauth#322)', async () => {
    const fresh = newKeyring()
    const service = serviceWith({ KEYRING: { idFromName: () => 'any', get: () => fresh } })

    const answers = await Promise.all(
      Array.from({ length: 100 }, () =>
        new Browser(service).json<JSONWebKeySet>('/.well-known/jwks.json'),
      ),
    )

    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(statesOf(await fresh.read())).toEqual([
      'ES256 active',
      'ES256 next',
      'RS256 active',
      'RS256 next',
    ])
  })

  it('makes one set of keys when 100 isolates ask at once', async () => {
    const fresh = newKeyring()

    const states = await Promise.all(Array.from({ length: 100 }, () => fresh.read()))

    expect(new Set(states.map(({ keys }) => keys.map(({ kid }) => kid).join())).size).toBe(1)
    expect(states[0]?.keys).toHaveLength(4)
  })

  it('[I6] publishes the next key before it signs, and the old one until its last token has expired', async () => {
    const fresh = newKeyring()
    const start = await fresh.read()
    const nextOf = (state: typeof start) =>
      state.keys.find((key) => key.alg === 'ES256' && key.state === 'next')?.kid
    const activeOf = (state: typeof start) =>
      state.keys.find((key) => key.alg === 'ES256' && key.state === 'active')?.kid

    moveTo(start.rotatesAt * 1000 + 1000)
    expect(await runDurableObjectAlarm(fresh)).toBe(true)
    const rotated = await fresh.read()
    expect(activeOf(rotated)).toBe(nextOf(start))
    expect(rotated.keys.find(({ kid }) => kid === activeOf(start))?.state).toBe('retired')
    expect(rotated.keys).toHaveLength(6)

    expect(rotated.keys.find(({ kid }) => kid === activeOf(start))?.sealedPrivateJwk).toBe('')

    moveTo(start.rotatesAt * 1000 + 29 * DAY)
    expect((await fresh.read()).keys.map(({ kid }) => kid)).toContain(activeOf(start))

    moveTo(start.rotatesAt * 1000 + 32 * DAY)
    expect(await runDurableObjectAlarm(fresh)).toBe(true)
    expect((await fresh.read()).keys.map(({ kid }) => kid)).not.toContain(activeOf(start))
  })

  it('[Q9] rotates once, however often its alarm rings', async () => {
    const fresh = newKeyring()
    const start = await fresh.read()
    moveTo(start.rotatesAt * 1000 + 1000)

    await runInDurableObject(fresh, (object) =>
      Promise.all([object.alarm(), object.alarm(), object.alarm()]),
    )

    expect((await fresh.read()).keys).toHaveLength(6)
  })

  it('[O1] keeps private parts sealed, and hands out nothing else', async () => {
    const { keys } = await keyring().read()
    const stored = await runInDurableObject(keyring(), (_, { storage }) => [
      ...storage.sql.exec('SELECT * FROM keys'),
    ])

    for (const { publicJwk } of keys) expect(Object.keys(publicJwk)).not.toContain('d')
    expect(JSON.stringify([keys, stored])).not.toMatch(/"(d|p|q|dp|dq|qi)":/)
  })

  it('starts anew when no secret opens it any more, and lets APIs verify what it signed before', async () => {
    const fresh = newKeyring()
    const before = await fresh.read()
    await runInDurableObject(fresh, (_, { storage }) => {
      storage.sql.exec("UPDATE keys SET sealed_private_jwk = 'sealed-with-a-lost-secret'")
    })

    const after = await fresh.read()

    const kids = after.keys.map(({ kid }) => kid)
    expect(kids).toEqual(expect.arrayContaining(before.keys.map(({ kid }) => kid)))
    expect(after.keys.filter(({ state }) => state === 'active')).toHaveLength(2)
    expect(after.keys.filter(({ state }) => state === 'retired')).toHaveLength(4)
  })

  it('never waits for an answer that somebody else was waiting for', async () => {
    const real = keyring()
    let reads = 0
    const KEYRING = {
      idFromName: () => 'any',
      // The first request is cut off while it waits: its answer never comes.
      get: () => ({ read: () => (++reads === 1 ? new Promise(() => {}) : real.read()) }),
    }
    const service = serviceWith({ KEYRING })
    void new Browser(service).get('/.well-known/jwks.json')

    expect((await new Browser(service).get('/.well-known/jwks.json')).status).toBe(200)
  })

  it('[Q9] is mended when it has lost its alarm or its active keys', async () => {
    const fresh = newKeyring()
    await fresh.read()
    await runInDurableObject(fresh, async (_, { storage }) => {
      await storage.deleteAlarm()
      storage.sql.exec("DELETE FROM keys WHERE state = 'active'")
    })

    const { keys } = await fresh.read()

    expect(keys.filter(({ state }) => state === 'active')).toHaveLength(2)
    await runInDurableObject(fresh, async (_, { storage }) => {
      expect(await storage.getAlarm()).not.toBeNull()
    })
  })

  it('[Q9] tries again in an hour when a rotation fails', async () => {
    const fresh = newKeyring()
    const start = await fresh.read()
    moveTo(start.rotatesAt * 1000 + 1000)

    await runInDurableObject(fresh, async (object, { storage }) => {
      const settings = object['env'] as unknown as Record<string, unknown>
      Object.defineProperty(object, 'env', { value: { ...settings, AUTH_SECRET: '' } })
      await object.alarm()
      expect(await storage.getAlarm()).toBe(start.rotatesAt * 1000 + 1000 + 3_600_000)
    })
    expect(logLines.at(-1)).toContain('keyring_stuck')
  })

  it('goes on with the keys it knows while its object is out of reach', async () => {
    const real = keyring()
    let isDown = false
    const KEYRING = {
      idFromName: () => 'any',
      get: () => (isDown ? { read: () => Promise.reject(new Error('overloaded')) } : real),
    }
    const browser = new Browser(serviceWith({ KEYRING }))
    await browser.signIn('mia')
    expect(await browser.session()).not.toBeNull()

    isDown = true
    moveTo(Date.now() + 600_000)

    expect(await browser.session()).not.toBeNull()
    expect((await browser.get('/.well-known/jwks.json')).status).toBe(200)
  })

  it('[Q6] is missed with 503, and asked again by the next request', async () => {
    const real = keyring()
    let isDown = true
    const KEYRING = {
      idFromName: () => 'any',
      get: () => (isDown ? { read: () => Promise.reject(new Error('overloaded')) } : real),
    }
    const browser = new Browser(serviceWith({ KEYRING }))

    const missed = await browser.get('/.well-known/jwks.json')
    expect(missed.status).toBe(503)
    expect(missed.headers.get('Retry-After')).toBe('10')
    isDown = false
    expect((await browser.get('/.well-known/jwks.json')).status).toBe(200)
  })
})

describe('GET /.well-known/jwks.json', () => {
  it('[I4] holds public parts only, named by their thumbprint', async () => {
    const { keys } = await new Browser().json<JSONWebKeySet>('/.well-known/jwks.json')

    expect(keys.length).toBeGreaterThanOrEqual(4)
    for (const key of keys) {
      expect(key).toMatchObject({ use: 'sig', kid: expect.stringMatching(/^[\w-]{43}$/) })
      expect(['ES256', 'RS256']).toContain(key.alg)
      expect(Object.keys(key)).not.toEqual(expect.arrayContaining(['d']))
      if (key.alg === 'RS256') expect(key.n?.length).toBeGreaterThanOrEqual(342)
    }
  })

  it('[I5] may be read by everybody and kept for five minutes', async () => {
    const browser = new Browser()
    const response = await browser.get('/.well-known/jwks.json', {
      Origin: 'https://anybody.example',
    })

    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(response.headers.get('Access-Control-Allow-Credentials')).toBeNull()
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=300')
    const etag = response.headers.get('ETag') ?? ''
    expect((await browser.get('/.well-known/jwks.json', { 'If-None-Match': etag })).status).toBe(
      304,
    )
  })

  it('[E1][E2] is where the key of a session token is found', async () => {
    const browser = new Browser()
    await browser.signIn('mia')
    const header = decodeProtectedHeader((await browser.session())?.token ?? '')
    const { keys } = await browser.json<JSONWebKeySet>('/.well-known/jwks.json')

    expect(Object.keys(header).toSorted()).toEqual(['alg', 'kid', 'typ'])
    expect(keys.find(({ kid }) => kid === header.kid)?.alg).toBe('ES256')
  })

  it('[I2] says what the configuration says, whatever host is asked', async () => {
    const browser = new Browser(undefined, 'https://evil.example')
    const mia = new Browser()
    await mia.signIn('mia')

    const answer = await browser.json<Record<string, { callbackUrl: string }>>(
      '/api/auth/providers',
      {
        'X-Forwarded-Host': 'evil.example',
      },
    )

    expect(answer['tiktok']?.callbackUrl).toBe(`${LOGIN}/api/auth/callback/tiktok`)
  })
})
