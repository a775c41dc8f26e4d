import { env } from 'cloudflare:workers'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { describe, expect, it } from 'vitest'
import { apiStore } from '../../src/registrations/api-store.ts'
import { clientStore } from '../../src/registrations/client-store.ts'
import { verifyMachineToken } from '../../src/tokens/verify.ts'
import { issuedSecrets, LOGIN } from '../browser.ts'
import { advanceClock, stopClock } from '../clock.ts'
import {
  config,
  newId,
  newIsolate,
  ORIGIN,
  registerIntrospector,
} from '../registrations/stored-clients.ts'
import { verifyWithPublishedKeys } from './published-metadata.ts'
import { basic, bearer, formRequest, postForm, RelyingApp, signedIn } from './relying-app.ts'

const ADMIN_API = `${LOGIN}/admin/api`

const SCOPES = [
  { name: 'stock:read', description: 'Read the stock.' },
  { name: 'stock:write', description: 'Change the stock.' },
]

/** Registers an API for machines. */
async function registerApi(fields: Record<string, unknown> = {}) {
  const identifier = `https://${newId('api')}.example`
  const registration = { identifier, scopes: SCOPES, client_credentials: true, ...fields }
  await apiStore.create(env, config, { registration, origin: ORIGIN })
  return { identifier }
}

/** Registers a machine client. */
async function registerMachine(fields: Record<string, unknown> = {}) {
  const clientId = newId('machine')
  const { secret: clientSecret = '' } = await clientStore.create(env, config, {
    registration: {
      client_id: clientId,
      grant_types: ['client_credentials'],
      scope: 'stock:read stock:write',
      ...fields,
    },
    origin: ORIGIN,
  })
  issuedSecrets.add(clientSecret)
  const credentials = basic(clientId, clientSecret)
  const request = (form: Record<string, string> = {}, service = newIsolate().service) =>
    service(formRequest('/oidc/token', { grant_type: 'client_credentials', ...form }, credentials))
  return { clientId, credentials, request }
}

/** A machine client with one API, and a token for it. */
async function issueToken(fields: Record<string, unknown> = {}) {
  const api = await registerApi()
  const machine = await registerMachine({ resources: [api.identifier], ...fields })
  const response = await machine.request()
  expect(response.status).toBe(200)
  const { access_token } = await response.json<{ access_token: string }>()
  issuedSecrets.add(access_token)
  return { api, machine, token: access_token }
}

async function introspect(token: string, credentials: Record<string, string>) {
  const request = formRequest('/oidc/introspect', { token }, credentials)
  return (await newIsolate().service(request)).json<Record<string, unknown>>()
}

async function errorOf(response: Response): Promise<unknown> {
  return (await response.json<{ error?: unknown }>()).error
}

