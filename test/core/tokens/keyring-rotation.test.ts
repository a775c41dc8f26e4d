import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { createLocalJWKSet, importJWK, type JWK, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { KeyringObject } from '../../../src/core/tokens/keyring-object.ts'
import { LOGIN, lastLogEntry } from '../../browser.ts'
import { advanceClock, DAY, MINUTE, setClock, stopClock } from '../../clock.ts'
import { configReaderWith, readConfig } from '../../deployment.ts'
import {
  type Isolate,
  isolateWith,
  newKeyring,
  PLANNED,
  REVOCATION,
} from '../../keyring-isolates.ts'
import { reuseRsaKeys } from '../../reused-rsa-keys.ts'
import {
  basic,
  bearer,
  formRequest,
  logoutUrl,
  OFFLINE_ACCESS,
  RelyingApp,
} from '../oidc/relying-app.ts'

beforeEach(reuseRsaKeys)

const kids = ({ keys }: { keys: { kid?: string }[] }) => keys.map(({ kid }) => kid)

/** Signs in, and returns every kind of token. */
async function issueTokens({ browser, service }: Isolate) {
  await browser.signIn('mia')
  const session = await browser.session()
  const relyingApp = new RelyingApp('web')
  const callback = await relyingApp.callbackFor(browser, OFFLINE_ACCESS)
  const form = relyingApp.codeExchangeForm(callback)
  const response = await service(formRequest('/oidc/token', form, basic('web')))
  expect(response.status).toBe(200)
  const tokens =
    await response.json<Record<'access_token' | 'id_token' | 'refresh_token', string>>()
  return { ...tokens, session: session?.token ?? '' }
}

async function isAcceptedByJose(isolate: Isolate, token: string): Promise<boolean> {
  const verified = jwtVerify(token, createLocalJWKSet(await isolate.jwks()), { issuer: LOGIN })
  return verified.then(
    () => true,
    () => false,
  )
}

async function userinfoStatus({ browser }: Isolate, accessToken: string): Promise<number> {
  return (await browser.get('/oidc/userinfo', bearer(accessToken))).status
}

async function auditEntries(subject: string) {
  const { results } = await env.DIRECTORY.prepare('SELECT * FROM audit WHERE subject = ?')
    .bind(subject)
    .all()
  return results
}

const activeKids = ({ keys }: { keys: { kid: string; state: string }[] }) =>
  keys.filter(({ state }) => state === 'active').map(({ kid }) => kid)

describe('a planned rotation', () => {
  it('[I6] signs with the published next keys, publishes new ones and retires the former ones', async () => {
    const isolate = isolateWith(newKeyring())
    const before = await isolate.list()
    advanceClock(DAY)
    const former = await issueTokens(isolate)

    const after = await isolate.rotate(PLANNED)

    const next = before.keys.filter(({ state }) => state === 'next').map(({ kid }) => kid)
    expect(activeKids(after)).toEqual(next)
    expect(after.keys.map(({ alg, state }) => `${alg} ${state}`)).toEqual([
      'ES256 retired',
      'ES256 active',
      'ES256 next',
      'RS256 retired',
      'RS256 active',
      'RS256 next',
    ])
    expect(kids(await isolate.jwks())).toEqual(kids(after))
    expect(await isAcceptedByJose(isolate, former.id_token)).toBe(true)
    const { token = '' } = (await isolate.browser.session()) ?? {}
    expect(await isAcceptedByJose(isolate, token)).toBe(true)
  })

  it('[I6] is rejected until verifiers have fetched the next keys, with the time when it is possible', async () => {
    const isolate = isolateWith(newKeyring())
    setClock(Date.UTC(2026, 10, 15, 11, 59, 20) / 1000)
    const { keys } = await isolate.list()

    await expect(isolate.rotate(PLANNED)).rejects.toMatchObject({
      name: 'RotationTooEarlyError',
      possibleAt: Date.UTC(2026, 10, 15, 12, 10, 20) / 1000,
      message: expect.stringContaining('rotate after 2026-11-15 12:11 UTC.'),
    })
    expect((await isolate.list()).keys).toEqual(keys)

    advanceClock(11 * MINUTE)
    await isolate.rotate(PLANNED)
    await expect(isolate.rotate(PLANNED)).rejects.toThrow('rotate after')
  })

  it('[R] is rejected while ten retired keys of an algorithm are published; a revocation is possible', async () => {
    const keyring = newKeyring()
    const isolate = isolateWith(keyring)
    const now = stopClock()
    await isolate.list()
    await addRetiredKeys(
      keyring,
      [2, 3, 4, 5, 6, 7, 8, 9, 10].map((days) => now + days * DAY),
    )
    advanceClock(11 * MINUTE)
    await isolate.rotate(PLANNED)
    advanceClock(11 * MINUTE)
    const { keys } = await isolate.list()
    expect(keys.filter(({ alg, state }) => alg === 'ES256' && state === 'retired')).toHaveLength(10)

    await expect(isolate.rotate(PLANNED)).rejects.toMatchObject({
      name: 'RotationTooEarlyError',
      possibleAt: now + 2 * DAY,
      message: expect.stringContaining('Too many retired keys are still published: rotate after'),
    })
    expect((await isolate.list()).keys).toEqual(keys)

    await isolate.rotate(REVOCATION)
    advanceClock(11 * MINUTE)
    await isolate.rotate(PLANNED)
  })

  it('[R] is possible as soon as the oldest of ten retired keys is removed', async () => {
    const keyring = newKeyring()
    const isolate = isolateWith(keyring)
    const now = stopClock()
    await isolate.list()
    await addRetiredKeys(
      keyring,
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((days) => now + days * DAY),
    )

    advanceClock(DAY - 1)
    await expect(isolate.rotate(PLANNED)).rejects.toMatchObject({ possibleAt: now + DAY })
    advanceClock(1)
    await isolate.rotate(PLANNED)
  })

  it('happens once when it is requested several times', async () => {
    const isolate = isolateWith(newKeyring())
    await isolate.list()
    advanceClock(DAY)

    const results = await Promise.allSettled([1, 2, 3, 4].map(() => isolate.rotate(PLANNED)))

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await isolate.list()).keys).toHaveLength(6)
  })

  it('restarts the schedule', async () => {
    const isolate = isolateWith(newKeyring())
    await isolate.list()
    advanceClock(DAY)
    const now = stopClock()

    await isolate.rotate(PLANNED)

    const { keys, rotatesAt } = await isolate.list()
    expect(rotatesAt).toBe(now + 30 * DAY)
    expect(keys.find(({ state }) => state === 'next')?.createdAt).toBe(now)
    expect(keys.find(({ state }) => state === 'active')?.activeSince).toBe(now)
    expect(keys.filter(({ createdAt }) => createdAt === undefined)).toEqual([])
    expect(keys.find(({ state }) => state === 'active')?.createdAt).toBeLessThan(now)
    expect(keys.find(({ state }) => state === 'retired')?.removedAt).toBe(now + 31 * DAY)
  })

  it('works with the table of an earlier version, which did not know when keys were created', async () => {
    const keyring = newKeyring()
    const isolate = isolateWith(keyring)
    await isolate.list()
    await runInDurableObject(keyring, (object, state) => {
      state.storage.sql.exec('ALTER TABLE keys DROP COLUMN created_at')
      Reflect.construct(object.constructor, [state, env])
    })
    advanceClock(DAY)

    const { keys } = await isolate.list()
    expect(keys.filter(({ createdAt }) => createdAt).map(({ state }) => state)).toEqual([
      'next',
      'next',
    ])
    await isolate.rotate(PLANNED)
    expect((await isolate.list()).keys).toHaveLength(6)
  })

  it('is recorded with who requested it', async () => {
    const isolate = isolateWith(newKeyring())
    await isolate.list()
    advanceClock(DAY)

    const subject = activeKids(await isolate.rotate(PLANNED)).join(' ')

    expect(await auditEntries(subject)).toMatchObject([
      {
        event: 'keys_rotated',
        outcome: 'ok',
        actor: 'client:ops',
        network: '203.0.113.0/24',
        request_id: 'BBBBB-CCCCC',
        detail: 'manual',
      },
    ])
  })
})

