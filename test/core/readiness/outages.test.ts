import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { listAuditEntries } from '../../../src/administration/read-audit.ts'
import { clientStore } from '../../../src/administration/registrations/client-store.ts'
import { Browser, lastLogEntry, serviceWith } from '../../browser.ts'
import { advanceClock, DAY, stopClock } from '../../clock.ts'
import { hangingCall } from '../../hanging-call.ts'
import { errorCode } from '../../html.ts'
import { createPlatformUser, signInNewUser } from '../../new-user.ts'
import { registeredClients } from '../../registered-clients.ts'
import { sha256Hex } from '../../sha256-hex.ts'
import {
  fillStorage,
  forbidden,
  linkedProviders,
  sessionCacheWith,
  unreachable,
  withMethods,
} from '../../storage.ts'
import { issueToken } from '../oidc/machines.ts'
import {
  expectListed,
  newUserWithTokens,
  type UserWithTokens,
} from '../oidc/read-revocation-feed.ts'
import { basic, bearer, formRequest, postForm, signedInToApp } from '../oidc/relying-app.ts'
import { config, ORIGIN } from '../registrations/stored-clients.ts'

/** For how long other isolates may issue tokens to a client that has been changed. */
const COPY_LIFETIME = 65 // seconds

/** A deployment whose revocations cannot be reached, in an isolate that knows nothing yet. */
const withoutRevocations = () => serviceWith({ REVOCATIONS: unreachable(env.REVOCATIONS) })
const withoutGuards = () => serviceWith({ GUARDS: unreachable(env.GUARDS) })

describe('while the revocations cannot be reached', () => {
  it('[G1][H1] userinfo and introspection accept the tokens of a client of the settings', async () => {
    const { tokens } = await signedInToApp('web')
    const service = withoutRevocations()

    const userinfo = await new Browser(service).get('/oidc/userinfo', bearer(tokens.access_token))
    const introspection = await service(
      formRequest('/oidc/introspect', { token: tokens.access_token }, basic('web')),
    )

    expect(userinfo.status).toBe(200)
    expect(await introspection.json()).toMatchObject({ active: true })
    expect(lastLogEntry('revocations_unavailable').cause).toContain('overloaded')
  })

  it('[G1] introspection accepts tokens that were issued after the last change of a client', async () => {
    stopClock()
    const { machine, token: early } = await issueToken()
    const introspect = async (token: string) => {
      const request = formRequest('/oidc/introspect', { token }, machine.credentials)
      const response = await withoutRevocations()(request)
      return response.status === 200 ? response.json() : response
    }
    advanceClock(COPY_LIFETIME + 1)
    const late = await (await machine.request()).json<{ access_token: string }>()

    expect(await introspect(early)).toMatchObject({ status: 503 })
    expect(await introspect(late.access_token)).toMatchObject({ active: true })

    // A client that was disabled and enabled has the same registration, but lost its tokens.
    for (const isDisabled of [true, false]) {
      await clientStore.setDisabled(env, config, {
        id: machine.clientId,
        isDisabled,
        origin: ORIGIN,
      })
    }
    const response = await introspect(late.access_token)
    expect(response).toMatchObject({ status: 503 })
    expect((response as Response).headers.get('Retry-After')).toBe('10')
  })
})

describe('while the guards cannot be reached', () => {
  const form = { grant_type: 'refresh_token', refresh_token: 'x' }

  it('[C5] a client with a wrong secret is rejected, and others are accepted', async () => {
    const service = withoutGuards()
    const from = { 'CF-Connecting-IP': '203.0.113.7' }
    const wrong = { ...basic('web', 'wrong'), ...from }
    for (let count = 0; count < 12; count++) {
      const response = await service(formRequest('/oidc/token', form, wrong))
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({ error: 'invalid_client' })
    }
    expect(lastLogEntry('rate_limit_failed').cause).toContain('GUARDS')

    const right = { ...basic('web'), ...from }
    const response = await service(formRequest('/oidc/token', form, right))
    expect(await response.json()).toMatchObject({ error: 'invalid_grant' })
  })

  it('records a sign-in that fails', async () => {
    const browser = new Browser(withoutGuards())
    const since = stopClock()

    await browser.signIn(await createPlatformUser(), { grant: 'deny' })

    await vi.waitFor(async () => {
      const { entries } = await listAuditEntries(env, { event: 'sign_in', since, limit: 10 })
      expect(entries).toContainEqual(expect.objectContaining({ outcome: 'access_denied' }))
    })
  })

  it('[K5] a sign-in that returns to another browser starts again only with a click', async () => {
    const browser = new Browser(withoutGuards())
    const callback = await browser.approve(await browser.start(), await createPlatformUser())

    const response = await new Browser(withoutGuards()).get(callback, {
      'Sec-Fetch-Mode': 'navigate',
      'Sec-Fetch-Dest': 'document',
    })

    expect(await errorCode(response)).toBe('attempt_missing')
  })
})

