import { DurableObject } from 'cloudflare:workers'
import { type Context, Hono } from 'hono'

/**
 * The floor: a worker that does the minimum each job requires, at the same URLs as the service and
 * with the same kinds of storage and signatures. It follows the protocols, but has no log, limits,
 * pages, security headers, consent, account linking, replay detection, key rotation or retries. The
 * difference in CPU between the service and the floor is the price of those features. Do not deploy
 * it.
 */
interface FloorEnv {
  AUTH_URL: string
  AUTH_SECRET: string
  AUTH_TIKTOK_ID: string
  AUTH_TIKTOK_SECRET: string
  /** Private keys as JWKs, by algorithm. A minimal worker keeps them in a secret. */
  KEYS: Record<Algorithm, JsonWebKey>
  SESSIONS: KVNamespace
  DIRECTORY: D1Database
  USERS: DurableObjectNamespace<UserObject>
}

type Algorithm = 'ES256' | 'RS256'
type FloorContext = Context<{ Bindings: FloorEnv }>

interface User {
  id: string
  name: string
  username: string
  image: string
}

interface Terms {
  clientId: string
  redirectUri: string
  scope: string
  nonce: string | undefined
}

/** The registered clients: the redirect URI, and the algorithm of the ID tokens. */
const CLIENTS: Record<string, { redirectUri: string; alg: Algorithm }> = {
  app: { redirectUri: 'https://app.example/callback', alg: 'ES256' },
  'app-rs256': { redirectUri: 'https://app.example/callback', alg: 'RS256' },
}

/** Where a sign-in may return to. */
const RETURN_ORIGINS = ['https://app.example']

// Lifetimes, in seconds.
const ATTEMPT_LIFETIME = 600
const TOKEN_LIFETIME = 600
const CODE_LIFETIME = 60
const REQUEST_LIFETIME = 60
const SESSION_LIFETIME = 30 * 24 * 3600
const REFRESH_TOKEN_LIFETIME = 30 * 24 * 3600

const REQUEST_URI = 'urn:ietf:params:oauth:request_uri:'

/** The sessions and grants of one user. Every decision is one SQL statement. */
export class UserObject extends DurableObject<FloorEnv> {
  constructor(ctx: DurableObjectState, env: FloorEnv) {
    super(ctx, env)
    ctx.storage.sql.exec(SCHEMA)
  }

  openSession(sid: string, user: User): void {
    this.ctx.storage.sql.exec(
      'INSERT INTO sessions (sid, user, expires_at) VALUES (?, ?, ?)',
      sid,
      JSON.stringify(user),
      currentSeconds() + SESSION_LIFETIME,
    )
  }

  readSession(sid: string): { user: User; expires: string } | undefined {
    const [row] = this.ctx.storage.sql.exec<{ user: string; expires_at: number }>(
      'SELECT user, expires_at FROM sessions WHERE sid = ? AND expires_at > ?',
      sid,
      currentSeconds(),
    )
    return row && { user: JSON.parse(row.user), expires: toIso(row.expires_at) }
  }

  openGrant(sid: string, code: string, challenge: string, terms: Terms): boolean {
    const { rowsWritten } = this.ctx.storage.sql.exec(
      `INSERT INTO grants (secret, challenge, user, terms, expires_at)
       SELECT ?, ?, user, ?, ? FROM sessions WHERE sid = ? AND expires_at > ?`,
      code,
      challenge,
      JSON.stringify(terms),
      currentSeconds() + CODE_LIFETIME,
      sid,
      currentSeconds(),
    )
    return rowsWritten > 0
  }

  redeemCode(code: string, challenge: string, next: string): Redeemed | undefined {
    const [row] = this.ctx.storage.sql.exec<GrantRow>(
      `UPDATE grants SET secret = ?, challenge = '', expires_at = ?
       WHERE expires_at > ? AND secret = ? AND challenge = ? RETURNING user, terms`,
      next,
      currentSeconds() + REFRESH_TOKEN_LIFETIME,
      currentSeconds(),
      code,
      challenge,
    )
    return row && toRedeemed(row)
  }