describe('POST /oidc/token with client_credentials', () => {
  it('returns an access token of the client for its only API (RFC 6749 §4.4, RFC 9068 §2.2)', async () => {
    const { identifier } = await registerApi({ access_token_lifetime: 120 })
    const { clientId, request } = await registerMachine({ resources: [identifier] })

    const response = await request()

    expect(response.headers.get('Cache-Control')).toBe('no-store')
    const body = await response.json<{ access_token: string }>()
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 120,
      scope: 'stock:read stock:write',
    })
    expect(decodeProtectedHeader(body.access_token)).toMatchObject({ typ: 'at+jwt', alg: 'ES256' })
    const claims = decodeJwt(body.access_token)
    expect(claims).toEqual({
      iss: LOGIN,
      sub: clientId,
      client_id: clientId,
      aud: identifier,
      scope: 'stock:read stock:write',
      iat: expect.any(Number),
      exp: Number(claims.iat) + 120,
      jti: expect.any(String),
    })
  })

  it('has the type JWT and the claim token_use if the API requires it', async () => {
    const { identifier } = await registerApi({ access_token_type: 'JWT' })
    const { request } = await registerMachine({ resources: [identifier] })

    const { access_token } = await (await request()).json<{ access_token: string }>()

    expect(decodeProtectedHeader(access_token).typ).toBe('JWT')
    expect(decodeJwt(access_token)['token_use']).toBe('access')
  })

  it('[F1] is signed with RS256 if the API requires it', async () => {
    const { identifier } = await registerApi({ access_token_signing_alg: 'RS256' })
    const { request } = await registerMachine({ resources: [identifier] })

    const { access_token } = await (await request()).json<{ access_token: string }>()

    const verified = await verifyWithPublishedKeys(access_token, { audience: identifier })
    expect(verified.protectedHeader.alg).toBe('RS256')
  })

  it('has no member scope if the API has no scopes (RFC 6749 §3.3)', async () => {
    const { identifier } = await registerApi({ scopes: [] })
    const { request } = await registerMachine({ resources: [identifier] })

    const body = await (await request()).json()

    expect(body).toMatchObject({ token_type: 'Bearer' })
    expect(body).not.toHaveProperty('scope')
  })

  it('is granted to a client that only the API lists', async () => {
    const { clientId, request } = await registerMachine()
    const { identifier } = await registerApi({ clients: [clientId] })

    expect((await request({ resource: identifier })).status).toBe(200)
    expect((await request()).status).toBe(200)
  })

  it.each([
    ['stock:read', 'stock:read'],
    ['stock:read unknown openid admin:write', 'stock:read'],
  ])('with the scope "%s" grants "%s"', async (requested, granted) => {
    const { identifier } = await registerApi()
    const { request } = await registerMachine({
      resources: [identifier],
      scope: 'openid stock:read stock:write admin:write',
    })

    expect(await (await request({ scope: requested })).json()).toMatchObject({ scope: granted })
  })

  it('rejects scopes of which the client may have none', async () => {
    const { identifier } = await registerApi()
    const { request } = await registerMachine({ resources: [identifier], scope: 'stock:read' })

    expect(await errorOf(await request({ scope: 'stock:write' }))).toBe('invalid_scope')
    expect(await errorOf(await request({ scope: 'openid offline_access' }))).toBe('invalid_scope')
  })

  it('rejects an API that is unknown, another client’s, or only for users, and several at once', async () => {
    const { identifier } = await registerApi()
    const others = await registerApi()
    const onlyForUsers = await registerApi({ client_credentials: false })
    const { request } = await registerMachine({
      resources: [identifier, onlyForUsers.identifier, 'https://unregistered.example'],
    })

    for (const resource of [
      others.identifier,
      onlyForUsers.identifier,
      'https://unregistered.example',
      'https://unknown.example',
      ADMIN_API,
      LOGIN,
      'x',
    ]) {
      expect(await (await request({ resource })).json()).toEqual({
        error: 'invalid_target',
        error_description: expect.stringContaining(`The client may not use ${resource} without`),
      })
    }
    expect((await request({ resource: identifier })).status).toBe(200)
  })

  it('requires resource if the client may use several APIs, and accepts one per token', async () => {
    const [first, second] = [await registerApi(), await registerApi()]
    const resources = [first.identifier, second.identifier]
    const { credentials, request } = await registerMachine({ resources })
    const form = new URLSearchParams({ grant_type: 'client_credentials' })
    for (const resource of resources) form.append('resource', resource)

    expect(await (await request()).json()).toEqual({
      error: 'invalid_target',
      error_description: expect.stringContaining(first.identifier),
    })
    const both = new Request(`${LOGIN}/oidc/token`, {
      method: 'POST',
      body: form,
      headers: credentials,
    })
    expect(await errorOf(await newIsolate().service(both))).toBe('invalid_target')
  })

  it('rejects a client that is not registered for it, and one without valid credentials', async () => {
    const { identifier } = await registerApi()
    const { clientId, request } = await registerMachine({ resources: [identifier] })
    const form = { grant_type: 'client_credentials', resource: identifier }

    expect(await errorOf(await postForm('/oidc/token', form, basic('web')))).toBe(
      'unauthorized_client',
    )
    expect(await errorOf(await postForm('/oidc/token', { ...form, client_id: 'shop' }))).toBe(
      'unauthorized_client',
    )
    expect(await errorOf(await postForm('/oidc/token', { ...form, client_id: clientId }))).toBe(
      'invalid_client',
    )
    expect(await errorOf(await request({ grant_type: 'authorization_code', code: 'x' }))).toBe(
      'unauthorized_client',
    )
    expect(await errorOf(await request({ grant_type: 'refresh_token', refresh_token: 'x' }))).toBe(
      'unauthorized_client',
    )
  })

  it('rejects a disabled client within a minute', async () => {
    stopClock()
    const { identifier } = await registerApi()
    const { clientId, request } = await registerMachine({ resources: [identifier] })
    const { service } = newIsolate()
    expect((await request({}, service)).status).toBe(200)

    await clientStore.setDisabled(env, config, { id: clientId, isDisabled: true, origin: ORIGIN })
    advanceClock(60)

    expect(await errorOf(await request({}, service))).toBe('invalid_client')
  })
})

