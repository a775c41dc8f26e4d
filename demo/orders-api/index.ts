import { Hono } from 'hono'
import { createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from 'jose'

interface Settings {
  /** The login service: the issuer of the tokens, and where its public keys are. */
  AUTH_URL: string
  /** This API's own origin, which a token for it names as its audience (RFC 8707). */
  ORDERS_URL: string
}

/** An API of your own: it trusts an access token by its signature, and asks nobody. */
const app = new Hono<{ Bindings: Settings }>().get('/orders', async (c) => {
  const [, token] = /^Bearer +(\S+)$/i.exec(c.req.header('Authorization') ?? '') ?? []
  if (!token) return c.json({ error: 'unauthorized' }, 401, { 'WWW-Authenticate': 'Bearer' })

  const claims = await verify(token, c.env)
  if (!claims) {
    const challenge = 'Bearer error="invalid_token"'
    return c.json({ error: 'invalid_token' }, 401, { 'WWW-Authenticate': challenge })
  }
  return c.json({ customer: claims.sub, orders: ORDERS })
})

export default app

/** The claims of an access token that the login service made for this API and that is still good (RFC 9068 §4). */
async function verify(token: string, { AUTH_URL, ORDERS_URL }: Settings) {
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
    if (isFaultOfToken(error)) return undefined
    throw error
  }
}

/** Fetched once and remembered; jose asks again when a token names a key it has not seen. */
let keys: JWTVerifyGetKey | undefined

/** When the keys cannot be fetched, that is no reason to send people to sign in again. */
function isFaultOfToken(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return false
  return !['ERR_JWKS_TIMEOUT', 'ERR_JOSE_GENERIC'].includes(error.code)
}

const ORDERS = [
  { id: 'A-1042', item: 'Stoneware mug, moss', status: 'on its way' },
  { id: 'A-0987', item: 'Teapot for two', status: 'delivered' },
]