  /**
   * One statement replaces the secret, so of two requests that present the same token only one
   * succeeds.
   */
  rotateRefreshToken(token: string, next: string): Redeemed | undefined {
    const [row] = this.ctx.storage.sql.exec<GrantRow>(
      `UPDATE grants SET secret = ?, challenge = '', expires_at = ?
       WHERE expires_at > ? AND secret = ? AND challenge = '' RETURNING user, terms`,
      next,
      currentSeconds() + REFRESH_TOKEN_LIFETIME,
      currentSeconds(),
      token,
    )
    return row && toRedeemed(row)
  }
}

interface GrantRow extends Record<string, SqlStorageValue> {
  user: string
  terms: string
}

interface Redeemed {
  user: User
  terms: Terms
}

function toRedeemed({ user, terms }: GrantRow): Redeemed {
  return { user: JSON.parse(user), terms: JSON.parse(terms) }
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS sessions (sid TEXT PRIMARY KEY, user TEXT, expires_at INTEGER);
  CREATE TABLE IF NOT EXISTS grants (secret TEXT PRIMARY KEY, challenge TEXT, user TEXT, terms TEXT, expires_at INTEGER)`

const app = new Hono<{ Bindings: FloorEnv }>()
  .get('/.well-known/jwks.json', (c) => c.body(jwks(c.env), 200, PUBLIC))
  .get('/.well-known/openid-configuration', (c) => c.body(discovery(c.env), 200, PUBLIC))

  .get('/api/auth/signin/tiktok', async (c) => {
    const state = random()
    const verifier = random()
    const returnTo = URL.parse(c.req.query('callbackUrl') ?? '')
    if (!returnTo || !RETURN_ORIGINS.includes(returnTo.origin)) return c.body(null, 400)
    const expiresAt = String(currentSeconds() + ATTEMPT_LIFETIME)
    const parts = [state, verifier, expiresAt, encode(returnTo.href)]
    await setCookie(c, 'attempt', parts, ATTEMPT_LIFETIME)
    const query = new URLSearchParams({
      client_key: c.env.AUTH_TIKTOK_ID,
      response_type: 'code',
      scope: 'user.info.basic,user.info.profile',
      redirect_uri: `${c.env.AUTH_URL}/api/auth/callback/tiktok`,
      state,
      code_challenge: new Uint8Array(await sha256(verifier)).toHex(),
      code_challenge_method: 'S256',
    })
    return c.redirect(`https://www.tiktok.com/v2/auth/authorize/?${query}`)
  })

  .get('/api/auth/callback/tiktok', async (c) => {
    const [state, verifier, expiresAt, returnTo] = await readCookie(c, 'attempt')
    const code = c.req.query('code')
    if (!code || !verifier || !returnTo || state !== c.req.query('state')) return c.body(null, 400)
    if (Number(expiresAt) <= currentSeconds()) return c.body(null, 400)
    const user = await recordUser(c, await fetchProfile(c, code, verifier))
    const sid = random()
    await userObject(c, user.id).openSession(sid, user)
    const copy = JSON.stringify({ user, expires: toIso(currentSeconds() + SESSION_LIFETIME) })
    await c.env.SESSIONS.put(sid, copy, { expirationTtl: SESSION_LIFETIME })
    await setCookie(c, 'session', [user.id, sid], SESSION_LIFETIME)
    return c.redirect(decode(returnTo))
  })

  .get('/api/auth/session', async (c) => {
    const [userId, sid] = await readCookie(c, 'session')
    if (!userId || !sid) return c.json(null, 200, PRIVATE)
    if (c.req.query('token') === 'false')
      return c.json(await c.env.SESSIONS.get(sid, 'json'), 200, PRIVATE)
    const session = await userObject(c, userId).readSession(sid)
    if (!session) return c.json(null, 200, PRIVATE)
    const { user, expires } = session
    const token = await sign(c.env, 'ES256', {
      sub: user.id,
      aud: c.env.AUTH_URL,
      name: user.name,
      preferred_username: user.username,
      picture: user.image,
    })
    return c.json({ user, expires, token }, 200, PRIVATE)
  })

  .post('/oidc/par', async (c) => {
    const params = await c.req.text()
    const client = CLIENTS[new URLSearchParams(params).get('client_id') ?? '']
    const redirectUri = new URLSearchParams(params).get('redirect_uri')
    if (!client || client.redirectUri !== redirectUri) return c.body(null, 400)
    const value = `${currentSeconds() + REQUEST_LIFETIME}.${encode(params)}`
    const mac = await authenticate(c.env, `request ${value}`)
    return c.json({ request_uri: `${REQUEST_URI}${value}.${mac}`, expires_in: 60 }, 201, PRIVATE)
  })

  .get('/oidc/authorize', async (c) => {
    const pushed = await readPushedRequest(c)
    const { client_id = '', redirect_uri, response_type, state, ...query } = pushed
    const client = CLIENTS[client_id]
    if (!client || client.redirectUri !== redirect_uri) return c.body(null, 400)
    const { code_challenge, code_challenge_method, scope, nonce } = query
    const isPkce = code_challenge && code_challenge_method === 'S256'
    if (response_type !== 'code' || !isPkce || !scope) return c.body(null, 400)
    const [userId, sid] = await readCookie(c, 'session')
    if (!userId || !sid) return c.redirect('/api/auth/signin')
    const code = random()
    const terms = { clientId: client_id, redirectUri: redirect_uri, scope, nonce }
    if (!(await userObject(c, userId).openGrant(sid, code, code_challenge, terms)))
      return c.redirect('/api/auth/signin')
    const parameters = new URLSearchParams({ code: `${userId}.${code}`, iss: c.env.AUTH_URL })
    if (state) parameters.set('state', state)
    return c.redirect(`${redirect_uri}?${parameters}`, 303)
  })

  .post('/oidc/token', async (c) => {
    const form = new URLSearchParams(await c.req.text())
    const hasProof = c.req.header('DPoP') !== undefined
    const jkt = hasProof ? await readProof(c) : undefined
    if (hasProof && !jkt) return c.json({ error: 'invalid_dpop_proof' }, 400, PRIVATE)
    const isCode = form.get('grant_type') === 'authorization_code'
    const presented = form.get(isCode ? 'code' : 'refresh_token') ?? ''
    const [userId = '', secret = ''] = presented.split('.')
    const next = random()
    const redeemed = isCode
      ? await userObject(c, userId).redeemCode(secret, await codeChallenge(form), next)
      : await userObject(c, userId).rotateRefreshToken(secret, next)
    const clientId = form.get('client_id')
    const isSameClient =
      redeemed?.terms.clientId === clientId &&
      (!isCode || redeemed?.terms.redirectUri === form.get('redirect_uri'))
    if (!redeemed || !clientId || !isSameClient)
      return c.json({ error: 'invalid_grant' }, 400, PRIVATE)
    const { user, terms } = redeemed
    const { alg = 'RS256' } = CLIENTS[clientId] ?? {}
    const body = {
      access_token: await sign(c.env, 'ES256', {
        sub: user.id,
        aud: c.env.AUTH_URL,
        client_id: clientId,
        scope: terms.scope,
        jti: random(),
        ...(jkt && { cnf: { jkt } }),
      }),
      token_type: jkt ? 'DPoP' : 'Bearer',
      expires_in: TOKEN_LIFETIME,
      scope: terms.scope,
      id_token: await sign(c.env, alg, {
        sub: user.id,
        aud: clientId,
        ...(isCode && { nonce: terms.nonce }),
      }),
      refresh_token: `${userId}.${next}`,
    }
    return c.json(body, 200, PRIVATE)
  })

