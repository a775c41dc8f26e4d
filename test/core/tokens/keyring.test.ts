import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { decodeProtectedHeader, type JSONWebKeySet } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { Browser, LOGIN, logLines, serviceWith } from '../../browser.ts'
import { advanceClock, DAY, HOUR, MINUTE, setClock, stopClock } from '../../clock.ts'
import { reuseRsaKeys } from '../../reused-rsa-keys.ts'

beforeEach(reuseRsaKeys)

/** The keyring that the service uses. */
const sharedKeyring = () => env.KEYRING.get(env.KEYRING.idFromName('keyring'))

/** A separate keyring, for tests that would disturb others. */
const newKeyring = () => env.KEYRING.get(env.KEYRING.newUniqueId())

/** A keyring binding that returns this object. */
const bindingTo = (getObject: () => object) => ({ idFromName: () => 'any', get: getObject })

const overloaded = { read: () => Promise.reject(new Error('overloaded')) }

/** Runs the alarm in a deployment without a secret. Returns when it runs again. */
function runMisconfiguredAlarm(keyring: ReturnType<typeof newKeyring>): Promise<number | null> {
  return runInDurableObject(keyring, async (object, { storage }) => {
    const settings = object['env'] as unknown as Record<string, unknown>
    Object.defineProperty(object, 'env', { value: { ...settings, AUTH_SECRET: '' } })
    await object.alarm()
    return storage.getAlarm()
  })
}

