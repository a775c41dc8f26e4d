import { Hono } from 'hono'
import { CompactEncrypt, CompactSign, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { signWithUnusualKey, UNUSUAL_KEYS } from './unusual-keys.ts'

/**
 * The contents of an authorization code. The test writes the code itself, so it can select a fault
 * without another channel to this provider.
 */
interface CodeContents {
  nonce?: string
  /** What is wrong with the token response or its ID token. */
  fault?: string
  /** Present if the response has a refresh token: what is wrong with each response to it. */
  refreshFaults?: string[]
  /** Claims of the ID token that replace those of a good one. */
  claims?: Record<string, unknown>
}

const HOST = 'https://hostile.example'

/** Another origin of the same provider. */
const API_HOST = 'https://api.hostile.example'

const [firstKey, secondKey] = await Promise.all(
  ['one', 'two'].map(async (kid) => {
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
    return {
      kid,
      privateKey,
      jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } as JWK,
    }
  }),
)
if (!firstKey || !secondKey) throw new Error('A signing key is missing.')

/**
 * Keys of the less common algorithms of RFC 7518 and RFC 8037. The mode of the same name has no
 * other key.
 */
const RARE_KEYS = new Map(
  await Promise.all(
    ['RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES384', 'ES512', 'EdDSA'].map(async (alg) => {
      const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
      return [alg, { privateKey, jwk: await exportJWK(publicKey) }] as const
    }),
  ),
)

/**
 * An OpenID Provider with faults that a certified one does not have. The first path segment (the
 * mode) selects what is wrong with its metadata and keys, the code what is wrong with its tokens.
 * Each runtime of the tests has its own, because it counts requests.
 */
export function createHostileProvider(): Hono {
  /** The number of requests received, by path. */
  const requestCounts = new Map<string, number>()
  return new Hono()
    .use(async (c, next) => {
      requestCounts.set(c.req.path, (requestCounts.get(c.req.path) ?? 0) + 1)
      await next()
    })
    .get('/request-counts', (c) => c.json(Object.fromEntries(requestCounts)))
    .get('/down/.well-known/openid-configuration', async (c, next) => {
      const isFirstRequest = requestCounts.get(c.req.path) === 1
      return isFirstRequest ? next() : c.text('Down', 503)
    })
    .route('/', endpoints)
}

const endpoints = new Hono()
  .get('/:mode/.well-known/openid-configuration', (c) => {
    const mode = c.req.param('mode')
    if (mode === 'html') return c.html('<h1>Hello</h1>')
    if (mode === 'redirecting') return c.redirect(`${HOST}/plain/.well-known/openid-configuration`)
    const issuer = `${HOST}/${mode}`
    const document = {
      issuer: mode === 'issuer-mismatch' ? `${HOST}/other` : issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: mode === 'insecure-jwks' ? 'http://hostile.example/jwks' : `${issuer}/jwks`,
      id_token_signing_alg_values_supported: [
        ...['RS256', 'ES256', ...RARE_KEYS.keys()],
        ...(mode === 'none-supported' ? ['none'] : []),
      ],
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      token_endpoint_auth_methods_supported: AUTH_METHODS[mode],
      revocation_endpoint: `${issuer}/revoke`,
      padding: mode === 'oversized-metadata' ? 'x'.repeat(300_000) : undefined,
      authorization_response_iss_parameter_supported: mode === 'iss-promised' ? true : undefined,
      ...FOREIGN_ENDPOINTS[mode],
    }
    return c.json(document)
  })
  .get('/:mode/jwks', (c) => {
    const mode = c.req.param('mode')
    if (mode in FAULTY_KEY_SETS) return c.json(FAULTY_KEY_SETS[mode])
    const onlyKey = UNUSUAL_KEYS[mode] ?? RARE_KEYS.get(mode)
    if (onlyKey) return c.json({ keys: [onlyKey.jwk] })
    const keys = mode === 'one-key' ? [firstKey.jwk] : [firstKey.jwk, secondKey.jwk]
    return c.json({ keys })
  })
  .post('/:mode/token', async (c) => {
    const form = await c.req.parseBody()
    const code = readCode(form)
    if (code.fault === 'basic-expected' && !c.req.header('Authorization')?.startsWith('Basic ')) {
      return c.json({ error: 'invalid_client' }, 401)
    }
    return c.json({
      access_token: `at-${code.fault ?? 'good'}`,
      token_type: code.fault === 'unsupported-token-type' ? 'mac' : 'Bearer',
      expires_in: LIFETIMES.has(code.fault) ? LIFETIMES.get(code.fault) : 3600,
      ...(code.refreshFaults && { refresh_token: JSON.stringify(code.refreshFaults) }),
      ...(!code.fault?.endsWith('no-id-token') && {
        id_token: await createIdToken(`${HOST}/${c.req.param('mode')}`, code),
      }),
    })
  })
  .post('/:mode/revoke', (c) => c.body(null))
  .get('/:mode/userinfo', (c) => {
    const fault = c.req.header('Authorization')?.replace('Bearer at-', '')
    return c.json({
      ...(fault !== 'userinfo-without-sub' && {
        sub: fault === 'userinfo-sub' ? 'user-2' : 'user-1',
      }),
      name: 'From Userinfo',
    })
  })