export default app

const PUBLIC = { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=300' }
const PRIVATE = { 'Cache-Control': 'no-store' }
const BASE64URL = { alphabet: 'base64url', omitPadding: true } as const

const utf8 = new TextEncoder()

/** Keys and texts are created once per isolate. */
const cache = new Map<string, unknown>()

function cached<T>(name: string, create: () => T): T {
  const value = cache.get(name) ?? create()
  cache.set(name, value)
  return value as T
}

/**
 * Caches the key rather than its promise, because a promise is tied to the request that created it.
 */
async function cachedKey(name: string, create: () => Promise<CryptoKey>): Promise<CryptoKey> {
  const key = (cache.get(name) as CryptoKey | undefined) ?? (await create())
  cache.set(name, key)
  return key
}

function jwks({ KEYS }: FloorEnv): string {
  return cached('jwks', () => {
    const { kty, crv, x, y } = KEYS.ES256
    const { n, e } = KEYS.RS256
    const keys = [
      { kty, crv, x, y, kid: 'ES256', alg: 'ES256', use: 'sig' },
      { kty: 'RSA', n, e, kid: 'RS256', alg: 'RS256', use: 'sig' },
    ]
    return JSON.stringify({ keys })
  })
}

function discovery({ AUTH_URL }: FloorEnv): string {
  return cached('discovery', () =>
    JSON.stringify({
      issuer: AUTH_URL,
      authorization_endpoint: `${AUTH_URL}/oidc/authorize`,
      token_endpoint: `${AUTH_URL}/oidc/token`,
      jwks_uri: `${AUTH_URL}/.well-known/jwks.json`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'ES256'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    }),
  )
}

const PARAMETERS = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
} as const

