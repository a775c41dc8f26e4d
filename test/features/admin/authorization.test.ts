import { env } from 'cloudflare:workers'
import { generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import type { AdminScope } from '../../../src/administration/admin-scopes.ts'
import { clientStore } from '../../../src/administration/registrations/client-store.ts'
import { Browser, LOGIN, lastLogEntry, serviceWith } from '../../browser.ts'
import { advanceClock, HOUR, setClock, stopClock } from '../../clock.ts'
import { RelyingApp, signedInAsNewUser } from '../../core/oidc/relying-app.ts'
import { config, ORIGIN } from '../../core/registrations/stored-clients.ts'
import { readConfig } from '../../deployment.ts'
import { signInNewUser } from '../../new-user.ts'
import { clientsWith } from '../../registered-clients.ts'
import { ADMIN_API, callApi, connectMachine, readProblem } from './machine-client.ts'
import { operations } from './operations.ts'

const METADATA_URL = `${LOGIN}/.well-known/oauth-protected-resource/admin/api`
const METADATA = `resource_metadata="${METADATA_URL}"`

/** Every operation of the API, with values for the parameters of its path. */
const OPERATIONS = operations.map(
  ({ method, path, scope }) =>
    [method.toUpperCase(), path.replaceAll(/:\w+/g, 'none'), scope] as const,
)

/** The scopes with which each scope's operations may be used. */
const SUFFICIENT_SCOPES: Record<AdminScope, string[]> = {
  'admin:metrics': ['admin:metrics', 'admin:read'],
  'admin:read': ['admin:read'],
  'admin:support': ['admin:support', 'admin:write'],
  'admin:write': ['admin:write'],
  'admin:administrators': ['admin:administrators'],
}

async function expectNotFoundEverywhere(
  token?: string,
  service = serviceWith({}),
  afterEach = async () => {},
): Promise<void> {
  for (const [method, path] of OPERATIONS) {
    const response = await callApi(path, { method, service, ...(token && { token }) })
    await afterEach()

    expect(response.status, `${method} ${path}`).toBe(404)
    expect(response.headers.get('WWW-Authenticate')).toBe(`Bearer ${METADATA}`)
    const { detail, title } = await readProblem(response)
    expect(title).toBe('Not Found')
    expect(detail).toBe('There is nothing at this URL, or the access token is not valid for it.')
  }
}

async function countDenials(actor: string): Promise<number> {
  const row = await env.DIRECTORY.prepare(
    "SELECT count(*) AS number FROM audit WHERE event = 'admin_denied' AND actor = ?",
  )
    .bind(actor)
    .first<{ number: number }>()
  return row?.number ?? 0
}

/** The first in an hour is recorded, so deleting it lets the next one be recorded. */
async function expectRecordedDenial(actor: string): Promise<void> {
  expect(await countDenials(actor)).toBe(1)
  await env.DIRECTORY.prepare('DELETE FROM audit WHERE actor = ?').bind(actor).run()
}

/** A token as the service signs it, with other claims. */
async function signToken(changes: Record<string, unknown>, header: object = {}): Promise<string> {
  const { token } = await connectMachine()
  const [, payload = ''] = token.split('.')
  const claims = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
  const keys = await env.KEYRING.get(env.KEYRING.idFromName('keyring')).read()
  const key = keys.find(({ alg, state }) => alg === 'ES256' && state === 'active')
  const { seal } = readConfig(env)
  const jwk: JWK = JSON.parse(
    (await seal.open('keyring', key?.kid ?? '', key?.sealedPrivateJwk ?? '')) ?? '{}',
  )
  return new SignJWT({ ...claims, ...changes })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: key?.kid ?? '', ...header })
    .sign(await importJWK(jwk, 'ES256'))
}