/** A refresh token contains the faults of the responses to it and to its successors. */
function readCode(form: Record<string, unknown>): CodeContents {
  if (form['grant_type'] !== 'refresh_token') return JSON.parse(String(form['code']))
  const [fault = 'none', ...refreshFaults] = JSON.parse(String(form['refresh_token']))
  return { fault, refreshFaults }
}

async function createIdToken(issuer: string, code: CodeContents): Promise<string> {
  const { nonce, fault } = code
  const now = Math.floor(Date.now() / 1000)
  const claims: Record<string, unknown> = {
    iss: issuer,
    sub: 'user-1',
    aud: 'our-client',
    iat: now,
    exp: now + 300,
    nonce,
    name: 'Pat Example',
    email: 'pat@mail.example',
    email_verified: true,
    ...CLAIM_FAULTS[fault ?? '']?.(now),
    ...code.claims,
  }
  const header = { alg: 'RS256', kid: 'one', ...HEADER_FAULTS[fault ?? ''] }
  const mode = issuer.split('/').at(-1) ?? ''
  const unusualKey = UNUSUAL_KEYS[mode]
  if (unusualKey) return signWithUnusualKey(unusualKey, claims)
  const rareKey = RARE_KEYS.get(mode)
  if (rareKey) return new SignJWT(claims).setProtectedHeader({ alg: mode }).sign(rareKey.privateKey)
  if (fault === 'alg-none') return `${encode({ alg: 'none' })}.${encode(claims)}.`
  if (fault === 'hs256-public-key') {
    return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .sign(new TextEncoder().encode(JSON.stringify(firstKey?.jwk)))
  }
  if (fault === 'not-a-jwt') return 'this.is.not-a-jwt'
  const key = fault === 'bad-signature' ? secondKey?.privateKey : firstKey?.privateKey
  if (!key) throw new Error('The signing key is missing.')
  const signed = await new SignJWT(claims).setProtectedHeader(header).sign(key)
  return fault === 'encrypted' ? encrypt(signed) : signed
}

/**
 * Encrypts with a key derived from the client secret (OpenID Connect Core §10.2), so the service
 * could decrypt it.
 */
async function encrypt(signed: string): Promise<string> {
  const secret = new TextEncoder().encode('our-secret-Kq7vR2')
  return new CompactEncrypt(new TextEncoder().encode(signed))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', cty: 'JWT' })
    .encrypt(new Uint8Array(await crypto.subtle.digest('SHA-256', secret)))
}

/** The lifetime of the access token, in seconds, if the fault changes it. */
const LIFETIMES = new Map<string | undefined, number | undefined>([
  ['expires-soon', 30],
  ['no-expiry', undefined],
  ['no-expiry-and-no-id-token', undefined],
])

const AUTH_METHODS: Record<string, unknown> = {
  basic: ['client_secret_basic'],
  'methods-null': null,
}