async function sign(
  { AUTH_URL, KEYS }: FloorEnv,
  alg: Algorithm,
  claims: Record<string, unknown>,
): Promise<string> {
  const key = await cachedKey(alg, () =>
    crypto.subtle.importKey('jwk', KEYS[alg], PARAMETERS[alg], false, ['sign']),
  )
  const header = cached(`header ${alg}`, () =>
    encode(JSON.stringify({ alg, typ: 'JWT', kid: alg })),
  )
  const iat = currentSeconds()
  const body = encode(JSON.stringify({ iss: AUTH_URL, iat, exp: iat + TOKEN_LIFETIME, ...claims }))
  const input = `${header}.${body}`
  const signature = await crypto.subtle.sign(PARAMETERS[alg], key, utf8.encode(input))
  return `${input}.${new Uint8Array(signature).toBase64(BASE64URL)}`
}

async function setCookie(
  c: FloorContext,
  name: string,
  parts: string[],
  maxAge: number,
): Promise<void> {
  const value = parts.join('.')
  const signed = `${name}=${value}.${await authenticate(c.env, `${name} ${value}`)}`
  c.header('Set-Cookie', `${signed}; Max-Age=${maxAge}; Path=/; HttpOnly; Secure; SameSite=Lax`)
}

/** The parts of a cookie with a valid signature, otherwise none. */
async function readCookie(c: FloorContext, name: string): Promise<string[]> {
  const found = c.req.header('Cookie')?.match(`(?:^|; )${name}=([^;]*)\\.([^;.]*)`)
  const [, value = '', mac = ''] = found ?? []
  return (await isAuthentic(c.env, `${name} ${value}`, mac)) ? value.split('.') : []
}

/** The parameters of an authorization request, which may have been pushed. */
async function readPushedRequest(c: FloorContext): Promise<Record<string, string>> {
  const uri = c.req.query('request_uri')
  if (!uri) return c.req.query()
  const [expiresAt = '', params = '', mac = ''] = uri.slice(REQUEST_URI.length).split('.')
  const isValid = await isAuthentic(c.env, `request ${expiresAt}.${params}`, mac)
  if (!isValid || Number(expiresAt) <= currentSeconds()) return {}
  return Object.fromEntries(new URLSearchParams(decode(params)))
}