describe('a scheduled rotation', () => {
  it('is recorded as an action of the service', async () => {
    const keyring = newKeyring()
    const { rotatesAt } = await keyring.list()
    advanceClock(rotatesAt - Date.now() / 1000 + 1)

    await runInDurableObject(keyring, (object) => object.alarm())

    const subject = activeKids(await keyring.list()).join(' ')
    expect(await auditEntries(subject)).toMatchObject([
      { event: 'keys_rotated', actor: 'service', network: null, detail: 'scheduled' },
    ])
  })
})

describe('a revocation', () => {
  it('[I6] that cannot be stored changes nothing', async () => {
    const keyring = newKeyring()
    const isolate = isolateWith(keyring)
    const before = await isolate.list()
    await runInDurableObject(keyring, (_, { storage }) => {
      storage.sql.exec(
        "CREATE TRIGGER full BEFORE INSERT ON keys BEGIN SELECT RAISE(FAIL, 'full'); END",
      )
    })

    await expect(isolate.rotate(REVOCATION)).rejects.toThrow('Storage did not respond.')
    advanceClock(DAY)
    await expect(isolate.rotate(PLANNED)).rejects.toThrow('Storage did not respond.')

    expect(await isolate.list()).toEqual(before)
  })

  it('[O1] removes all former keys from the JWKS and from storage', async () => {
    const keyring = newKeyring()
    const isolate = isolateWith(keyring)
    await isolate.list()
    advanceClock(DAY)
    const former = kids(await isolate.rotate(PLANNED))

    const after = await isolate.rotate(REVOCATION)

    expect(kids(await isolate.jwks())).toEqual(kids(after))
    expect(after.keys.map(({ alg, state }) => `${alg} ${state}`)).toEqual([
      'ES256 active',
      'ES256 next',
      'RS256 active',
      'RS256 next',
    ])
    const stored = await runInDurableObject(keyring, (_, { storage }) =>
      JSON.stringify([...storage.sql.exec('SELECT * FROM keys')]),
    )
    expect(former).toHaveLength(6)
    expect(former.filter((kid) => stored.includes(String(kid)))).toEqual([])
  })

  it('[E2] makes jose and every endpoint reject what the former keys signed', async () => {
    const isolate = isolateWith(newKeyring())
    const former = await issueTokens(isolate)
    expect(await isAcceptedByJose(isolate, former.access_token)).toBe(true)
    expect(await userinfoStatus(isolate, former.access_token)).toBe(200)

    await isolate.rotate(REVOCATION)

    for (const token of [former.access_token, former.id_token, former.session])
      expect(await isAcceptedByJose(isolate, token)).toBe(false)
    expect(await userinfoStatus(isolate, former.access_token)).toBe(401)
    const introspection = await isolate.service(
      formRequest('/oidc/introspect', { token: former.access_token }, basic('web')),
    )
    expect(await introspection.json()).toEqual({ active: false })
    const logout = await isolate.browser.get(logoutUrl({ id_token_hint: former.id_token }), {
      Accept: 'application/json',
    })
    expect(await logout.json()).toMatchObject({ error: 'id_token_hint_refused' })
    const url = await new RelyingApp('web').authorizationUrl({ id_token_hint: former.id_token })
    const location = (await isolate.browser.get(url)).headers.get('Location') ?? ''
    expect(location).not.toContain('code=')
  })

  it.each(['active', 'next', 'retired'] as const)(
    '[E2] rejects a token that is forged with the %s key',
    async (state) => {
      const keyring = newKeyring()
      const isolate = isolateWith(keyring)
      const stolen = await readPrivateKeys(isolate, keyring)
      advanceClock(DAY)
      const { access_token } = await issueTokens(isolate)
      if (state === 'retired') await isolate.rotate(PLANNED)
      const stolenState = state === 'retired' ? 'active' : state
      const key = stolen.find((candidate) => candidate.state === stolenState)
      const claims = JSON.parse(atob(access_token.split('.')[1] ?? '')) as JWTPayload
      const forged = await new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: key?.kid ?? '' })
        .sign(key?.privateKey as CryptoKey)
      expect(await userinfoStatus(isolate, forged)).toBe(200)

      await isolate.rotate(REVOCATION)

      expect(await userinfoStatus(isolate, forged)).toBe(401)
      expect(await isAcceptedByJose(isolate, forged)).toBe(false)
    },
  )

  it('keeps users signed in and refresh tokens valid', async () => {
    const isolate = isolateWith(newKeyring())
    const { refresh_token } = await issueTokens(isolate)

    await isolate.rotate(REVOCATION)

    const session = await isolate.browser.session()
    expect(await isAcceptedByJose(isolate, session?.token ?? '')).toBe(true)
    const form = { grant_type: 'refresh_token', refresh_token }
    const response = await isolate.service(formRequest('/oidc/token', form, basic('web')))
    const { access_token } = await response.json<{ access_token: string }>()
    expect(await userinfoStatus(isolate, access_token)).toBe(200)
  })

  it('takes effect within a minute on every isolate', async () => {
    stopClock()
    const keyring = newKeyring()
    const [revoking, other] = [isolateWith(keyring), isolateWith(keyring)]
    const { access_token } = await issueTokens(other)
    await revoking.rotate(REVOCATION)

    expect(await userinfoStatus(revoking, access_token)).toBe(401)
    advanceClock(MINUTE)
    expect(await userinfoStatus(other, access_token)).toBe(401)
  })

  it('reaches the JWKS of every isolate within five seconds', async () => {
    stopClock()
    const keyring = newKeyring()
    const [revoking, other] = [isolateWith(keyring), isolateWith(keyring)]
    const former = kids(await other.jwks())
    await revoking.rotate(REVOCATION)

    advanceClock(5)

    expect(kids(await other.jwks())).toEqual(kids(await revoking.jwks()))
    expect(kids(await other.jwks())).not.toEqual(former)
  })

  it('lets every isolate accept tokens of the new keys, also one that has not read them yet', async () => {
    stopClock()
    const keyring = newKeyring()
    const [revoking, other] = [isolateWith(keyring), isolateWith(keyring)]
    const former = await issueTokens(other)
    advanceClock(6)
    await revoking.rotate(REVOCATION)

    const { access_token } = await issueTokens(revoking)

    expect(await userinfoStatus(other, access_token)).toBe(200)
    expect(await userinfoStatus(other, former.access_token)).toBe(401)
  })

  it('is not undone by a read of the keys that began before it', async () => {
    const keyring = newKeyring()
    const resumed = Promise.withResolvers<void>()
    let isPaused = false
    const isolate = isolateWith({
      read: async () => {
        const state = await keyring.read()
        if (isPaused) await resumed.promise
        return state
      },
      list: () => keyring.list(),
      rotate: (request: typeof PLANNED) => keyring.rotate(request),
    })
    const former = kids(await isolate.jwks())
    advanceClock(2 * MINUTE)
    isPaused = true
    const slow = isolate.jwks()
    await new Promise((resolve) => setTimeout(resolve, 50))
    isPaused = false

    await isolate.rotate(REVOCATION)
    resumed.resolve()
    await slow

    expect(kids(await isolate.jwks())).not.toEqual(former)
  })

  it('happens although the database is unavailable, and the log has the reason', async () => {
    const keyring = newKeyring()
    const former = kids(await keyring.list())
    const DIRECTORY = {
      prepare: () => {
        throw new Error('D1 is unavailable')
      },
    }

    const result = await runInDurableObject(keyring, (_, ctx) =>
      new KeyringObject(ctx, { ...env, DIRECTORY } as unknown as Env, readConfig).rotate(
        REVOCATION,
      ),
    )

    expect(result.kind).toBe('rotated')
    expect(kids(await keyring.list()).filter((kid) => former.includes(kid))).toEqual([])
    expect(lastLogEntry('audit_failed')).toMatchObject({
      event: 'audit_failed',
      cause: 'Error: D1 is unavailable',
    })
  })

  it('is recorded, and reported to the deployment', async () => {
    const keyring = newKeyring()
    const keysRotated = vi.fn()
    const read = configReaderWith({ events: { keysRotated } })

    const result = await runInDurableObject(keyring, (_, ctx) =>
      new KeyringObject(ctx, env, read).rotate(REVOCATION),
    )

    const activeKeys = result.kind === 'rotated' ? activeKids(result) : []
    expect(await auditEntries(activeKeys.join(' '))).toMatchObject([
      { event: 'keys_revoked', actor: 'client:ops', detail: 'revoked' },
    ])
    await vi.waitFor(() => expect(keysRotated).toHaveBeenCalledOnce())
    expect(keysRotated.mock.lastCall?.[0]).toMatchObject({ reason: 'revoked', activeKeys })
  })
})

