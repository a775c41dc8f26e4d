import { env } from 'cloudflare:workers'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import * as client from 'openid-client'
import { beforeAll, describe, expect, it } from 'vitest'
import { Browser, LOGIN, serviceWith } from '../browser.ts'
import { post, RelyingApp, SECRETS, signedIn, signingKey } from './relying-app.ts'
import keys from './signing-keys.json'

const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

let key: CryptoKey
beforeAll(async () => {
  key = await signingKey()
})

type Claims = Record<string, unknown>

/** What the client `signer` signs, but for some changes. */
function assertion(
  changes: Claims = {},
  header: Claims = {},
  by: CryptoKey | Uint8Array = key,
): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
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
    .sign(by)
}

function introspect(client_assertion: string, form: Record<string, string> = {}) {
  return post('/oidc/introspect', {
    token: 'x',
    client_assertion_type: TYPE,
    client_assertion,
    ...form,
  })
}

describe('private_key_jwt', () => {
  it('[C21] an ordinary client signs in and refreshes with it', async () => {
    const app = new RelyingApp('signer')
    const tokens = await app.tokens(await signedIn(), { scope: 'openid offline_access' })
    const next = await app.refresh(tokens.refresh_token ?? '')

    expect(tokens.claims()?.aud).toBe('signer')
    expect(next.refresh_token).toMatch(/^rt_/)
    const about = await client.tokenIntrospection(await app.configuration(), next.access_token)
    expect(about.active).toBe(true)
  })

  it('[C21] takes each assertion once, however many show it at once', async () => {
    for (let round = 0; round < 20; round++) {
      const shown = await assertion()
      const answers = await Promise.all(Array.from({ length: 50 }, () => introspect(shown)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    }
  })

  it('[C21] needs no kid where there is one key, and takes RS256', async () => {
    const { publicKey, privateKey } = await generateKeyPair('RS256')
    const service = serviceWith({
      CLIENTS: [
        {
          client_id: 'signer',
          redirect_uris: ['https://signer.example/callback'],
          jwks: { keys: [await exportJWK(publicKey)] },
        },
      ],
    })
    const shown = await assertion({}, { alg: 'RS256', kid: undefined }, privateKey)

    const response = await new Browser(service).fetch('/oidc/introspect', {
      form: { token: 'x', client_assertion_type: TYPE, client_assertion: shown },
    })

    expect(response.status).toBe(200)
  })

  const now = () => Math.floor(Date.now() / 1000)
  it.each<[string, () => Promise<string>]>([
    ['for another service', () => assertion({ aud: 'https://other.example' })],
    ['for the endpoint in place of the issuer', () => assertion({ aud: `${LOGIN}/oidc/token` })],
    ['for several', () => assertion({ aud: [LOGIN] })],
    ['for us with a slash', () => assertion({ aud: `${LOGIN}/` })],
    ['for nobody', () => assertion({ aud: undefined })],
    ['of another issuer', () => assertion({ iss: 'web' })],
    ['that ended', () => assertion({ exp: now() - 60 })],
    ['that never ends', () => assertion({ exp: undefined })],
    ['that ends next year', () => assertion({ exp: now() + 365 * 86_400 })],
    ['that ends in words', () => assertion({ exp: 'tomorrow' })],
    ['that begins later', () => assertion({ nbf: now() + 60 })],
    ['made later', () => assertion({ iat: now() + 60 })],
    ['without a name', () => assertion({ jti: undefined })],
    ['with an empty name', () => assertion({ jti: '' })],
    ['with a number for a name', () => assertion({ jti: 7 })],
    ['of an unknown key', () => assertion({}, { kid: 'two' })],
    ['with something critical', () => assertion({}, { crit: ['b64'], b64: true })],
    ['by another key', async () => assertion({}, {}, (await generateKeyPair('ES256')).privateKey)],
    [
      'by a shared secret',
      () => assertion({}, { alg: 'HS256' }, new TextEncoder().encode(JSON.stringify(keys.signer))),
    ],
    [
      'by nobody',
      async () =>
        `${btoa('{"alg":"none","kid":"one"}').replaceAll('=', '')}.${(await assertion()).split('.')[1]}.`,
    ],
    ['that is none', async () => 'x.y.z'],
  ])('[C21] refuses an assertion %s', async (_, make) => {
    const response = await introspect(await make())

    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ error: 'invalid_client' })
  })

  it('[C21] does not use up the name of an assertion that it refuses', async () => {
    const jti = crypto.randomUUID()
    expect((await introspect(await assertion({ jti, aud: 'https://other.example' }))).status).toBe(
      401,
    )

    expect((await introspect(await assertion({ jti }))).status).toBe(200)
  })

  it.each<[string, Record<string, string>, number]>([
    ['another client_id', { client_id: 'web' }, 401],
    ['its own client_id', { client_id: 'signer' }, 200],
    ['another type', { client_assertion_type: 'saml' }, 400],
    ['a secret beside it', { client_secret: 'x', client_id: 'signer' }, 400],
  ])('[C10] with %s', async (_, form, status) => {
    expect((await introspect(await assertion(), form)).status).toBe(status)
  })

  it('[C10] is no way in for who is registered with a secret, nor a secret for who signs', async () => {
    const claims = { iss: 'web', sub: 'web' }
    expect((await introspect(await assertion(claims))).status).toBe(401)

    const form = { token: 'x', client_id: 'signer', client_secret: SECRETS['web'] ?? '' }
    expect((await post('/oidc/introspect', form)).status).toBe(401)
    expect((await post('/oidc/token', { client_id: 'signer', grant_type: 'x' })).status).toBe(401)
  })

  it('[Q6] is refused for now when nobody can tell whether it was used', async () => {
    const GUARDS = new Proxy(env.GUARDS, {
      get: () => {
        throw new Error('gone')
      },
    })
    const response = await new Browser(serviceWith({ GUARDS })).fetch('/oidc/introspect', {
      form: { token: 'x', client_assertion_type: TYPE, client_assertion: await assertion() },
    })

    expect(response.status).toBe(503)
  })

  const registered = keys.signer
  it.each<[string, Record<string, unknown>, string]>([
    ['a private key', { jwks: { keys: [registered] } }, 'holds a secret'],
    ['no key', { jwks: { keys: [] } }, 'has no key'],
    ['a short key', { jwks: { keys: [{ kty: 'RSA', e: 'AQAB', n: 'x'.repeat(171) }] } }, '2048'],
    ['another curve', { jwks: { keys: [{ kty: 'EC', crv: 'P-384', x: 'x', y: 'y' }] } }, 'P-256'],
    ['a shared secret', { jwks: { keys: [{ kty: 'oct', k: 'x' }] } }, 'EC or RSA'],
    ['half a key', { jwks: { keys: [{ kty: 'EC', crv: 'P-256' }] } }, 'not a public key'],
    ['a method without keys', { token_endpoint_auth_method: 'private_key_jwt' }, 'no jwks'],
    [
      'two ways at once',
      { jwks: { keys: [publicPart()] }, client_secrets_sha256: ['0'.repeat(64)] },
      'both secrets and keys',
    ],
  ])('[C21][E12] is not registered with %s', async (_, registration, problem) => {
    const CLIENTS = [
      { client_id: 'signer', redirect_uris: ['https://signer.example/callback'], ...registration },
    ]
    const response = await new Browser(
      serviceWith({ CLIENTS, AUTH_URL: 'http://localhost:8787' }),
      'http://localhost:8787',
    ).get('/healthz', { Accept: 'application/json' })

    expect(response.status).toBe(500)
    expect(await response.text()).toContain(problem)
  })

  function publicPart() {
    const { d: _, ...rest } = registered
    return rest
  }
})
