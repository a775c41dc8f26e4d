import { DurableObject } from 'cloudflare:workers'
import { type Context, Hono } from 'hono'

/**
 * The floor: a worker that does the least each job allows, at the addresses of the service and with the same
 * kinds of storage and signatures. It keeps to the protocols, but has no log, limits, pages, hardening,
 * consent, linking, replay detection, key rotation or second try, and nobody should deploy it. What the
 * service costs beyond it is the price of all of those.
 */
interface FloorEnv {
  AUTH_URL: string
  AUTH_SECRET: string
  AUTH_TIKTOK_ID: string
  AUTH_TIKTOK_SECRET: string
  /** Private keys as JWKs, by algorithm: a bare worker has them in a secret. */
  KEYS: Record<Algorithm, JsonWebKey>
  SESSIONS: KVNamespace
  DIRECTORY: D1Database
  USERS: DurableObjectNamespace<PersonObject>
}

type Algorithm = 'ES256' | 'RS256'
type FloorContext = Context<{ Bindings: FloorEnv }>

interface Person {
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

/** What a client registers: its address, and how its ID tokens are signed. */
const CLIENTS: Record<string, { redirectUri: string; alg: Algorithm }> = {
  app: { redirectUri: 'https://app.example/callback', alg: 'ES256' },
  'app-rs256': { redirectUri: 'https://app.example/callback', alg: 'RS256' },
}

/** Where people may be returned to. */
const ORIGINS = ['https://app.example']

const TEN_MINUTES = 600 // seconds
const ONE_MONTH = 30 * 24 * 3600

/** A person's sessions and grants: one statement a decision. */
export class PersonObject extends DurableObject<FloorEnv> {
  constructor(ctx: DurableObjectState, env: FloorEnv) {
    super(ctx, env)
    ctx.storage.sql.exec(SCHEMA)
  }

  open(sid: string, person: Person): void {
    this.ctx.storage.sql.exec(
      'INSERT INTO sessions (sid, person, expires_at) VALUES (?, ?, ?)',
      sid,
      JSON.stringify(person),
      seconds() + ONE_MONTH,
    )
  }

  session(sid: string): { user: Person; expires: string } | undefined {
    const [row] = this.ctx.storage.sql.exec<{ person: string; expires_at: number }>(
      'SELECT person, expires_at FROM sessions WHERE sid = ? AND expires_at > ?',
      sid,
      seconds(),
    )
    return row && { user: JSON.parse(row.person), expires: toIso(row.expires_at) }
  }

  grant(sid: string, code: string, challenge: string, terms: Terms): boolean {
    const { rowsWritten } = this.ctx.storage.sql.exec(
      `INSERT INTO grants (secret, challenge, person, terms, expires_at)
       SELECT ?, ?, person, ?, ? FROM sessions WHERE sid = ? AND expires_at > ?`,
      code,
      challenge,
      JSON.stringify(terms),
      seconds() + 60,
      sid,
      seconds(),
    )
    return rowsWritten > 0
  }

  redeem(code: string, challenge: string, next: string) {
    return this.#spend('AND challenge = ?', next, code, challenge)
  }

  rotate(token: string, next: string) {
    return this.#spend("AND challenge = ''", next, token)
  }