describe('the admin API', () => {
  it.each([
    ['admin:read', 'admin:read'],
    ['admin:read admin:write', 'admin:read admin:write'],
  ])('is available to a machine with the scope "%s"', async (scope, granted) => {
    const { clientId, request } = await registerMachine({ resources: [ADMIN_API], scope })

    const { access_token } = await (await request()).json<{ access_token: string }>()

    expect(await verifyMachineToken(env, config, access_token)).toMatchObject({
      clientId,
      scope: granted.split(' '),
      audience: [ADMIN_API],
    })
  })

  it('[F] grants a machine no scope that its registration does not list', async () => {
    const { request } = await registerMachine({ resources: [ADMIN_API], scope: 'admin:read' })

    expect(await errorOf(await request({ scope: 'admin:write' }))).toBe('invalid_scope')
    expect(await (await request({ scope: 'admin:read admin:write' })).json()).toMatchObject({
      scope: 'admin:read',
    })
  })

  it('[F] cannot be entered with a token for another API that defines the same scopes', async () => {
    const scopes = [{ name: 'admin:write', description: 'Pretend.' }]
    const { identifier } = await registerApi({ scopes })
    const { request } = await registerMachine({ resources: [identifier], scope: 'admin:write' })

    const { access_token } = await (await request()).json<{ access_token: string }>()

    expect(await verifyMachineToken(env, config, access_token)).toMatchObject({
      audience: [identifier],
    })
    expect(await errorOf(await request({ resource: ADMIN_API }))).toBe('invalid_target')
  })

  it('[F] is not available for users', async () => {
    const clientId = newId()
    await clientStore.create(env, config, {
      registration: {
        client_id: clientId,
        redirect_uris: [`https://${clientId}.example/callback`],
        grant_types: ['authorization_code', 'client_credentials'],
        resources: [ADMIN_API],
        scope: 'openid admin:read admin:write',
        first_party: true,
      },
      origin: ORIGIN,
    })
    const browser = await signedIn()
    const authorize = async (changes: Record<string, string>) => {
      const query = new URLSearchParams({
        client_id: clientId,
        redirect_uri: `https://${clientId}.example/callback`,
        response_type: 'code',
        scope: 'openid admin:write',
        nonce: 'n',
        ...changes,
      })
      const response = await browser.get(`/oidc/authorize?${query}`)
      return new URL(response.headers.get('Location') ?? '').searchParams
    }

    expect((await authorize({ resource: ADMIN_API })).get('error')).toBe('invalid_target')
    expect((await authorize({})).get('code')).toMatch(/^ac_/)
  })

  it.each([ADMIN_API, LOGIN, `${LOGIN}/`, `${LOGIN}/orders`])(
    'cannot be registered, nor any other address of this service: %s',
    async (identifier) => {
      await expect(
        apiStore.create(env, config, { registration: { identifier }, origin: ORIGIN }),
      ).rejects.toMatchObject({ problems: [{ code: 'invalid' }] })
      await expect(
        apiStore.delete(env, config, { id: ADMIN_API, origin: ORIGIN }),
      ).rejects.toMatchObject({ problems: [{ code: 'read_only' }] })
    },
  )
})