describe('a verifier that asks for the JWKS with the ETag of its copy', () => {
  it.each([PLANNED, REVOCATION])(
    '[I5] gets the new keys after the rotation %o',
    async (request) => {
      const isolate = isolateWith(newKeyring())
      const read = (headers = {}) => isolate.browser.get('/.well-known/jwks.json', headers)
      const etag = (await read()).headers.get('ETag') ?? ''
      advanceClock(DAY)

      await isolate.rotate(request)

      expect((await read({ 'If-None-Match': etag })).status).toBe(200)
    },
  )
})

describe('the copy of the keyring in an isolate', () => {
  it('is refreshed after half a minute without making a request wait', async () => {
    stopClock()
    const keyring = newKeyring()
    let reads = 0
    const resumed = Promise.withResolvers<void>()
    let isPaused = false
    const isolate = isolateWith({
      read: async () => {
        reads += 1
        if (isPaused) await resumed.promise
        return keyring.read()
      },
      list: () => keyring.list(),
      rotate: (request: typeof PLANNED) => keyring.rotate(request),
    })
    await isolate.browser.signIn('mia')
    await isolate.browser.session()
    isPaused = true

    advanceClock(29)
    await isolate.browser.session()
    expect(reads).toBe(1)
    advanceClock(2)
    expect(await isolate.browser.session()).not.toBeNull()
    expect(await isolate.browser.session()).not.toBeNull()
    expect(reads).toBe(2)
    resumed.resolve()
  })
})