describe('the keyring', () => {
  it('creates one set of keys for 100 parallel first requests (openauth#322)', async () => {
    const keyring = newKeyring()
    const service = serviceWith({ KEYRING: bindingTo(() => keyring) })

    const keySets = await Promise.all(
      Array.from({ length: 100 }, () =>
        new Browser(service).json<JSONWebKeySet>('/.well-known/jwks.json'),
      ),
    )

    expect(new Set(keySets.map((keySet) => JSON.stringify(keySet))).size).toBe(1)
    const keys = await keyring.read()
    expect(keys.map(({ alg, state }) => `${alg} ${state}`)).toEqual([
      'ES256 active',
      'ES256 next',
      'RS256 active',
      'RS256 next',
    ])
  })

  it('creates one set of keys when 100 isolates read it at the same time', async () => {
    const keyring = newKeyring()

    const keySets = await Promise.all(Array.from({ length: 100 }, () => keyring.read()))

    expect(new Set(keySets.map((keys) => keys.map(({ kid }) => kid).join())).size).toBe(1)
    expect(keySets[0]).toHaveLength(4)
  })

  it('[I6] publishes a key before it signs with it, and until its last token has expired', async () => {
    const keyring = newKeyring()
    const start = await keyring.read()
    const { rotatesAt } = await keyring.list()
    const kidOf = (keyState: 'next' | 'active', keys = start) =>
      keys.find((key) => key.alg === 'ES256' && key.state === keyState)?.kid
    const firstKid = kidOf('active')

    setClock(rotatesAt + 1)
    expect(await runDurableObjectAlarm(keyring)).toBe(true)
    const rotated = await keyring.read()
    expect(kidOf('active', rotated)).toBe(kidOf('next'))
    expect(rotated.find(({ kid }) => kid === firstKid)?.state).toBe('retired')
    expect(rotated).toHaveLength(6)
    expect(rotated.find(({ kid }) => kid === firstKid)?.sealedPrivateJwk).toBe('')

    setClock(rotatesAt + 29 * DAY)
    expect((await keyring.read()).map(({ kid }) => kid)).toContain(firstKid)

    setClock(rotatesAt + 32 * DAY)
    expect(await runDurableObjectAlarm(keyring)).toBe(true)
    expect((await keyring.read()).map(({ kid }) => kid)).not.toContain(firstKid)
  })

  it('[I6] removes a retired key when its last token has expired, and not with the next rotation', async () => {
    const keyring = newKeyring()
    const [first] = await keyring.read()
    const nextAlarm = () => runInDurableObject(keyring, (_, { storage }) => storage.getAlarm())
    const runAlarm = async () => {
      setClock(Number(await nextAlarm()) / 1000)
      await runDurableObjectAlarm(keyring)
    }
    await runAlarm()
    const { keys } = await keyring.list()
    const { removedAt = 0 } = keys.find(({ kid }) => kid === first?.kid) ?? {}

    while (Number(await nextAlarm()) <= removedAt * 1000) await runAlarm()

    expect(removedAt).toBeGreaterThan(0)
    expect((await keyring.read()).map(({ kid }) => kid)).not.toContain(first?.kid)
  })

  it('[Q9] rotates once when its alarm runs several times', async () => {
    const keyring = newKeyring()
    const { rotatesAt } = await keyring.list()
    setClock(rotatesAt + 1)

    await runInDurableObject(keyring, (object) =>
      Promise.all([object.alarm(), object.alarm(), object.alarm()]),
    )

    expect(await keyring.read()).toHaveLength(6)
  })

  it('[O1] stores and returns private keys sealed only', async () => {
    const keys = await sharedKeyring().read()

    const stored = await runInDurableObject(sharedKeyring(), (_, { storage }) => [
      ...storage.sql.exec('SELECT * FROM keys'),
    ])

    for (const { publicJwk } of keys) expect(Object.keys(publicJwk)).not.toContain('d')
    expect(JSON.stringify([keys, stored])).not.toMatch(/"(d|p|q|dp|dq|qi)":/)
  })

  it('creates new keys when no secret opens the old ones, and still publishes the old ones', async () => {
    const keyring = newKeyring()
    const before = await keyring.read()
    await runInDurableObject(keyring, (_, { storage }) => {
      storage.sql.exec("UPDATE keys SET sealed_private_jwk = 'sealed-with-a-lost-secret'")
    })

    const after = await keyring.read()
    const kids = after.map(({ kid }) => kid)
    expect(kids).toEqual(expect.arrayContaining(before.map(({ kid }) => kid)))
    expect(after.filter(({ state }) => state === 'active')).toHaveLength(2)
    const retired = after.filter(({ state }) => state === 'retired')
    expect(retired).toHaveLength(4)
    // A retired key never signs again, so nothing is left to steal.
    expect(retired.map(({ sealedPrivateJwk }) => sealedPrivateJwk)).toEqual(['', '', '', ''])
  })

  it('[Q1] creates new keys once when several isolates find that no secret opens the old ones', async () => {
    const keyring = newKeyring()

    const keySets = await runInDurableObject(keyring, (object, { storage }) => {
      storage.sql.exec("UPDATE keys SET sealed_private_jwk = 'sealed-with-a-lost-secret'")
      return Promise.all([object.read(), object.read(), object.read()])
    })

    for (const keys of [...keySets, await keyring.read()]) {
      expect(keys.map(({ state }) => state).sort()).toEqual([
        ...['active', 'active', 'next', 'next'],
        ...['retired', 'retired', 'retired', 'retired'],
      ])
    }
  })

  it('does not publish keys for longer that were retired before a secret was lost', async () => {
    stopClock()
    const keyring = newKeyring()
    setClock((await keyring.list()).rotatesAt)
    await runDurableObjectAlarm(keyring)
    const retired = (await keyring.list()).keys.filter(({ state }) => state === 'retired')
    expect(retired).toHaveLength(2)
    advanceClock(DAY)
    await runInDurableObject(keyring, (_, { storage }) => {
      storage.sql.exec("UPDATE keys SET sealed_private_jwk = 'sealed-with-a-lost-secret'")
    })

    await keyring.read()

    expect((await keyring.list()).keys).toEqual(expect.arrayContaining(retired))
  })

  it('does not make one request wait for the read of another', async () => {
    let reads = 0
    // The first request is cancelled while it waits: its read never returns.
    const KEYRING = bindingTo(() => ({
      read: () => (++reads === 1 ? new Promise(() => {}) : sharedKeyring().read()),
    }))
    const service = serviceWith({ KEYRING })
    void new Browser(service).get('/.well-known/jwks.json')

    const response = await new Browser(service).get('/.well-known/jwks.json')

    expect(response.status).toBe(200)
  })

  it('[I6] is read again after a minute, so that every isolate uses new keys in time', async () => {
    let reads = 0
    const KEYRING = bindingTo(() => ({
      read: () => {
        reads += 1
        return sharedKeyring().read()
      },
    }))
    const browser = new Browser(serviceWith({ KEYRING }))
    await browser.signIn('mia')
    stopClock()
    const readsAfter = async (seconds: number) => {
      advanceClock(seconds)
      await browser.session()
      return reads
    }

    expect([await readsAfter(0), await readsAfter(25), await readsAfter(MINUTE)]).toEqual([1, 1, 2])
  })

  it('is read again after the clock was set back, because the age of a copy is then unknown', async () => {
    let reads = 0
    const KEYRING = bindingTo(() => ({
      read: () => {
        reads += 1
        return sharedKeyring().read()
      },
    }))
    const browser = new Browser(serviceWith({ KEYRING }))
    await browser.signIn('mia')
    stopClock()
    const readsAfter = async (seconds: number) => {
      advanceClock(seconds)
      await browser.session()
      return reads
    }

    expect([await readsAfter(HOUR), await readsAfter(-HOUR), await readsAfter(1)]).toEqual([
      1, 2, 2,
    ])
  })

  it('is at most five seconds old when it is published', async () => {
    let reads = 0
    const KEYRING = bindingTo(() => ({
      read: () => {
        reads += 1
        return sharedKeyring().read()
      },
    }))
    const browser = new Browser(serviceWith({ KEYRING }))
    stopClock()
    const readsAfter = async (seconds: number) => {
      advanceClock(seconds)
      await browser.get('/.well-known/jwks.json')
      return reads
    }

    expect([await readsAfter(0), await readsAfter(4), await readsAfter(1)]).toEqual([1, 1, 2])
  })

  it('[Q9] repairs itself when its alarm or its active keys are missing', async () => {
    const keyring = newKeyring()
    await keyring.read()
    await runInDurableObject(keyring, async (_, { storage }) => {
      await storage.deleteAlarm()
      storage.sql.exec("DELETE FROM keys WHERE state = 'active'")
    })

    const keys = await keyring.read()

    expect(keys.filter(({ state }) => state === 'active')).toHaveLength(2)
    await runInDurableObject(keyring, async (_, { storage }) => {
      expect(await storage.getAlarm()).not.toBeNull()
    })
  })

  it('[Q9] plans the next rotation again when its alarm is missing', async () => {
    const keyring = newKeyring()
    const { rotatesAt } = await keyring.list()

    await runInDurableObject(keyring, async (object, state) => {
      await state.storage.deleteAlarm()
      Reflect.construct(object.constructor, [state, env])
    })

    const alarm = await runInDurableObject(keyring, (_, { storage }) => storage.getAlarm())
    expect(alarm).toBe(rotatesAt * 1000)
  })

  it('[Q9] repairs itself when the active key of one algorithm is missing', async () => {
    const keyring = newKeyring()
    await runInDurableObject(keyring, (_, { storage }) => {
      storage.sql.exec("DELETE FROM keys WHERE state = 'active' AND alg = 'RS256'")
    })

    const keys = await keyring.read()

    const active = keys.filter(({ state }) => state === 'active')
    expect(active.map(({ alg }) => alg)).toEqual(['ES256', 'RS256'])
  })

  it('[Q9] retries a failed rotation after an hour', async () => {
    const keyring = newKeyring()
    const { rotatesAt } = await keyring.list()
    setClock(rotatesAt + 1)

    expect(await runMisconfiguredAlarm(keyring)).toBe((rotatesAt + 1 + HOUR) * 1000)

    expect(logLines.at(-1)).toContain('keyring_rotation_failed')
  })

  it('[I6] removes a retired key on time, although rotations fail', async () => {
    const keyring = newKeyring()
    const [first] = await keyring.read()
    const { rotatesAt } = await keyring.list()
    setClock(rotatesAt)
    await runDurableObjectAlarm(keyring)
    setClock(rotatesAt + 32 * DAY)

    await runMisconfiguredAlarm(keyring)

    expect(logLines.at(-1)).toContain('keyring_rotation_failed')
    expect((await keyring.list()).keys.map(({ kid }) => kid)).not.toContain(first?.kid)
  })

  it('is used from the cache while its object cannot be reached', async () => {
    let isDown = false
    const KEYRING = bindingTo(() => (isDown ? overloaded : sharedKeyring()))
    const browser = new Browser(serviceWith({ KEYRING }))
    await browser.signIn('mia')
    expect(await browser.session()).not.toBeNull()

    isDown = true
    advanceClock(10 * MINUTE)

    expect(await browser.session()).not.toBeNull()
    expect((await browser.get('/.well-known/jwks.json')).status).toBe(200)
  })

  it('[Q6] causes a 503 while it cannot be reached, and is read again by the next request', async () => {
    let isDown = true
    const KEYRING = bindingTo(() => (isDown ? overloaded : sharedKeyring()))
    const browser = new Browser(serviceWith({ KEYRING }))

    const failed = await browser.get('/.well-known/jwks.json')
    isDown = false
    const succeeded = await browser.get('/.well-known/jwks.json')

    expect(failed.status).toBe(503)
    expect(failed.headers.get('Retry-After')).toBe('10')
    expect(succeeded.status).toBe(200)
  })
})