/** Endpoints on another origin: one that works, and some in the service's own network. */
const FOREIGN_ENDPOINTS: Record<string, object> = {
  'other-origins': {
    authorization_endpoint: `${API_HOST}/other-origins/authorize`,
    token_endpoint: `${API_HOST}/other-origins/token`,
    userinfo_endpoint: `${API_HOST}/other-origins/userinfo`,
    jwks_uri: `${API_HOST}/other-origins/jwks`,
    revocation_endpoint: `${API_HOST}/other-origins/revoke`,
  },
  'token-endpoint-at-link-local-address': {
    token_endpoint: 'https://169.254.169.254/latest/meta-data/',
  },
  'token-endpoint-at-ipv6-address': { token_endpoint: 'https://[fd00::1]/token' },
  'token-endpoint-at-loopback': { token_endpoint: 'https://localhost/token' },
  'token-endpoint-at-http-loopback': { token_endpoint: 'http://127.0.0.1:8080/token' },
  'token-endpoint-at-single-label': { token_endpoint: 'https://vault/token' },
  'token-endpoint-over-http': { token_endpoint: 'http://api.hostile.example/plain/token' },
  'authorization-endpoint-script': { authorization_endpoint: 'javascript:alert(1)' },
  'foreign-authorization-endpoint': {
    authorization_endpoint: 'https://metadata.internal/authorize',
  },
  'foreign-token-endpoint': { token_endpoint: 'https://metadata.internal/token' },
  'foreign-userinfo-endpoint': { userinfo_endpoint: 'https://metadata.internal/userinfo' },
  'foreign-revocation-endpoint': { revocation_endpoint: 'https://metadata.internal/revoke' },
  'foreign-jwks': { jwks_uri: 'https://metadata.internal/jwks' },
}

const FAULTY_KEY_SETS: Record<string, unknown> = {
  'one-verification-key': { keys: [firstKey.jwk, { ...secondKey.jwk, key_ops: ['wrapKey'] }] },
  'keys-for-wrapping': { keys: [{ ...firstKey.jwk, key_ops: ['wrapKey'] }] },
  'keys-null': null,
  'keys-text': { keys: 'one' },
  'keys-containing-null': { keys: [null] },
  'keys-malformed': { keys: [{ ...firstKey.jwk, n: '!' }] },
  'keys-for-encryption': { keys: [{ ...firstKey.jwk, use: 'enc' }] },
  'keys-for-another-algorithm': { keys: [{ ...firstKey.jwk, alg: 'PS256' }] },
}

const HEADER_FAULTS: Record<string, object> = {
  'unknown-kid': { kid: 'three' },
  'no-kid': { kid: undefined },
  'jwk-header': { kid: undefined, jwk: secondKey.jwk },
}

const CLAIM_FAULTS: Record<string, (now: number) => Record<string, unknown>> = {
  'wrong-sub': () => ({ sub: 'user-2' }),
  'wrong-iss': () => ({ iss: 'https://other.example' }),
  'wrong-aud': () => ({ aud: 'another-client' }),
  'aud-array-without-azp': () => ({ aud: ['our-client', 'another-client'] }),
  'wrong-azp': () => ({ aud: ['our-client', 'another-client'], azp: 'another-client' }),
  'wrong-nonce': () => ({ nonce: 'another-nonce' }),
  'no-nonce': () => ({ nonce: undefined }),
  'no-sub': () => ({ sub: undefined }),
  'no-iat': () => ({ iat: undefined }),
  'no-exp': () => ({ exp: undefined }),
  expired: (now) => ({ iat: now - 4000, exp: now - 3600 }),
  'nbf-future': (now) => ({ nbf: now + 3600 }),
  'skew-forward': (now) => ({ iat: now + 20, nbf: now + 20 }),
  'exp-text': () => ({ exp: 'tomorrow' }),
  'email-verified-text': () => ({ email_verified: 'true' }),
  'email-verified-false-text': () => ({ email_verified: 'false' }),
  'email-unverified': () => ({ email_verified: false }),
  'name-number': () => ({ name: 42 }),
  'username-object': () => ({ preferred_username: { a: 1 } }),
  'email-list': () => ({ email: ['pat@mail.example'] }),
  'sub-number': () => ({ sub: 42 }),
  'auth-time-now': (now) => ({ auth_time: now }),
  'auth-time-old': (now) => ({ auth_time: now - 30 * 24 * 3600 }),
  'auth-time-text': (now) => ({ auth_time: String(now) }),
}

function encode(value: unknown): string {
  return btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
