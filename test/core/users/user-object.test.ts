import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { FORMAT_VERSION, rejectNewerFormat } from '../../../src/core/users/storage-format.ts'
import { defineFeature } from '../../../src/define-feature/define-feature.ts'
import { advanceClock, DAY, setClock, stopClock } from '../../clock.ts'
import { configReaderWith } from '../../deployment.ts'
import { signInNewUser } from '../../new-user.ts'
import { newUserObject, userObject, usersWith } from '../../storage.ts'

const opening = {
  secretDigest: 'digest',
  sid: 'ses_x',
  attempt: 'attempt',
  user: { id: 'usr_x' as const },
  claimedAt: 0,
  level: 'prompted' as const,
}

describe('opening a session in a user object', () => {
  it('[Q13] derives all times from one reading of the clock', async () => {
    const start = Date.now()
    let readings = 0
    // Each reading of this clock is a day later than the one before.
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => start + readings++ * DAY * 1000)

    const session = await runInDurableObject(newUserObject(), (object) =>
      object.openSession(opening),
    )
    clock.mockRestore()

    const { authenticatedAt = 0, idleExpiresAt, expiresAt } = session ?? {}
    expect(idleExpiresAt).toBe(authenticatedAt + 7 * DAY)
    expect(expiresAt).toBe(authenticatedAt + 30 * DAY)
  })
})

describe('ending all other sessions', () => {
  it('does not extend the one that is kept', async () => {
    const object = newUserObject()
    stopClock()
    await object.openSession(opening)
    advanceClock(7 * DAY - 1)

    await object.endOtherSessions(opening.secretDigest)
    advanceClock(1)

    expect(await object.readSession(opening.secretDigest)).toBeUndefined()
  })
})

describe('a sign-in with an account that was disconnected', () => {
  const account = { provider: 'tiktok', issuer: '', accountId: 'a' }
  const claim = (claimedAt: number) => ({ ...opening, account: 'tiktok  a', claimedAt })

  it.each([
    [9, false],
    [10, false],
    [11, true],
  ])(
    'at second 10 opens a session if it found the user at second %i: %s',
    async (claimedAt, isOpened) => {
      const object = newUserObject()
      await object.disconnect(account, 10, [])

      const session = await object.openSession(claim(claimedAt))

      expect(session !== undefined).toBe(isOpened)
    },
  )

  it('opens no session for as long as a sign-in can take', async () => {
    setClock(Math.floor(Date.now() / 1000))
    const object = newUserObject()
    await object.disconnect(account, 10, [])
    advanceClock(599)

    await runInDurableObject(object, (instance) => instance.alarm())

    expect(await object.openSession(claim(9))).toBeUndefined()
  })

  it('does not affect another account, nor the same id at another issuer', async () => {
    const object = newUserObject()
    await object.disconnect(account, 10, [])

    const others = ['gitlab https://git.example a', 'tiktok https://other.example a', 'tiktok  b']
    for (const other of others) {
      const session = await object.openSession({
        ...claim(9),
        account: other,
        secretDigest: other,
        attempt: other,
      })
      expect(session).toBeDefined()
    }
  })

  // The call with the earlier time overwrites the later one: `Disconnections.add` must keep the
  // maximum.
  it('opens no session if an earlier disconnection arrives later', async () => {
    const object = newUserObject()
    await object.disconnect(account, 12, [])
    await object.disconnect(account, 10, [])

    expect(await object.openSession(claim(11))).toBeUndefined()
  })
})

describe('deleting a user', () => {
  it.each([
    [599, false],
    [600, true],
  ])(
    '[S10] opens no session for a sign-in under way, until %i s later: %s',
    async (seconds, isOpened) => {
      const object = newUserObject()
      setClock(Math.floor(Date.now() / 1000))
      await object.openSession(opening)
      await object.deleteUserData([])
      advanceClock(seconds)
      await runInDurableObject(object, (instance) => instance.alarm())

      const session = await object.openSession({ ...opening, secretDigest: 'new', attempt: 'new' })

      expect(session !== undefined).toBe(isOpened)
    },
  )

  it('[S10] keeps nothing of the user', async () => {
    const object = newUserObject()
    const user = { id: 'usr_x' as const, name: 'Pat', email: 'pat@mail.example' }
    await object.openSession({ ...opening, user })

    await object.deleteUserData([])

    const stored = await runInDurableObject(object, (_, { storage }) => [...storage.kv.list()])
    expect(JSON.stringify(stored)).not.toMatch(/usr_x|Pat|pat@/)
  })
})