  /** One statement takes the secret and puts another in its place: of two who show it, one finds it. */
  #spend(
    more: string,
    next: string,
    ...shown: string[]
  ): { person: Person; terms: Terms } | undefined {
    const [row] = this.ctx.storage.sql.exec<{ person: string; terms: string }>(
      `UPDATE grants SET secret = ?, challenge = '', expires_at = ? WHERE expires_at > ? AND secret = ? ${more}
       RETURNING person, terms`,
      next,
      seconds() + ONE_MONTH,
      seconds(),
      ...shown,
    )
    return row && { person: JSON.parse(row.person), terms: JSON.parse(row.terms) }
  }
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS sessions (sid TEXT PRIMARY KEY, person TEXT, expires_at INTEGER);
  CREATE TABLE IF NOT EXISTS grants (secret TEXT PRIMARY KEY, challenge TEXT, person TEXT, terms TEXT, expires_at INTEGER)`

const app = new Hono<{ Bindings: FloorEnv }>()
  .get('/.well-known/jwks.json', (c) => c.body(jwks(c.env), 200, PUBLIC))
  .get('/.well-known/openid-configuration', (c) => c.body(discovery(c.env), 200, PUBLIC))

  .get('/api/auth/signin/tiktok', async (c) => {
    const state = random()
    const verifier = random()
    const returnTo = URL.parse(c.req.query('callbackUrl') ?? '')
    if (!returnTo || !ORIGINS.includes(returnTo.origin)) return c.body(null, 400)
    const expiresAt = String(seconds() + TEN_MINUTES)
    const parts = [state, verifier, expiresAt, encode(returnTo.href)]
    await setCookie(c, 'attempt', parts, TEN_MINUTES)
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
    if (Number(expiresAt) <= seconds()) return c.body(null, 400)
    const person = await record(c, await identify(c, code, verifier))
    const sid = random()
    await object(c, person.id).open(sid, person)
    const copy = JSON.stringify({ user: person, expires: toIso(seconds() + ONE_MONTH) })
    await c.env.SESSIONS.put(sid, copy, { expirationTtl: ONE_MONTH })
    await setCookie(c, 'session', [person.id, sid], ONE_MONTH)
    return c.redirect(decode(returnTo))
  })

  .get('/api/auth/session', async (c) => {
    const [userId, sid] = await readCookie(c, 'session')
    if (!userId || !sid) return c.json(null, 200, PRIVATE)
    if (c.req.query('token') === 'false')
      return c.json(await c.env.SESSIONS.get(sid, 'json'), 200, PRIVATE)
    const session = await object(c, userId).session(sid)
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

  .get('/oidc/authorize', async (c) => {
    const { client_id = '', redirect_uri, response_type, state, ...query } = c.req.query()
    const client = CLIENTS[client_id]
    if (!client || client.redirectUri !== redirect_uri) return c.body(null, 400)
    const { code_challenge, code_challenge_method, scope, nonce } = query
    const isPkce = code_challenge && code_challenge_method === 'S256'
    if (response_type !== 'code' || !isPkce || !scope) return c.body(null, 400)
    const [userId, sid] = await readCookie(c, 'session')
    if (!userId || !sid) return c.redirect('/api/auth/signin')
    const code = random()
    const terms = { clientId: client_id, redirectUri: redirect_uri, scope, nonce }
    if (!(await object(c, userId).grant(sid, code, code_challenge, terms)))
      return c.redirect('/api/auth/signin')
    const answer = new URLSearchParams({ code: `${userId}.${code}`, iss: c.env.AUTH_URL })
    if (state) answer.set('state', state)
    return c.redirect(`${redirect_uri}?${answer}`, 303)
  })

  .post('/oidc/token', async (c) => {
    const form = new URLSearchParams(await c.req.text())
    const isCode = form.get('grant_type') === 'authorization_code'
    const shown = form.get(isCode ? 'code' : 'refresh_token') ?? ''
    const [userId = '', secret = ''] = shown.split('.')
    const next = random()
    const spent = isCode
      ? await object(c, userId).redeem(secret, await challengeOf(form), next)
      : await object(c, userId).rotate(secret, next)
    const clientId = form.get('client_id')
    const isTheirs =
      spent?.terms.clientId === clientId &&
      (!isCode || spent?.terms.redirectUri === form.get('redirect_uri'))
    if (!spent || !clientId || !isTheirs) return c.json({ error: 'invalid_grant' }, 400, PRIVATE)
    const { person, terms } = spent
    const { alg = 'RS256' } = CLIENTS[clientId] ?? {}
    const answer = {
      access_token: await sign(c.env, 'ES256', {
        sub: person.id,
        aud: c.env.AUTH_URL,
        client_id: clientId,
        scope: terms.scope,
        jti: random(),
      }),
      token_type: 'Bearer',
      expires_in: 600,
      scope: terms.scope,
      id_token: await sign(c.env, alg, {
        sub: person.id,
        aud: clientId,
        ...(isCode && { nonce: terms.nonce }),
      }),
      refresh_token: `${userId}.${next}`,
    }
    return c.json(answer, 200, PRIVATE)
  })

export default app

const PUBLIC = { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=300' }
const PRIVATE = { 'Cache-Control': 'no-store' }
const BASE64URL = { alphabet: 'base64url', omitPadding: true } as const

const utf8 = new TextEncoder()

/** Keys and texts are made once in an isolate. */
const known = new Map<string, unknown>()

function once<T>(name: string, make: () => T): T {
  const value = known.get(name) ?? make()
  known.set(name, value)
  return value as T
}

/** The key is kept, and not the promise of one: that would end with the request that asked. */
async function keyOnce(name: string, make: () => Promise<CryptoKey>): Promise<CryptoKey> {
  const key = (known.get(name) as CryptoKey | undefined) ?? (await make())
  known.set(name, key)
  return key
}

function jwks({ KEYS }: FloorEnv): string {
  return once('jwks', () => {
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
  return once('discovery', () =>
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
  const key = await keyOnce(alg, () =>
    crypto.subtle.importKey('jwk', KEYS[alg], PARAMETERS[alg], false, ['sign']),
  )
  const header = once(`header ${alg}`, () => encode(JSON.stringify({ alg, typ: 'JWT', kid: alg })))
  const iat = seconds()
  const body = encode(JSON.stringify({ iss: AUTH_URL, iat, exp: iat + TEN_MINUTES, ...claims }))
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
  const mac = await crypto.subtle.sign('HMAC', await macKey(c.env), utf8.encode(`${name} ${value}`))
  const signed = `${name}=${value}.${new Uint8Array(mac).toBase64(BASE64URL)}`
  c.header('Set-Cookie', `${signed}; Max-Age=${maxAge}; Path=/; HttpOnly; Secure; SameSite=Lax`)
}

/** The parts of a cookie that we have set, or none. */
async function readCookie(c: FloorContext, name: string): Promise<string[]> {
  const found = c.req.header('Cookie')?.match(`(?:^|; )${name}=([^;]*)\\.([^;.]*)`)
  const [, value = '', mac = ''] = found ?? []
  const isOurs = await crypto.subtle.verify(
    'HMAC',
    await macKey(c.env),
    Uint8Array.fromBase64(mac, BASE64URL),
    utf8.encode(`${name} ${value}`),
  )
  return isOurs ? value.split('.') : []
}

function macKey({ AUTH_SECRET }: FloorEnv): Promise<CryptoKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return keyOnce('mac', () =>
    crypto.subtle.importKey('raw', utf8.encode(AUTH_SECRET), algorithm, false, ['sign', 'verify']),
  )
}

interface Profile {
  open_id: string
  display_name: string
  username: string
  avatar_url: string
}

/** Redeems the platform's code, and asks it who that is. */
async function identify(c: FloorContext, code: string, verifier: string): Promise<Profile> {
  const answer = await fetch('https://open.tiktokapis.com/v2/oauth/token/', {
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
  const { access_token } = await answer.json<{ access_token: string }>()
  const fields = 'open_id,avatar_url,display_name,username'
  const profile = await fetch(`https://open.tiktokapis.com/v2/user/info/?fields=${fields}`, {
    headers: { Authorization: `Bearer ${access_token}` },
  })
  const { data } = await profile.json<{ data: { user: Profile } }>()
  return data.user
}

async function record(c: FloorContext, user: Profile): Promise<Person> {
  const row = await c.env.DIRECTORY.prepare(RECORD)
    .bind(user.open_id, random(), user.display_name, user.username, user.avatar_url)
    .first<Person>()
  if (!row) throw new Error('The directory recorded nobody.')
  return row
}

const RECORD = `
  INSERT INTO people (open_id, id, name, username, image) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (open_id) DO UPDATE SET name = excluded.name, username = excluded.username, image = excluded.image
  RETURNING id, name, username, image`

function object(c: FloorContext, userId: string): DurableObjectStub<PersonObject> {
  return c.env.USERS.get(c.env.USERS.idFromName(userId))
}

async function challengeOf(form: URLSearchParams): Promise<string> {
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

function seconds(): number {
  return Math.floor(Date.now() / 1000)
}

function toIso(time: number): string {
  return new Date(time * 1000).toISOString()
}
