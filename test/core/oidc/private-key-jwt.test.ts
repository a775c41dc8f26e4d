import { env } from 'cloudflare:workers'
import { decodeJwt, exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose'
import * as client from 'openid-client'
import { beforeAll, describe, expect, it } from 'vitest'
import { Browser, LOGIN, serviceWith } from '../../browser.ts'
import { setClock } from '../../clock.ts'
import { clientsWith } from '../../registered-clients.ts'
import {
  basic,
  formRequest,
  postForm,
  RelyingApp,
  SECRETS,
  signedIn,
  signingKey,
} from './relying-app.ts'
import keys from './signing-keys.json'
import { unsignedJwt } from './unsigned-jwt.ts'

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

const { d: _privatePart, ...PUBLIC_KEY } = keys.signer

let privateKey: CryptoKey
beforeAll(async () => {
  privateKey = await signingKey()
})

type Claims = Record<string, unknown>

/** A valid assertion of the client `signer`, with these changes. */
function createAssertion(
  changes: Claims = {},
  header: Claims = {},
  key: CryptoKey | Uint8Array = privateKey,
): Promise<string> {
  const now = currentTime()
  const claims = {
    iss: 'signer',
    sub: 'signer',
    aud: LOGIN,
    exp: now + 60,
    iat: now,
    jti: crypto.randomUUID(),
    ...changes,
  }
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid: 'one', ...header } as { alg: string })
    .sign(key)
}

function currentTime(): number {
  return Math.floor(Date.now() / 1000)
}

/** The form of an introspection request, which is the simplest one that authenticates a client. */
function introspectionForm(client_assertion: string): Record<string, string> {
  return { token: 'x', client_assertion_type: ASSERTION_TYPE, client_assertion }
}

function introspect(assertion: string, form: Record<string, string> = {}): Promise<Response> {
  return postForm('/oidc/introspect', { ...introspectionForm(assertion), ...form })
}