describe('a change to the ways to sign in of a deleted user', () => {
  it('[S10] is not recorded', async () => {
    const object = newUserObject()
    await object.deleteUserData([])

    await object.removeMethod({ provider: 'passkey', issuer: '', accountId: 'x', label: 'Phone' })

    expect((await object.readUserData()).methodChanges).toEqual([])
  })
})

describe('the hundred-and-first session', () => {
  it('ends the oldest one, and deletes its copy', async () => {
    const object = newUserObject()
    await env.SESSIONS.put('s:0', '{}')
    await runInDurableObject(object, async (instance) => {
      for (let n = 0; n <= 100; n++) {
        const name = String(n)
        await instance.openSession({
          ...opening,
          secretDigest: name,
          sid: `ses_${n}`,
          attempt: name,
        })
      }
      const { sessions } = instance.readOverview('100')
      expect(sessions).toHaveLength(100)
      expect(sessions.map(({ sid }) => sid)).not.toContain('ses_0')
    })
    await vi.waitFor(async () => expect(await env.SESSIONS.get('s:0')).toBeNull())
  })
})

describe('a code', () => {
  const terms = {
    clientId: 'web',
    redirectUri: 'https://web.example/callback',
    scope: ['offline_access'],
    resources: [],
    accessTokenLifetime: 600,
    claims: { userinfo: [], id_token: [] },
    nonce: undefined,
    codeChallenge: 'challenge',
  }
  const grantRequest = {
    authenticatedSince: undefined,
    promptedSince: undefined,
    subject: undefined,
    acr: undefined,
    acrRequestedAt: undefined,
    isSilent: false,
    forceConsent: false,
    consent: undefined,
    upstreamScope: [],
    secretDigest: 'secret',
    terms,
  }
  const limits = { scope: ['offline_access'], resources: [] }

  // Only the seal of codes and refresh tokens prevents this: `Grants.rotate` does not require a
  // redeemed grant.
  it('[B5] is not accepted as a refresh token, which needs no verifier', async () => {
    const object = newUserObject()
    await object.openSession(opening)
    await object.authorize(opening.secretDigest, { ...grantRequest, grantId: 'gnt_x' })

    const result = await object.rotateRefreshToken({
      grantId: 'gnt_x',
      secretDigest: 'secret',
      generation: 0,
      clientId: 'web',
      resources: [],
      scope: [],
      limits,
    })

    expect(result).toMatchObject({ rejected: expect.any(String) })
  })

  it('[D6] ends its grant if a refresh token is sent that was not issued yet', async () => {
    const object = newUserObject()
    await object.openSession(opening)
    await object.authorize(opening.secretDigest, { ...grantRequest, grantId: 'gnt_x' })
    const presented = {
      grantId: 'gnt_x',
      secretDigest: 'secret',
      clientId: 'web',
      resources: [],
      limits,
    }
    const { redirectUri, codeChallenge: challenge } = terms
    await object.redeemCode({ ...presented, redirectUri, challenge })

    const result = await object.rotateRefreshToken({ ...presented, generation: 2, scope: [] })

    expect(result).toMatchObject({ rejected: 'replayed' })
    expect(await object.readGrant('gnt_x')).toBeUndefined()
  })

  it('[J12] does not end as an orphan while its session has not ended', async () => {
    const object = newUserObject()
    await object.openSession(opening)
    await object.authorize(opening.secretDigest, { ...grantRequest, grantId: 'gnt_x' })
    const { redirectUri, codeChallenge: challenge } = terms

    await object.endOrphanedGrants(opening.sid)

    const redemption = { grantId: 'gnt_x', secretDigest: 'secret', clientId: 'web', limits }
    expect(
      await object.redeemCode({ ...redemption, redirectUri, challenge, resources: [] }),
    ).toHaveProperty('terms')
    await object.endSession(opening.secretDigest)
    expect(await object.readGrant('gnt_x')).toBeUndefined()
  })

  it('[Q10] does not displace the codes of another client', async () => {
    const object = newUserObject()
    await object.openSession(opening)
    await object.authorize(opening.secretDigest, { ...grantRequest, grantId: 'gnt_kept' })
    for (let n = 0; n < 25; n++) {
      const other = { ...grantRequest, grantId: `gnt_${n}`, terms: { ...terms, clientId: 'shop' } }
      await object.authorize(opening.secretDigest, other)
    }

    const result = await object.redeemCode({
      grantId: 'gnt_kept',
      secretDigest: 'secret',
      clientId: 'web',
      redirectUri: terms.redirectUri,
      challenge: 'challenge',
      resources: [],
      limits,
    })

    expect(result).toHaveProperty('terms')
  })
})

