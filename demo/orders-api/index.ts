import { Hono } from 'hono'
import { createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from 'jose'

interface Settings {
  /** The login service, which issues the tokens and publishes the keys to verify them. */
  AUTH_URL: string
  /** This API's own origin, which its tokens name as their audience (RFC 8707). */
  ORDERS_URL: string
}

/**
 * An example API. It verifies access tokens by their signature, without a call to the login
 * service.
 */
const app = new Hono<{ Bindings: Settings }>().get('/orders', async (c) => {
  const [, token] = /^Bearer +(\S+)$/i.exec(c.req.header('Authorization') ?? '') ?? []
  if (!token) return c.json({ error: 'unauthorized' }, 401, { 'WWW-Authenticate': 'Bearer' })

  const claims = await verifyAccessToken(token, c.env)
  if (!claims) {
    const challenge = 'Bearer error="invalid_token"'
    return c.json({ error: 'invalid_token' }, 401, { 'WWW-Authenticate': challenge })
  }
  return c.json({ customer: claims.sub, orders: ORDERS })
})

export default app

/**
 * Returns the claims if the login service issued the token for this API and it has not expired (RFC
 * 9068 §4).
 */
async function verifyAccessToken(token: string, { AUTH_URL, ORDERS_URL }: Settings) {
  try {
    keys ??= createRemoteJWKSet(new URL(`${AUTH_URL}/.well-known/jwks.json`))
    const { payload } = await jwtVerify(token, keys, {
      issuer: AUTH_URL,
      audience: ORDERS_URL,
      typ: 'at+jwt',
      algorithms: ['ES256'],
    })
    return payload
  } catch (error) {
    if (isTokenInvalid(error)) return undefined
    throw error
  }
}

/** Cached; jose fetches the keys again when a token names one that is not among them. */
let keys: JWTVerifyGetKey | undefined

/**
 * If the keys cannot be fetched, the token may still be valid, and the user need not sign in again.
 */
function isTokenInvalid(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return false
  return !['ERR_JWKS_TIMEOUT', 'ERR_JOSE_GENERIC'].includes(error.code)
}

const ORDERS = [
  { id: 'A-1042', item: 'Stoneware mug, moss', status: 'on its way' },
  { id: 'A-0987', item: 'Teapot for two', status: 'delivered' },
]
