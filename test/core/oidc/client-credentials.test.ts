import { env } from 'cloudflare:workers'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { describe, expect, it } from 'vitest'
import { apiStore } from '../../../src/administration/registrations/api-store.ts'
import { clientStore } from '../../../src/administration/registrations/client-store.ts'
import { verifyMachineToken } from '../../../src/core/tokens/verify.ts'
import { LOGIN } from '../../browser.ts'
import { advanceClock, stopClock } from '../../clock.ts'
import {
  config,
  newIsolate,
  ORIGIN,
  registerIntrospector,
} from '../registrations/stored-clients.ts'
import { issueToken, registerApi, registerMachine } from './machines.ts'
import { verifyWithPublishedKeys } from './published-metadata.ts'
import { basic, bearer, formRequest, postForm, RelyingApp, signedIn } from './relying-app.ts'

const ADMIN_API = `${LOGIN}/admin/api`

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

  it('is granted for its only API if that is in the settings, and asked which one if another is in the database', async () => {
    const identifier = 'https://settings.example'
    const { service } = newIsolate({ APIS: [{ identifier, client_credentials: true }] })
    const { identifier: stored } = await registerApi()
    const one = await registerMachine({ resources: [identifier] })
    const two = await registerMachine({ resources: [identifier, stored] })

    const { access_token } = await (await one.request({}, service)).json<{ access_token: string }>()
    const { error_description } = await (await two.request({}, service)).json<{
      error_description: string
    }>()

    expect(decodeJwt(access_token).aud).toBe(identifier)
    expect(error_description).toContain(identifier)
    expect(error_description).toContain(stored)
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

    expect(await (await request({ scope: 'stock:write' })).json()).toEqual({
      error: 'invalid_scope',
      error_description:
        'The client may have none of these scopes at this API. It may have: stock:read.',
    })
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

describe('a machine’s token', () => {
  it('[H] is rejected at userinfo', async () => {
    const { token } = await issueToken()

    const response = await newIsolate().service(
      new Request(`${LOGIN}/oidc/userinfo`, { headers: bearer(token) }),
    )

    expect(response.status).toBe(401)
    expect(await errorOf(response)).toBe('invalid_token')
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