describe('every operation of the admin API', () => {
  it('is tested', () => {
    expect(OPERATIONS.length).toBeGreaterThanOrEqual(31)
  })

  it('says where to get a token (RFC 9728)', async () => {
    expect(await new Browser().json(METADATA_URL)).toEqual({
      resource: ADMIN_API,
      authorization_servers: [LOGIN],
      bearer_methods_supported: ['header'],
      scopes_supported: Object.keys(SUFFICIENT_SCOPES),
    })
  })

  it('does not exist without a token', async () => {
    await expectNotFoundEverywhere()
  })

  it('does not exist for a signed-in administrator without a token: sessions are not accepted', async () => {
    const { browser, userId } = await signInNewUser()
    const service = serviceWith({ AUTH_ADMINS: userId })
    for (const [method, path] of OPERATIONS) {
      const headers = { Cookie: browser.cookieHeader().Cookie ?? '' }
      const response = await callApi(path, { method, service, headers })

      expect(response.status, `${method} ${path}`).toBe(404)
    }
  })

  it('[F5] does not exist for the access token of a user, not even of an administrator', async () => {
    const resources = [ADMIN_API]
    const scope = 'openid profile admin:read admin:write'
    const clients = clientsWith({ web: { resources, scope } })
    const browser = await signedInAsNewUser()
    const userId = (await browser.session())?.user.id
    const service = serviceWith({ CLIENTS: clients, AUTH_ADMINS: userId })
    const { access_token, id_token = '' } = await new RelyingApp('web').tokens(browser)

    await expectNotFoundEverywhere(access_token, service)
    await expectNotFoundEverywhere(id_token, service)
    await expectNotFoundEverywhere((await browser.session())?.token, service)
  })

  it('[F2] does not exist for the machine token of another API, which is recorded', async () => {
    const apis = [{ identifier: 'https://stock.example', client_credentials: true }]
    const service = serviceWith({ APIS: apis })
    const { token, clientId } = await connectMachine(
      { resources: ['https://stock.example'] },
      service,
    )

    await expectNotFoundEverywhere(token, service, () => expectRecordedDenial(`client:${clientId}`))
  })

  it.each<[string, Record<string, unknown>]>([
    ['a user as the subject', { sub: 'usr_x' }],
    ['another client as the subject', { sub: 'shop' }],
    ['two audiences', { aud: [ADMIN_API, 'https://stock.example'] }],
    ['another audience', { aud: 'https://login.example' }],
    ['another issuer', { iss: 'https://other.example' }],
    ['no expiry', { exp: undefined }],
    ['an expiry in the past', { exp: 1 }],
  ])('[E5] does not exist for a token with %s', async (_, changes) => {
    expect((await callApi('/keys', { token: await signToken({}) })).status).toBe(200)

    await expectNotFoundEverywhere(await signToken(changes))
  })

  it('[E3] does not exist for a token of another type', async () => {
    await expectNotFoundEverywhere(await signToken({}, { typ: 'JWT' }))
  })

  it('[E1] does not exist for a token that another key has signed', async () => {
    const { token } = await connectMachine()
    const [header = '', payload = ''] = token.split('.')
    const { privateKey } = await generateKeyPair('ES256')
    const decode = (part: string) =>
      JSON.parse(atob(part.replaceAll('-', '+').replaceAll('_', '/')))
    const forged = await new SignJWT(decode(payload))
      .setProtectedHeader(decode(header))
      .sign(privateKey)

    await expectNotFoundEverywhere(forged)
  })

  it('does not exist for an expired token', async () => {
    const { token } = await connectMachine()
    advanceClock(25 * HOUR)

    await expectNotFoundEverywhere(token)
  })

  it('does not exist for the token of a client that was disabled since', async () => {
    const { token, clientId } = await connectMachine()
    await clientStore.setDisabled(env, config, { id: clientId, isDisabled: true, origin: ORIGIN })

    await expectNotFoundEverywhere(token)
  })

  it('does not exist for the token of a client that may no longer use the API', async () => {
    const { token, clientId } = await connectMachine()
    const changes = { resources: ['https://stock.example'] }
    await clientStore.update(env, config, { id: clientId, changes, origin: ORIGIN })

    await expectNotFoundEverywhere(token)
  })

  it('[F10] is forbidden without its scope, which is recorded', async () => {
    for (const held of Object.keys(SUFFICIENT_SCOPES)) {
      const { call, clientId } = await connectMachine({ scope: held })
      for (const [method, path, scope] of OPERATIONS) {
        if (SUFFICIENT_SCOPES[scope].includes(held)) continue
        const response = await call(path, { method })

        expect(response.status, `${method} ${path} with ${held}`).toBe(403)
        expect(response.headers.get('WWW-Authenticate')).toBe(
          `Bearer error="insufficient_scope", error_description="The access token does not have the scope ${scope}.", scope="${scope}", ${METADATA}`,
        )
        await readProblem(response)
        await expectRecordedDenial(`client:${clientId}`)
      }
    }
  })

  it('[R4] records the first denial of a client in each hour', async () => {
    const now = stopClock()
    const nextHour = now - (now % HOUR) + HOUR
    setClock(nextHour - 10)
    const { call, clientId } = await connectMachine({ scope: 'admin:read' })
    const denials = async () => {
      for (let request = 0; request < 3; request++) {
        expect((await call('/keys/rotate', { method: 'POST' })).status).toBe(403)
      }
      return countDenials(`client:${clientId}`)
    }

    expect(await denials()).toBe(1)
    setClock(nextHour)
    expect(await denials()).toBe(2)
  })

  it('[F10] is allowed with admin:metrics only if it is about no user, client or key', async () => {
    const metrics = await connectMachine({ scope: 'admin:metrics' })
    const allowed: string[] = []

    for (const [method, path] of OPERATIONS) {
      const { status } = await metrics.call(path, { method })
      if (status !== 403) allowed.push(`${method} ${path} ${status}`)
    }

    expect(allowed).toEqual(['GET /counts 200', 'GET /metrics 200', 'GET /readiness 200'])
  })

  it('[F10] is allowed with admin:read if admin:metrics is enough', async () => {
    const reader = await connectMachine({ scope: 'admin:read' })

    for (const path of ['/counts', '/metrics', '/readiness']) {
      expect((await reader.call(path)).status, path).toBe(200)
    }
  })

  it('[F10] is forbidden with a scope that was removed from the client since', async () => {
    const { token, clientId } = await connectMachine()
    const changes = { scope: 'admin:read' }
    await clientStore.update(env, config, { id: clientId, changes, origin: ORIGIN })

    const response = await callApi('/keys/rotate', { method: 'POST', token })

    expect(response.status).toBe(403)
  })
})