describe('GET /.well-known/jwks.json', () => {
  it('[I4] contains public keys only, with their thumbprint as kid', async () => {
    const { keys } = await new Browser().json<JSONWebKeySet>('/.well-known/jwks.json')

    expect(keys.length).toBeGreaterThanOrEqual(4)
    for (const key of keys) {
      expect(key).toMatchObject({ use: 'sig', kid: expect.stringMatching(/^[\w-]{43}$/) })
      expect(['ES256', 'RS256']).toContain(key.alg)
      expect(Object.keys(key)).not.toEqual(expect.arrayContaining(['d']))
      if (key.alg === 'RS256') expect(key.n?.length).toBeGreaterThanOrEqual(342)
    }
  })

  it('[I5] can be read from any origin and cached for five minutes', async () => {
    const browser = new Browser()

    const response = await browser.get('/.well-known/jwks.json', {
      Origin: 'https://any.example',
    })

    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(response.headers.get('Access-Control-Allow-Credentials')).toBeNull()
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=300')
    const etag = response.headers.get('ETag') ?? ''
    expect((await browser.get('/.well-known/jwks.json', { 'If-None-Match': etag })).status).toBe(
      304,
    )
  })

  it('[E1][E2] contains the key of a session token', async () => {
    const browser = new Browser()
    await browser.signIn('mia')
    const header = decodeProtectedHeader((await browser.session())?.token ?? '')
    const { keys } = await browser.json<JSONWebKeySet>('/.well-known/jwks.json')

    expect(Object.keys(header).toSorted()).toEqual(['alg', 'kid', 'typ'])
    expect(keys.find(({ kid }) => kid === header.kid)?.alg).toBe('ES256')
  })
})

describe('GET /api/auth/providers', () => {
  it('[I2] uses the configured address, whatever the host of the request', async () => {
    const browser = new Browser(undefined, 'https://evil.example')

    const providers = await browser.json<Record<string, { callbackUrl: string }>>(
      '/api/auth/providers',
      { 'X-Forwarded-Host': 'evil.example' },
    )

    expect(providers['tiktok']?.callbackUrl).toBe(`${LOGIN}/api/auth/callback/tiktok`)
  })
})