describe('a user object that a newer version has written', () => {
  it('[Q11] is not changed and causes a 503, and the browser keeps its session', async () => {
    const { browser, userId } = await signInNewUser()
    const version = FORMAT_VERSION + 1
    await runInDurableObject(userObject(userId), (_, state) => {
      state.storage.kv.put('version', version)
    })
    // A deployment restarts every object.
    await runInDurableObject(userObject(userId), (_, state) => state.abort()).catch(() => undefined)

    const response = await browser.get('/api/auth/session', { Accept: 'application/json' })

    expect(response.status).toBe(503)
    expect(browser.cookieNames('session')).toHaveLength(1)
    await runInDurableObject(newUserObject(), (_, { storage }) => {
      storage.kv.put('version', version)
      expect(() => rejectNewerFormat(storage)).toThrow('newer version')
    })
  })
})

describe('an object without a name', () => {
  it('ends nothing, because it cannot say whose tokens are revoked', async () => {
    const object = env.USERS.get(env.USERS.newUniqueId())

    await runInDurableObject(object, (instance) =>
      expect(instance.block()).rejects.toThrow('has no name'),
    )
  })
})

describe('a record of a feature', () => {
  const record = { feature: 'diary', key: 'note', value: '"first"', version: undefined }

  it('is neither read nor exported once it has expired, and can then be stored again', async () => {
    const now = stopClock()
    const features = [defineFeature({ id: 'diary', exportRecords: (diary) => ({ diary }) })]
    const users = usersWith({}, configReaderWith({ features }))
    const object = users.get(users.idFromName(`usr_${crypto.randomUUID()}`))
    const exported = async () => JSON.parse((await object.readUserData()).featureRecords)
    await object.changeRecord({ ...record, expiresAt: now + 60 })
    await object.changeRecord({ ...record, key: 'kept', value: '"always"' })
    await object.changeRecord({ ...record, feature: 'diary-2' })

    advanceClock(59)
    expect(await object.readRecord('diary', 'note')).toMatchObject({ value: '"first"' })
    expect(await exported()).toEqual({ diary: { kept: 'always', note: 'first' } })
    advanceClock(1)

    expect(await object.readRecord('diary', 'note')).toBeUndefined()
    expect(await exported()).toEqual({ diary: { kept: 'always' } })
    expect(await object.changeRecord({ ...record, value: '"next"' })).toBe('stored')
  })

  it('is not changed by a request that has read an older version of it', async () => {
    const object = newUserObject()
    await object.changeRecord(record)
    const { version } = (await object.readRecord('diary', 'note')) ?? {}
    await object.changeRecord({ ...record, value: '"second"', version })

    for (const value of ['"third"', undefined]) {
      expect(await object.changeRecord({ ...record, value, version })).toBe('conflict')
      expect(await object.changeRecord({ ...record, value })).toBe('conflict')
    }

    expect(await object.readRecord('diary', 'note')).toMatchObject({ value: '"second"' })
  })

  it('is not changed in a session that has ended, nor after the user was deleted', async () => {
    const object = newUserObject()
    await object.openSession(opening)
    const session = opening.secretDigest
    const change = () => object.changeRecord({ ...record, key: crypto.randomUUID(), session })

    expect(await change()).toBe('stored')
    await object.endSession(session)
    expect(await change()).toBe('ended')
    await object.deleteUserData([])
    expect(await object.changeRecord(record)).toBe('ended')

    expect(await object.readRecord('diary', 'note')).toBeUndefined()
  })
})

describe('a record of a feature that the deployment does not list', () => {
  it('is kept for an inactive user, and deleted with the user', async () => {
    const object = newUserObject()
    const readRecord = () =>
      runInDurableObject(object, (_, { storage }) => storage.kv.get('unlisted:x'))
    await runInDurableObject(object, async (instance, { storage }) => {
      storage.kv.put('unlisted:x', 'kept')
      await instance.alarm()
    })
    expect(await readRecord()).toBe('kept')

    await runInDurableObject(object, (instance) => instance.deleteUserData([]))

    expect(await readRecord()).toBeUndefined()
  })
})
