import { base64url, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { sha256 } from '../../foundation/crypto/digest.ts'
import { findFreePort } from './ports.ts'
import { serve } from './serve.ts'

/** What a token is to contain. By default, it is valid. */
export interface TestToken {
  /** The `aud` of the token: the identifier of an API, or the `client_id` of a frontend. */
  audience: string | string[]
  /** `access` by default; `session` is the token of a frontend. */
  token?: 'access' | 'session'
  /** The user, `usr_test` by default. */
  userId?: string
  /** Separated by spaces. Session tokens have none. */
  scope?: string
  /** In seconds, 600 by default. With a negative number, the token has expired. */
  expiresIn?: number
  /** Further claims, which replace all others. */
  claims?: JWTPayload
  /** `unknown`: signed with a key that the issuer has never published. */
  key?: 'published' | 'unknown'
  /** `ES256` by default. */
  algorithm?: 'ES256' | 'RS256'
}

/** Signs tokens like a login service, and publishes its metadata, keys and revocations at its URL. */
export interface TestIssuer {
  /** To be used as the `issuer` of a verifier. */
  url: string
  sign(token: TestToken): Promise<string>
  /** Ends tokens by their `sid` or `jti`, or all tokens of a user, a client or a session. */
  revoke(id: string): void
  /** Replaces the keys. Tokens that were signed before are no longer valid. */
  rotateKeys(): Promise<void>
  stop(): Promise<void>
}

interface Key {
  kid: string
  algorithm: 'ES256' | 'RS256'
  pair: CryptoKeyPair
}

/** Starts an issuer on this machine, at a free port. */
export async function createTestIssuer(): Promise<TestIssuer> {
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  const revoked = new Map<string, number>()
  const unknown = await createKeys()
  let published = await createKeys()

  const { stop } = await serve(async (request) => {
    switch (new URL(request.url).pathname) {
      case '/.well-known/jwks.json':
        return Response.json({ keys: await Promise.all(published.map(publicKey)) })
      case '/.well-known/openid-configuration':
      case '/.well-known/oauth-authorization-server':
        return Response.json(discoveryDocument(url))
      case '/.well-known/revocations':
        return new Response(await signRevocations(), {
          headers: { 'Content-Type': 'application/revocations+jwt' },
        })
      default:
        return new Response(null, { status: 404 })
    }
  }, port)

  async function signRevocations(): Promise<string> {
    const entries = await Promise.all(
      [...revoked].map(async ([id, at]) => [(await sha256(id)).subarray(0, 8), at] as const),
    )
    const list = Uint8Array.from(entries.flatMap(([digest]) => [...digest]))
    const now = nowInSeconds()
    return signWith(findKey(published, 'ES256'), 'revocations+jwt', {
      iss: url,
      iat: now,
      exp: now + 60,
      since: 0,
      revoked: base64url.encode(list),
      // A login service lists users and clients here, and some verifiers look for them nowhere else.
      revoked_before: Object.fromEntries(
        entries.map(([digest, at]) => [base64url.encode(digest), at]),
      ),
    })
  }

  async function sign(token: TestToken): Promise<string> {
    const { audience, token: kind = 'access', userId = 'usr_test', scope = '' } = token
    const { expiresIn = 600, claims, key = 'published', algorithm = 'ES256' } = token
    const now = nowInSeconds()
    const isSession = kind === 'session'
    const keys = key === 'unknown' ? unknown : published
    return signWith(findKey(keys, algorithm), isSession ? 'JWT' : 'at+jwt', {
      iss: url,
      sub: userId,
      aud: audience,
      iat: now + Math.min(0, expiresIn),
      exp: now + expiresIn,
      auth_time: now,
      sid: `ses_${crypto.randomUUID()}`,
      ...(isSession
        ? { token_use: 'session' }
        : { client_id: 'test', jti: `tok_${crypto.randomUUID()}`, scope }),
      ...claims,
    })
  }

  return {
    url,
    sign,
    revoke: (id) => void revoked.set(id, nowInSeconds()),
    rotateKeys: async () => {
      published = await createKeys()
    },
    stop,
  }
}

/** What verifiers and clients require. Nobody can sign in, so the endpoints do not respond. */
function discoveryDocument(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oidc/authorize`,
    token_endpoint: `${issuer}/oidc/token`,
    userinfo_endpoint: `${issuer}/oidc/userinfo`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256', 'RS256'],
  }
}

async function createKeys(): Promise<Key[]> {
  return Promise.all(
    (['ES256', 'RS256'] as const).map(async (algorithm) => ({
      kid: crypto.randomUUID(),
      algorithm,
      pair: await generateKeyPair(algorithm, { extractable: true }),
    })),
  )
}

function findKey(keys: readonly Key[], algorithm: Key['algorithm']): Key {
  const key = keys.find((each) => each.algorithm === algorithm)
  if (!key) throw new TypeError(`There is no key for ${algorithm}.`)
  return key
}

async function publicKey({ kid, algorithm, pair }: Key) {
  return { ...(await exportJWK(pair.publicKey)), kid, alg: algorithm, use: 'sig' }
}

function signWith({ kid, algorithm: alg, pair }: Key, typ: string, claims: JWTPayload) {
  return new SignJWT(claims).setProtectedHeader({ alg, typ, kid }).sign(pair.privateKey)
}

function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