describe('a request to the admin API', () => {
  it.each(['x.y.z', 'expired'])(
    '[R4] is not recorded with a token that cannot be verified: %s',
    async (kind) => {
      const token = kind === 'expired' ? await signToken({ exp: 1 }) : kind
      const before = await countDenials('anonymous')

      expect((await callApi('/keys', { token })).status).toBe(404)

      expect(await countDenials('anonymous')).toBe(before)
      expect(lastLogEntry('/admin/api/keys')).toMatchObject({ code: 'invalid_token', status: 404 })
    },
  )

  it('[R4] is recorded with at most 100 characters of its method and path', async () => {
    const { call, clientId } = await connectMachine({ scope: 'admin:read' })

    await call(`/users/${'x'.repeat(5000)}/block`, { method: 'POST' })

    const detail = await env.DIRECTORY.prepare('SELECT detail FROM audit WHERE actor = ?')
      .bind(`client:${clientId}`)
      .first<string>('detail')
    expect(detail).toMatch(/^POST \/admin\/api\/users\/x+$/)
    expect(detail).toHaveLength(100)
  })

  it.each(['bearer', 'BEARER'])('[F7] may spell the scheme %s', async (scheme) => {
    const { token } = await connectMachine()
    const headers = { Authorization: `${scheme} ${token}` }

    expect((await callApi('/keys', { headers })).status).toBe(200)
  })

  it.each(['Basic', 'Token'])('[F7] is not found with the scheme %s', async (scheme) => {
    const { token } = await connectMachine()
    const headers = { Authorization: `${scheme} ${token}` }

    expect((await callApi('/keys', { headers })).status).toBe(404)
  })

  it('[F8] is not found with the token in the query', async () => {
    const { token } = await connectMachine()

    expect((await callApi(`/keys?access_token=${token}`)).status).toBe(404)
  })

  it.each(['', 'x', 'a.b.c', '..', 'eyJhbGciOiJub25lIn0..', 'x'.repeat(9000)])(
    '[E14] is not found with a malformed token',
    async (token) => {
      const response = await callApi('/keys', { token })

      expect(response.status).toBe(404)
      await readProblem(response)
    },
  )

  it('[M4] cannot be read by pages of any origin', async () => {
    const { call } = await connectMachine()
    const headers = { Origin: 'https://shop.example' }

    const preflight = await callApi('/keys', { method: 'OPTIONS', headers })
    const response = await call('/keys', { headers })

    expect(preflight.status).toBe(404)
    for (const { headers: sent } of [preflight, response]) {
      expect([...sent.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })

  it('[R10] with another method is answered with 405 and the allowed ones, only with a token', async () => {
    const { call } = await connectMachine()

    const response = await call('/keys', { method: 'DELETE' })

    expect(response.status).toBe(405)
    expect(response.headers.get('Allow')).toBe('GET')
    await readProblem(response)
    expect((await callApi('/keys', { method: 'DELETE' })).status).toBe(404)
  })

  it.each(['/nothing', '/clients/a/b', '/', '', '/users/x/nothing'])(
    'is not found at an address that does not exist: %s',
    async (path) => {
      const { call } = await connectMachine()

      const response = await call(path)

      expect(response.status).toBe(404)
      await readProblem(response)
    },
  )

  it('[R3] cannot avoid the authorization by another spelling of the path', async () => {
    for (const path of [
      '//admin/api/keys',
      '/admin//api/keys',
      '/admin/api/%6beys',
      '/ADMIN/api/keys',
      '/admin/api/keys/',
      '/admin/api;x/keys',
      '/admin/./api/keys',
    ]) {
      const response = await serviceWith({})(new Request(`https://login.example${path}`))

      expect(response.status, path).toBe(404)
    }
  })
})