describe('a machine’s token', () => {
  it('[H] is rejected at userinfo', async () => {
    const { token } = await issueToken()

    const response = await newIsolate().service(
      new Request(`${LOGIN}/oidc/userinfo`, { headers: bearer(token) }),
    )

    expect(response.status).toBe(401)
    expect(await errorOf(response)).toBe('invalid_token')
  })

  it('is rejected as the subject_token of an exchange', async () => {
    const { identifier } = await registerApi()
    const { request } = await registerMachine({
      redirect_uris: ['https://machine.example/'],
      grant_types: ['authorization_code', 'client_credentials'],
      first_party: true,
      upstream_tokens: ['tiktok'],
      resources: [identifier],
    })
    const { access_token } = await (await request()).json<{ access_token: string }>()

    const response = await request({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      audience: 'tiktok',
      subject_token: access_token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    })

    expect(await errorOf(response)).toBe('invalid_grant')
  })

  it('[G1] cannot be revoked, and its own client is told so (RFC 7009 §2.2.1)', async () => {
    const { machine, token } = await issueToken()
    const revoke = (credentials: Record<string, string>) =>
      newIsolate().service(formRequest('/oidc/revoke', { token }, credentials))

    expect(await errorOf(await revoke(machine.credentials))).toBe('unsupported_token_type')
    expect((await revoke(basic('web'))).status).toBe(200)
  })

  it('is active for its client and its API, and for nobody else', async () => {
    const { api, machine, token } = await issueToken()
    const other = await registerApi()
    const active = {
      active: true,
      sub: machine.clientId,
      client_id: machine.clientId,
      aud: api.identifier,
      scope: 'stock:read stock:write',
    }

    expect(await introspect(token, machine.credentials)).toMatchObject(active)
    expect(await introspect(token, await registerIntrospector(api.identifier))).toMatchObject(
      active,
    )
    expect(await introspect(token, await registerIntrospector(other.identifier))).toEqual({
      active: false,
    })
    expect(await introspect(token, basic('web'))).toEqual({ active: false })
  })

  it('is inactive once its client is disabled or no longer registered for the API', async () => {
    // Disabling a client revokes its tokens of earlier seconds for good.
    stopClock()
    const { api, machine, token } = await issueToken()
    const { clientId } = machine
    const asApi = await registerIntrospector(api.identifier)
    const update = (changes: Record<string, unknown>) =>
      clientStore.update(env, config, { id: clientId, changes, origin: ORIGIN })

    await clientStore.setDisabled(env, config, { id: clientId, isDisabled: true, origin: ORIGIN })
    expect(await introspect(token, asApi)).toEqual({ active: false })
    await clientStore.setDisabled(env, config, { id: clientId, isDisabled: false, origin: ORIGIN })
    expect(await introspect(token, asApi)).toMatchObject({ active: true })
    await update({ scope: 'stock:read' })
    expect(await introspect(token, asApi)).toMatchObject({ active: true, scope: 'stock:read' })
    await update({ resources: [] })
    expect(await introspect(token, asApi)).toEqual({ active: false })
    await update({ resources: [api.identifier] })
    await apiStore.update(env, config, {
      id: api.identifier,
      changes: { client_credentials: false },
      origin: ORIGIN,
    })
    expect(await introspect(token, asApi)).toEqual({ active: false })
  })

  it('is verified as one, and the token of a user is not', async () => {
    const { token } = await issueToken()
    const { access_token } = await new RelyingApp().tokens(await signedIn())

    expect(await verifyMachineToken(env, config, token)).toBeDefined()
    expect(await verifyMachineToken(env, config, access_token)).toBeUndefined()
  })
})

describe('a machine client that is registered with the id of a deleted one', () => {
  it('[G8] does not make the tokens of the deleted one valid again', async () => {
    stopClock()
    const { api, machine, token } = await issueToken()
    const credentials = await registerIntrospector(api.identifier)
    const isActive = async () => (await introspect(token, credentials))['active']
    expect(await isActive()).toBe(true)
    const { clientId } = machine
    await clientStore.delete(env, config, { id: clientId, origin: ORIGIN })
    advanceClock(60)
    const registration = {
      client_id: clientId,
      grant_types: ['client_credentials'],
      scope: 'stock:read stock:write',
      resources: [api.identifier],
    }

    await clientStore.create(env, config, { registration, origin: ORIGIN })

    expect(await isActive()).toBe(false)
  })
})