describe('an outdated copy of the keyring', () => {
  /** An isolate whose reads of the keyring are counted, and can hang. */
  function countingIsolate() {
    const keyring = newKeyring()
    const state = { reads: 0, isHanging: false }
    const isolate = isolateWith({
      read: () => {
        state.reads += 1
        return state.isHanging ? new Promise(() => {}) : keyring.read()
      },
    })
    return { isolate, state }
  }

  it('[R] is replaced by one read, no matter how many requests need it at the same time', async () => {
    stopClock()
    const { isolate, state } = countingIsolate()
    const published = kids(await isolate.jwks())

    advanceClock(6)
    const documents = await Promise.all(Array.from({ length: 20 }, () => isolate.jwks()))

    expect(documents.map(kids)).toEqual(Array.from({ length: 20 }, () => published))
    expect(state.reads).toBe(2)
  })

  it('is used if the object does not respond within two seconds', async () => {
    stopClock()
    const { isolate, state } = countingIsolate()
    const published = kids(await isolate.jwks())

    state.isHanging = true
    advanceClock(2 * MINUTE)
    const documents = await Promise.all([isolate.jwks(), isolate.jwks(), isolate.jwks()])

    expect(documents.map(kids)).toEqual([published, published, published])
    expect(state.reads).toBe(2)
  })
})

/** Adds retired ES256 keys that are published until these times. */
async function addRetiredKeys(
  keyring: DurableObjectStub<KeyringObject>,
  removalTimes: readonly number[],
): Promise<void> {
  await runInDurableObject(keyring, (_, { storage }) => {
    for (const removedAt of removalTimes) {
      storage.sql.exec(
        `INSERT INTO keys SELECT kid || ?1, alg, public_jwk, '', 'retired', rotates_at, ?1, created_at
         FROM keys WHERE alg = 'ES256' AND state = 'active'`,
        removedAt,
      )
    }
  })
}

/** The private keys, as somebody who has stolen them would have them. */
async function readPrivateKeys({ config }: Isolate, keyring: DurableObjectStub<KeyringObject>) {
  const keys = await keyring.read()
  const elliptic = keys.filter(({ alg }) => alg === 'ES256')
  return Promise.all(
    elliptic.map(async ({ kid, state, sealedPrivateJwk }) => {
      const jwk = await config.seal.open('keyring', kid, sealedPrivateJwk)
      const privateKey = await importJWK(JSON.parse(jwk ?? '{}') as JWK, 'ES256')
      return { kid, state, privateKey }
    }),
  )
}