describe('private_key_jwt', () => {
  it('[R4] authenticates a client at an address from which strangers send invalid assertions', async () => {
    const from = { 'CF-Connecting-IP': '2001:db8:21::1' }
    const send = async (assertion: string) =>
      (await postForm('/oidc/introspect', introspectionForm(assertion), from)).status
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) statuses.push(await send(unsignedJwt({ sub: 'signer' })))

    expect(statuses.slice(-2)).toEqual([429, 429])
    expect(await send(await createAssertion())).toBe(200)
  })

  it('[C21] authenticates an ordinary client that exchanges a code, refreshes and introspects', async () => {
    const app = new RelyingApp('signer')

    const tokens = await app.tokens(await signedIn(), { scope: 'openid offline_access' })
    const refreshed = await app.refresh(tokens.refresh_token ?? '')
    const result = await client.tokenIntrospection(
      await app.configuration(),
      refreshed.access_token,
    )

    expect(tokens.claims()?.aud).toBe('signer')
    expect(refreshed.refresh_token).toMatch(/^rt_/)
    expect(result.active).toBe(true)
  })

  it.each(['RS256', 'PS256', 'EdDSA', 'Ed25519'])(
    '[C21] needs no kid when one key is registered, and accepts %s',
    async (alg) => {
      const pair = await generateKeyPair(alg)
      const service = serviceWith({
        CLIENTS: [
          {
            client_id: 'signer',
            redirect_uris: ['https://signer.example/callback'],
            jwks: { keys: [await exportJWK(pair.publicKey)] },
          },
        ],
      })
      const assertion = await createAssertion({}, { alg, kid: undefined }, pair.privateKey)

      const response = await service(formRequest('/oidc/introspect', introspectionForm(assertion)))

      expect(response.status).toBe(200)
    },
  )

  it.each(['RS384', 'RS512', 'PS384', 'PS512'])(
    '[C21][E1] rejects %s, although the registered key could verify it',
    async (alg) => {
      const rsa = await generateKeyPair('RS256', { extractable: true })
      const service = serviceWith({
        CLIENTS: [
          {
            client_id: 'signer',
            redirect_uris: ['https://signer.example/callback'],
            jwks: { keys: [await exportJWK(rsa.publicKey)] },
          },
        ],
      })
      const key = (await importJWK(await exportJWK(rsa.privateKey), alg)) as CryptoKey
      const assertion = await createAssertion({}, { alg, kid: undefined }, key)

      const response = await service(formRequest('/oidc/introspect', introspectionForm(assertion)))

      expect(response.status).toBe(401)
    },
  )

  it.each([
    [310, 200],
    [311, 401],
  ])('[C21] with an assertion that expires in %i s returns %i', async (seconds, status) => {
    const now = currentTime()
    setClock(now)

    const response = await introspect(await createAssertion({ exp: now + seconds }))

    expect(response.status).toBe(status)
  })

  it('[C21] keeps the ids of different clients apart', async () => {
    const jwks = { keys: [PUBLIC_KEY] }
    const clients = ['signer', 'signer-2'].map((client_id) => ({
      client_id,
      redirect_uris: [`https://${client_id}.example/callback`],
      jwks,
    }))
    const service = serviceWith({ CLIENTS: clients })
    const jti = crypto.randomUUID()

    const statuses = []
    for (const { client_id } of clients) {
      const assertion = await createAssertion({ iss: client_id, sub: client_id, jti })
      const request = formRequest('/oidc/introspect', introspectionForm(assertion))
      statuses.push((await service(request)).status)
    }

    expect(statuses).toEqual([200, 200])
  })

  it.each<[string, () => Promise<string>]>([
    ['for another service', () => createAssertion({ aud: 'https://other.example' })],
    ['for another endpoint', () => createAssertion({ aud: `${LOGIN}/oidc/introspect` })],
    ['for an array of audiences', () => createAssertion({ aud: [LOGIN] })],
    ['for two audiences', () => createAssertion({ aud: [LOGIN, `${LOGIN}/oidc/token`] })],
    [
      'for us and another service',
      () => createAssertion({ aud: [`${LOGIN}/oidc/token`, 'https://other.example/token'] }),
    ],
    ['for the issuer with a slash', () => createAssertion({ aud: `${LOGIN}/` })],
    ['for the token endpoint with a slash', () => createAssertion({ aud: `${LOGIN}/oidc/token/` })],
    ['without an audience', () => createAssertion({ aud: undefined })],
    ['of another issuer', () => createAssertion({ iss: 'web' })],
    ['that has expired', () => createAssertion({ exp: currentTime() - 60 })],
    ['without an expiry', () => createAssertion({ exp: undefined })],
    ['that expires next year', () => createAssertion({ exp: currentTime() + 365 * 86_400 })],
    ['whose expiry is a string', () => createAssertion({ exp: 'tomorrow' })],
    ['that is not valid yet', () => createAssertion({ nbf: currentTime() + 60 })],
    ['issued in the future', () => createAssertion({ iat: currentTime() + 60 })],
    ['without a jti', () => createAssertion({ jti: undefined })],
    ['with an empty jti', () => createAssertion({ jti: '' })],
    ['with a number as jti', () => createAssertion({ jti: 7 })],
    ['with an unknown kid', () => createAssertion({}, { kid: 'two' })],
    ['with a critical header', () => createAssertion({}, { crit: ['b64'], b64: true })],
    [
      'signed with another key',
      async () => createAssertion({}, {}, (await generateKeyPair('ES256')).privateKey),
    ],
    [
      'signed with the registered JWK as an HMAC secret',
      () => {
        const secret = new TextEncoder().encode(JSON.stringify(keys.signer))
        return createAssertion({}, { alg: 'HS256' }, secret)
      },
    ],
    [
      'without a signature',
      async () => unsignedJwt(decodeJwt(await createAssertion()), { alg: 'none', kid: 'one' }),
    ],
    ['that is malformed', async () => 'x.y.z'],
  ])('[C21] rejects an assertion %s', async (_, create) => {
    const response = await introspect(await create())

    expect(response.status).toBe(401)
    expect(response.headers.get('WWW-Authenticate')).toBeNull()
    expect(await response.json()).toMatchObject({ error: 'invalid_client' })
  })

  it.each(['/oidc/token', '/oidc/introspect', '/oidc/revoke'])(
    '[C21] accepts an assertion for the issuer only at %s, unless the client is an older one (RFC 10070)',
    async (path) => {
      const older = { signer: { client_assertion_audience: 'token_endpoint' } }
      const olderService = serviceWith({ CLIENTS: clientsWith(older) })
      const tokenEndpoint = `${LOGIN}/oidc/token`
      const send = async (aud: string, service = serviceWith({})) => {
        const form = introspectionForm(await createAssertion({ aud }))
        const response = await service(formRequest(path, { ...form, grant_type: 'refresh_token' }))
        return (await response.text()).includes('invalid_client') ? 'rejected' : 'accepted'
      }

      expect(await send(LOGIN)).toBe('accepted')
      expect(await send(tokenEndpoint)).toBe('rejected')
      expect(await send(LOGIN, olderService)).toBe('accepted')
      expect(await send(tokenEndpoint, olderService)).toBe('accepted')
    },
  )

  it('[C12] of a client with keys that sends a secret or nothing is not challenged to use Basic', async () => {
    const form = { token: 'x', client_id: 'signer' }

    const responses = [
      await postForm('/oidc/introspect', form),
      await postForm('/oidc/introspect', { ...form, client_secret: 'x' }),
      await postForm('/oidc/introspect', form, basic('signer', 'x')),
    ]

    for (const response of responses) {
      expect(response.status).toBe(401)
      expect(response.headers.get('WWW-Authenticate')).toBeNull()
    }
  })

  it('[C21] does not mark the jti of a rejected assertion as used', async () => {
    const jti = crypto.randomUUID()

    const rejected = await introspect(await createAssertion({ jti, aud: 'https://other.example' }))
    const accepted = await introspect(await createAssertion({ jti }))

    expect([rejected.status, accepted.status]).toEqual([401, 200])
  })

  it.each<[string, number, Record<string, string>]>([
    ['another client_id', 401, { client_id: 'web' }],
    ['its own client_id', 200, { client_id: 'signer' }],
    ['another assertion type', 400, { client_assertion_type: 'saml' }],
    ['an additional client_secret', 400, { client_secret: 'x', client_id: 'signer' }],
  ])('[C10] with %s returns %i', async (_, status, form) => {
    const response = await introspect(await createAssertion(), form)

    expect(response.status).toBe(status)
  })

  it('[C10] is rejected for a client registered with a secret, and a secret for one with keys', async () => {
    const claims = { iss: 'web', sub: 'web' }
    const form = { token: 'x', client_id: 'signer', client_secret: SECRETS['web'] ?? '' }

    const assertion = await introspect(await createAssertion(claims))
    const secret = await postForm('/oidc/introspect', form)
    const none = await postForm('/oidc/token', { client_id: 'signer', grant_type: 'x' })

    expect([assertion.status, secret.status, none.status]).toEqual([401, 401, 401])
  })

  it('[Q6] returns 503 when the storage of used assertions is unavailable', async () => {
    const GUARDS = new Proxy(env.GUARDS, {
      get: () => {
        throw new Error('gone')
      },
    })
    const form = introspectionForm(await createAssertion())

    const response = await serviceWith({ GUARDS })(formRequest('/oidc/introspect', form))

    expect(response.status).toBe(503)
  })

  it.each<[string, Record<string, unknown>, string]>([
    ['a private key', { jwks: { keys: [keys.signer] } }, 'contains a private key'],
    ['no key', { jwks: { keys: [] } }, 'is empty'],
    ['a short key', { jwks: { keys: [{ kty: 'RSA', e: 'AQAB', n: 'x'.repeat(171) }] } }, '2048'],
    ['another curve', { jwks: { keys: [{ kty: 'EC', crv: 'P-384', x: 'x', y: 'y' }] } }, 'P-256'],
    ['a symmetric key', { jwks: { keys: [{ kty: 'oct', k: 'x' }] } }, 'EC or RSA'],
    ['an incomplete key', { jwks: { keys: [{ kty: 'EC', crv: 'P-256' }] } }, 'not a public key'],
    [
      'the members of an EC key as an RSA key',
      { jwks: { keys: [{ ...PUBLIC_KEY, kty: 'RSA' }] } },
      'not a public key',
    ],
    [
      'the members of an RSA key as an EC key',
      { jwks: { keys: [{ kty: 'EC', e: 'AQAB', n: 'x'.repeat(342) }] } },
      'not a public key',
    ],
    [
      'the method but no keys',
      { token_endpoint_auth_method: 'private_key_jwt' },
      'needs jwks or jwks_uri, and has neither',
    ],
    [
      'both keys and secrets',
      { jwks: { keys: [PUBLIC_KEY] }, client_secrets_sha256: ['0'.repeat(64)] },
      'jwks is set next to client_secrets_sha256',
    ],
  ])('[C21][E12] cannot be registered with %s', async (_, registration, problem) => {
    const CLIENTS = [
      { client_id: 'signer', redirect_uris: ['https://signer.example/callback'], ...registration },
    ]

    const response = await new Browser(serviceWith({ CLIENTS })).get('/readyz')

    expect(response.status).toBe(503)
    expect(await response.text()).toContain(problem)
  })
})

describe('a registered key that cannot be used', () => {
  it('[C21] does not authenticate its client, and causes no unexpected error', async () => {
    const offCurve = { ...PUBLIC_KEY, y: PUBLIC_KEY.x }
    const service = serviceWith({
      CLIENTS: [
        {
          client_id: 'signer',
          redirect_uris: ['https://signer.example/callback'],
          jwks: { keys: [offCurve] },
        },
      ],
    })

    const response = await service(
      new Request(`${LOGIN}/oidc/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          refresh_token: 'rt_x',
          client_assertion: await createAssertion(),
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        }),
      }),
    )

    expect(response.status).toBe(401)
  })
})
