import { env } from 'cloudflare:workers'
import { base64url, calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { clientStore } from '../../../src/administration/registrations/client-store.ts'
import { Seal } from '../../../src/foundation/crypto/seal.ts'
import { createVerifier } from '../../../src/verify.ts'
import { Browser, issuedSecrets, LOGIN, serviceWith } from '../../browser.ts'
import { advanceClock, stopClock } from '../../clock.ts'
import { basic, formRequest } from '../../core/oidc/relying-app.ts'
import { config, newId, ORIGIN, redirectUri } from '../../core/registrations/stored-clients.ts'
import { signInNewUser } from '../../new-user.ts'
import { redirectUrl } from '../../redirect.ts'
import { ADMIN_API, callApi, connectMachine } from './machine-client.ts'

const ORDERS = 'https://orders.example'

const MACHINE = {
  grant_types: ['client_credentials'],
  scope: 'admin:read',
  resources: [ADMIN_API],
}

/** Registers a client, and returns its id and secret. */
async function register(fields: Record<string, unknown>) {
  const id = newId('rotating')
  const registration = { client_id: id, ...fields }
  const { secret = '' } = await clientStore.create(env, config, { registration, origin: ORIGIN })
  if (secret) issuedSecrets.add(secret)
  return { id, secret }
}

/** Calls an operation on a client, and returns its response. */
async function change(id: string, operation: string): Promise<{ client_secret: string }> {
  const { call } = await connectMachine()
  const response = await call(`/clients/${id}/${operation}`, { method: 'POST' })
  expect(response.status).toBe(200)
  const body = await response.json<{ client_secret: string }>()
  if (body.client_secret) issuedSecrets.add(body.client_secret)
  return body
}

/** Sends a token request to an isolate that has read nothing before. */
async function requestToken(
  form: Record<string, string>,
  headers?: Record<string, string>,
  service = serviceWith({}),
): Promise<Record<string, string>> {
  const response = await service(formRequest('/oidc/token', form, headers))
  expect(response.status).toBe(200)
  const tokens = await response.json<Record<string, string>>()
  issuedSecrets.add(tokens['access_token'] ?? '')
  return tokens
}

async function machineToken(id: string, secret: string, service = serviceWith({})) {
  const form = { grant_type: 'client_credentials' }
  return (await requestToken(form, basic(id, secret), service))['access_token'] ?? ''
}

/** Whether an API accepts a token that it verifies with the library, with a feed read just now. */
async function isAcceptedByApi(token: string, audience: string): Promise<boolean> {
  const service = serviceWith({})
  const verifier = createVerifier({
    issuer: LOGIN,
    audience,
    fetch: (url, init) => service(new Request(url, init)),
  })
  return verifier.verify(token).then(
    () => true,
    () => false,
  )
}

/** Whether the admin API accepts a token. */
async function isAcceptedHere(token: string): Promise<boolean> {
  return (await callApi('/clients', { token })).status === 200
}

describe('the removal of the former secret of a client', () => {
  it('[G5] revokes the tokens that were obtained with it, and none that were obtained with the new one', async () => {
    stopClock()
    const { id, secret } = await register(MACHINE)
    const before = await machineToken(id, secret)
    const { client_secret } = await change(id, 'rotate-secret')
    const first = await machineToken(id, client_secret)
    const between = await machineToken(id, secret)
    const second = await machineToken(id, client_secret)

    await change(id, 'remove-former-secret')

    for (const token of [before, between]) {
      expect(await isAcceptedHere(token)).toBe(false)
      expect(await isAcceptedByApi(token, ADMIN_API)).toBe(false)
    }
    for (const token of [first, second]) {
      expect(await isAcceptedHere(token)).toBe(true)
      expect(await isAcceptedByApi(token, ADMIN_API)).toBe(true)
    }
  })

  it('[G5] revokes what an isolate issues that does not know of it yet', async () => {
    stopClock()
    const { id, secret } = await register(MACHINE)
    const late = serviceWith({})
    await machineToken(id, secret, late)
    await change(id, 'rotate-secret')
    await change(id, 'remove-former-secret')
    advanceClock(20)

    const token = await machineToken(id, secret, late)

    expect(await isAcceptedByApi(token, ADMIN_API)).toBe(false)
  })

  it("[G5] keeps users' tokens that were obtained or refreshed with the new secret", async () => {
    stopClock()
    const id = newId('rotating')
    const { secret = '' } = await clientStore.create(env, config, {
      registration: {
        client_id: id,
        redirect_uris: [redirectUri(id)],
        first_party: true,
        require_pkce: false,
        scope: 'openid offline_access',
        resources: [ORDERS],
      },
      origin: ORIGIN,
    })
    issuedSecrets.add(secret)
    const { browser } = await signInNewUser(new Browser(serviceWith({})))
    const code = async () => {
      const query = new URLSearchParams({
        client_id: id,
        redirect_uri: redirectUri(id),
        response_type: 'code',
        scope: 'openid offline_access',
        resource: ORDERS,
        nonce: crypto.randomUUID(),
      })
      const { searchParams } = redirectUrl(await browser.get(`/oidc/authorize?${query}`), 303)
      return searchParams.get('code') ?? ''
    }
    const redeem = async (withSecret: string) =>
      requestToken(
        { grant_type: 'authorization_code', code: await code(), redirect_uri: redirectUri(id) },
        basic(id, withSecret),
      )
    const former = await redeem(secret)
    const { client_secret } = await change(id, 'rotate-secret')
    const obtained = await redeem(client_secret)
    const refreshed = await requestToken(
      { grant_type: 'refresh_token', refresh_token: former['refresh_token'] ?? '' },
      basic(id, client_secret),
    )

    await change(id, 'remove-former-secret')

    const results = []
    for (const { access_token = '' } of [former, obtained, refreshed]) {
      const form = { token: access_token }
      const introspection = formRequest('/oidc/introspect', form, basic(id, client_secret))
      const { active } = await (await serviceWith({})(introspection)).json<{ active: boolean }>()
      results.push([active, await isAcceptedByApi(access_token, ORDERS)])
    }
    expect(results).toEqual([
      [false, false],
      [true, true],
      [true, true],
    ])
  })

  it('[G5] revokes tokens that were issued before AUTH_SECRET was replaced', async () => {
    const { id, secret } = await register(MACHINE)
    const token = await machineToken(id, secret)
    await change(id, 'rotate-secret')
    const seal = new Seal(['a'.repeat(43), env.AUTH_SECRET])

    await clientStore.removeFormerSecret(env, { ...config, seal }, { id, origin: ORIGIN })

    expect(await isAcceptedByApi(token, ADMIN_API)).toBe(false)
  })
})

describe('the removal of a key of a client', () => {
  async function createKey() {
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    const jwk = await exportJWK(publicKey)
    return { privateKey, jwk: { ...jwk, kid: await calculateJwkThumbprint(jwk) } }
  }

  type Key = Awaited<ReturnType<typeof createKey>>

  async function tokenWith(id: string, { privateKey, jwk }: Key, alg = 'ES256'): Promise<string> {
    const client_assertion = await new SignJWT({ jti: crypto.randomUUID() })
      .setProtectedHeader({ alg, kid: jwk.kid })
      .setIssuer(id)
      .setSubject(id)
      .setAudience(LOGIN)
      .setExpirationTime('1m')
      .sign(privateKey)
    const { access_token = '' } = await requestToken({
      grant_type: 'client_credentials',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion,
    })
    return access_token
  }

  it('[G5] revokes the tokens that were obtained with it only, until it is added again', async () => {
    stopClock()
    const keys = [await createKey(), await createKey()] as const
    const setKeys = (id: string, ...registered: Key[]) =>
      clientStore.update(env, config, {
        id,
        changes: { jwks: { keys: registered.map(({ jwk }) => jwk) } },
        origin: ORIGIN,
      })
    const { id } = await register({ ...MACHINE, jwks: { keys: keys.map(({ jwk }) => jwk) } })
    const [removed, kept] = [await tokenWith(id, keys[0]), await tokenWith(id, keys[1])]
    const service = serviceWith({})
    const running = createVerifier({
      issuer: LOGIN,
      audience: ADMIN_API,
      fetch: (url, init) => service(new Request(url, init)),
    })

    await setKeys(id, keys[1])
    await expect(running.verify(removed)).rejects.toThrow('The token was revoked.')
    expect(await isAcceptedByApi(removed, ADMIN_API)).toBe(false)
    expect(await isAcceptedHere(removed)).toBe(false)
    expect(await isAcceptedByApi(kept, ADMIN_API)).toBe(true)
    expect(await isAcceptedHere(kept)).toBe(true)

    advanceClock(10)
    await setKeys(id, ...keys)
    const again = await tokenWith(id, keys[0])
    expect(await isAcceptedByApi(again, ADMIN_API)).toBe(true)
    expect(await isAcceptedHere(again)).toBe(true)
    await running.verify(again)
    expect(await isAcceptedByApi(removed, ADMIN_API)).toBe(false)
    expect(await isAcceptedHere(removed)).toBe(false)
  })

  it('[G5] revokes them if the registration spells the key with leading zeros', async () => {
    const { privateKey, publicKey } = await generateKeyPair('PS256')
    const { n = '', ...rest } = await exportJWK(publicKey)
    const padded = base64url.encode(new Uint8Array([0, ...base64url.decode(n)]))
    const jwk = { ...rest, n: padded, kid: 'padded' }
    const other = await createKey()
    const { id } = await register({ ...MACHINE, jwks: { keys: [jwk, other.jwk] } })
    const token = await tokenWith(id, { privateKey, jwk }, 'PS256')

    const changes = { jwks: { keys: [other.jwk] } }
    await clientStore.update(env, config, { id, changes, origin: ORIGIN })

    expect(await isAcceptedByApi(token, ADMIN_API)).toBe(false)
    expect(await isAcceptedHere(token)).toBe(false)
  })
})