describe('while D1 cannot be reached', () => {
  it('a machine of the settings gets a token for its only API in the settings', async () => {
    const identifier = 'https://machines.example'
    const client = {
      client_id: 'outage-machine',
      grant_types: ['client_credentials'],
      client_secrets_sha256: [await sha256Hex('secret')],
      resources: [identifier],
    }
    const service = serviceWith({
      DIRECTORY: forbidden('D1'),
      CLIENTS: [...registeredClients, client],
      APIS: [{ identifier, client_credentials: true }],
    })
    const form = { grant_type: 'client_credentials' }

    const response = await service(
      formRequest('/oidc/token', form, basic('outage-machine', 'secret')),
    )

    expect(response.status).toBe(200)
  })
})

describe('a part that does not respond', () => {
  it('does not stop requests if it only counts them', async () => {
    const { call, endsAfter } = hangingCall()
    const browser = new Browser(serviceWith({ USER_RATE_LIMIT: { limit: call } }))
    const headers = { 'CF-Connecting-IP': '203.0.113.7' }

    const response = await endsAfter(1_000, () => browser.get('/api/auth/signin', headers))

    expect(response.status).toBe(200)
  })

  it('[Q6] is replaced by the object of the user if it has copies of sessions', async () => {
    const { browser, userId } = await signInNewUser()
    const { call, endsAfter } = hangingCall()
    const service = serviceWith({ SESSIONS: sessionCacheWith({ get: call, put: async () => {} }) })
    const other = new Browser(service).withCookiesOf(browser)

    const response = await endsAfter(2_000, () => other.get('/api/auth/session?token=false'))

    expect(await response.json()).toMatchObject({ user: { id: userId } })
  })

  it('[Q6] gets a request 503 after ten seconds, and nothing is issued', async () => {
    const { browser } = await signInNewUser()
    const { call, endsAfter } = hangingCall()
    const service = serviceWith({ USERS: withMethods(() => call) })
    const other = new Browser(service).withCookiesOf(browser)

    const response = await endsAfter(10_000, () => other.get('/api/auth/session'))

    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '10'])
  })
})

describe('while the object of a user has no space', () => {
  it('[Q6] a session that would be extended is accepted as it is', async () => {
    stopClock()
    const { browser, userId } = await signInNewUser()
    const before = await browser.session()
    advanceClock(2 * DAY)

    await fillStorage(userId, async () => {
      expect(await browser.session()).toMatchObject({ expires: before?.expires })
    })
    expect(lastLogEntry('session_renewal_failed').cause).toContain('SQLITE_FULL')

    const after = await browser.session()
    expect(Date.parse(after?.expires ?? '')).toBeGreaterThan(Date.parse(before?.expires ?? ''))
  })

  it.each<[string, string, (user: UserWithTokens) => Promise<Response>]>([
    ['a sign-out', 'web', ({ browser }) => browser.post('/api/auth/signout', {})],
    [
      'the removal of an app',
      'kiosk',
      ({ browser }) => browser.post('/account/consents', { client_id: 'kiosk' }),
    ],
    [
      'the revocation of a refresh token',
      'web',
      ({ tokens }) => postForm('/oidc/revoke', { token: tokens.refresh_token ?? '' }, basic('web')),
    ],
  ])('[Q6][G1] %s fails, and revokes the tokens when it is repeated', async (_, app, end) => {
    const user = await newUserWithTokens(app)

    await fillStorage(user.userId, async () => {
      const response = await end(user)
      expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '10'])
    })
    await end(user)

    await expectListed(user.tokens.access_token)
  })
})

describe('the deletion of a user', () => {
  it('[Q6] is completed if the answer of the object is lost', async () => {
    const { browser, userId } = await signInNewUser()
    let isLost = false
    const USERS = withMethods((stub, name) => {
      if (name !== 'deleteUserData' || isLost) return Reflect.get(stub, name)
      return async (accounts: Parameters<typeof stub.deleteUserData>[0]) => {
        isLost = true
        await stub.deleteUserData(accounts)
        throw new Error('Network connection lost.')
      }
    })
    const other = new Browser(serviceWith({ USERS })).withCookiesOf(browser)

    const response = await other.post('/account/delete', {})

    expect(isLost).toBe(true)
    expect(response.status).toBe(200)
    expect(await linkedProviders(userId)).toEqual([])
  })
})
