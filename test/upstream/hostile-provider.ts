import { Hono } from 'hono'
import { CompactEncrypt, CompactSign, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { ODD_KEYS, signOddly } from './odd-keys.ts'

/** What the code asks for: it travels to the token endpoint and back, so a test needs no other channel. */
export interface Order {
  nonce?: string
  /** What is wrong with this answer. */
  fault?: string
}

const HOST = 'https://hostile.example'

const [one, two] = await Promise.all(
  ['one', 'two'].map(async (kid) => {
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
    return {
      kid,
      privateKey,
      jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } as JWK,
    }
  }),
)
if (!one || !two) throw new Error('There are two keys.')

/** What RFC 7518 and RFC 8037 name besides, by the mode of the provider that signs with nothing else. */
const RARE_KEYS = new Map(
  await Promise.all(
    ['RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES384', 'ES512', 'EdDSA'].map(async (alg) => {
      const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
      return [alg, { privateKey, jwk: await exportJWK(publicKey) }] as const
    }),
  ),
)

/** How often each address was asked. */
const asked = new Map<string, number>()

/**
 * An OpenID Provider that does what a certified one never does. The first part of its path says what
 * is wrong with its metadata, the code what is wrong with its tokens.
 */
export const hostileProvider = new Hono()
  .use(async (c, next) => {
    asked.set(c.req.path, (asked.get(c.req.path) ?? 0) + 1)
    await next()
  })
  .get('/asked', (c) => c.json(Object.fromEntries(asked)))
  .get('/:mode/.well-known/openid-configuration', (c) => {
    const mode = c.req.param('mode')
    if (mode === 'down' && (asked.get(c.req.path) ?? 0) > 1) return c.text('Down', 503)
    if (mode === 'html') return c.html('<h1>Hello</h1>')
    if (mode === 'redirecting') return c.redirect(`${HOST}/plain/.well-known/openid-configuration`)
    const issuer = `${HOST}/${mode}`
    const document = {
      issuer: mode === 'issuer-mismatch' ? `${HOST}/other` : issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: mode === 'elsewhere' ? 'https://metadata.internal/token' : `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: mode === 'insecure-jwks' ? 'http://hostile.example/jwks' : `${issuer}/jwks`,
      id_token_signing_alg_values_supported: ['RS256', 'ES256', ...RARE_KEYS.keys()],
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      token_endpoint_auth_methods_supported: AUTH_METHODS[mode],
      revocation_endpoint:
        mode === 'revocation-elsewhere' ? 'https://metadata.internal/revoke' : `${issuer}/revoke`,
      padding: mode === 'endless-metadata' ? 'x'.repeat(300_000) : undefined,
      authorization_response_iss_parameter_supported: mode === 'iss-promised' ? true : undefined,
    }
    return c.json(document)
  })
  .get('/:mode/jwks', (c) => {
    const mode = c.req.param('mode')
    if (mode in STRANGE_KEY_SETS) return c.json(STRANGE_KEY_SETS[mode])
    const only = ODD_KEYS[mode] ?? RARE_KEYS.get(mode)
    if (only) return c.json({ keys: [only.jwk] })
    const keys = mode === 'one-key' ? [one.jwk] : [one.jwk, two.jwk]
    return c.json({ keys })
  })
  .post('/:mode/token', async (c) => {
    const form = await c.req.parseBody()
    const order: Order = JSON.parse(String(form['code']))
    if (order.fault === 'basic-expected' && !c.req.header('Authorization')?.startsWith('Basic ')) {
      return c.json({ error: 'invalid_client' }, 401)
    }
    return c.json({
      access_token: `at-${order.fault ?? 'good'}`,
      token_type: order.fault === 'token-type-odd' ? 'mac' : 'Bearer',
      expires_in: 3600,
      ...(order.fault !== 'no-id-token' && {
        id_token: await idToken(`${HOST}/${c.req.param('mode')}`, order),
      }),
    })
  })
  .post('/:mode/revoke', (c) => c.body(null))
  .get('/:mode/userinfo', (c) => {
    const fault = c.req.header('Authorization')?.replace('Bearer at-', '')
    return c.json({
      sub: fault === 'userinfo-sub' ? 'somebody-else' : 'person-1',
      name: 'From Userinfo',
    })
  })

async function idToken(issuer: string, { nonce, fault }: Order): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const claims: Record<string, unknown> = {
    iss: issuer,
    sub: 'person-1',
    aud: 'our-client',
    iat: now,
    exp: now + 300,
    nonce,
    name: 'Pat Example',
    email: 'pat@mail.example',
    email_verified: true,
    ...CLAIM_FAULTS[fault ?? '']?.(now),
  }
  const header = { alg: 'RS256', kid: 'one', ...HEADER_FAULTS[fault ?? ''] }
  const mode = issuer.split('/').at(-1) ?? ''
  const odd = ODD_KEYS[mode]
  if (odd) return signOddly(odd, claims)
  const rare = RARE_KEYS.get(mode)
  if (rare) return new SignJWT(claims).setProtectedHeader({ alg: mode }).sign(rare.privateKey)
  if (fault === 'alg-none') return `${encode({ alg: 'none' })}.${encode(claims)}.`
  if (fault === 'hs256-public-key') {
    return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .sign(new TextEncoder().encode(JSON.stringify(one?.jwk)))
  }
  if (fault === 'not-a-jwt') return 'this.is.not-a-jwt'
  const key = fault === 'bad-signature' ? two?.privateKey : one?.privateKey
  if (!key) throw new Error('There is a key.')
  const signed = await new SignJWT(claims).setProtectedHeader(header).sign(key)
  return fault === 'encrypted' ? encrypt(signed) : signed
}

/** To who knows our secret, as OpenID Connect Core §10.2 has it: that would be us. */
async function encrypt(signed: string): Promise<string> {
  const secret = new TextEncoder().encode('our-secret-Kq7vR2')
  return new CompactEncrypt(new TextEncoder().encode(signed))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', cty: 'JWT' })
    .encrypt(new Uint8Array(await crypto.subtle.digest('SHA-256', secret)))
}

const AUTH_METHODS: Record<string, unknown> = {
  basic: ['client_secret_basic'],
  'methods-null': null,
}

const STRANGE_KEY_SETS: Record<string, unknown> = {
  'one-that-verifies': { keys: [one.jwk, { ...two.jwk, key_ops: ['wrapKey'] }] },
  'keys-that-only-wrap': { keys: [{ ...one.jwk, key_ops: ['wrapKey'] }] },
  'keys-null': null,
  'keys-text': { keys: 'one' },
  'keys-of-nothing': { keys: [null] },
  'keys-broken': { keys: [{ ...one.jwk, n: '!' }] },
  'keys-for-encryption': { keys: [{ ...one.jwk, use: 'enc' }] },
  'keys-of-another-algorithm': { keys: [{ ...one.jwk, alg: 'PS256' }] },
}

const HEADER_FAULTS: Record<string, object> = {
  'unknown-kid': { kid: 'three' },
  'no-kid': { kid: undefined },
  'jwk-header': { kid: undefined, jwk: two.jwk },
}

const CLAIM_FAULTS: Record<string, (now: number) => Record<string, unknown>> = {
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
}

function encode(value: unknown): string {
  return btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