/** The thumbprint of the key of a proof for the token endpoint, if the proof is valid. */
async function readProof(c: FloorContext): Promise<string | undefined> {
  const [header = '', payload = '', signature = ''] = (c.req.header('DPoP') ?? '').split('.')
  const { typ, alg, jwk } = JSON.parse(decode(header))
  const { htm, htu, iat } = JSON.parse(decode(payload))
  const isForUs = htm === 'POST' && htu === `${c.env.AUTH_URL}/oidc/token`
  const isRecent = Math.abs(currentSeconds() - iat) <= TOKEN_LIFETIME
  if (typ !== 'dpop+jwt' || alg !== 'ES256' || !isForUs || !isRecent) return undefined
  const { crv, kty, x, y } = jwk
  const publicKey = { crv, kty, x, y }
  const algorithm = PARAMETERS.ES256
  const key = await crypto.subtle.importKey('jwk', publicKey, algorithm, false, ['verify'])
  const isValid = await crypto.subtle.verify(
    algorithm,
    key,
    Uint8Array.fromBase64(signature, BASE64URL),
    utf8.encode(`${header}.${payload}`),
  )
  const thumbprint = new Uint8Array(await sha256(JSON.stringify(publicKey)))
  return isValid ? thumbprint.toBase64(BASE64URL) : undefined
}

async function authenticate(env: FloorEnv, text: string): Promise<string> {
  const mac = await crypto.subtle.sign('HMAC', await macKey(env), utf8.encode(text))
  return new Uint8Array(mac).toBase64(BASE64URL)
}

async function isAuthentic(env: FloorEnv, text: string, mac: string): Promise<boolean> {
  const bytes = Uint8Array.fromBase64(mac, BASE64URL)
  return crypto.subtle.verify('HMAC', await macKey(env), bytes, utf8.encode(text))
}

function macKey({ AUTH_SECRET }: FloorEnv): Promise<CryptoKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return cachedKey('mac', () =>
    crypto.subtle.importKey('raw', utf8.encode(AUTH_SECRET), algorithm, false, ['sign', 'verify']),
  )
}

interface Profile {
  open_id: string
  display_name: string
  username: string
  avatar_url: string
}

/** Exchanges the platform's code and fetches the profile. */
async function fetchProfile(c: FloorContext, code: string, verifier: string): Promise<Profile> {
  const tokens = await fetch('https://open.tiktokapis.com/v2/oauth/token/', {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      client_key: c.env.AUTH_TIKTOK_ID,
      client_secret: c.env.AUTH_TIKTOK_SECRET,
      grant_type: 'authorization_code',
      code,
      redirect_uri: `${c.env.AUTH_URL}/api/auth/callback/tiktok`,
      code_verifier: verifier,
    }).toString(),
  })
  const { access_token } = await tokens.json<{ access_token: string }>()
  const fields = 'open_id,avatar_url,display_name,username'
  const profile = await fetch(`https://open.tiktokapis.com/v2/user/info/?fields=${fields}`, {
    headers: { Authorization: `Bearer ${access_token}` },
  })
  const { data } = await profile.json<{ data: { user: Profile } }>()
  return data.user
}

async function recordUser(c: FloorContext, profile: Profile): Promise<User> {
  const row = await c.env.DIRECTORY.prepare(RECORD_USER)
    .bind(profile.open_id, random(), profile.display_name, profile.username, profile.avatar_url)
    .first<User>()
  if (!row) throw new Error('The directory returned no row.')
  return row
}

const RECORD_USER = `
  INSERT INTO users (open_id, id, name, username, image) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (open_id) DO UPDATE SET name = excluded.name, username = excluded.username, image = excluded.image
  RETURNING id, name, username, image`

function userObject(c: FloorContext, userId: string): DurableObjectStub<UserObject> {
  return c.env.USERS.get(c.env.USERS.idFromName(userId))
}

async function codeChallenge(form: URLSearchParams): Promise<string> {
  const hash = await sha256(form.get('code_verifier') ?? '')
  return new Uint8Array(hash).toBase64(BASE64URL)
}

function sha256(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest('SHA-256', utf8.encode(text))
}

function encode(text: string): string {
  return utf8.encode(text).toBase64(BASE64URL)
}

function decode(text: string): string {
  return new TextDecoder().decode(Uint8Array.fromBase64(text, BASE64URL))
}

function random(): string {
  return crypto.getRandomValues(new Uint8Array(32)).toBase64(BASE64URL)
}

function currentSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

function toIso(time: number): string {
  return new Date(time * 1000).toISOString()
}
