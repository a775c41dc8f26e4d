import { env } from 'cloudflare:workers'
import { Hono } from 'hono'
import { createVerifier } from '../../src/verify.ts'

interface Settings {
  /** The login service, which issues the tokens and publishes the keys to verify them. */
  AUTH_URL: string
  /** This API's own origin, which its tokens name as their audience (RFC 8707). */
  ORDERS_URL: string
}

const { AUTH_URL, ORDERS_URL } = env as unknown as Settings

const auth = createVerifier({
  issuer: AUTH_URL,
  audience: ORDERS_URL,
  metadata: { resource_name: 'Orders' },
})

/**
 * An example API. It verifies access tokens by their signature, without a call to the login service
 * for each request, and learns about sign-outs within seconds.
 */
const app = new Hono()
  .get(auth.metadataPath, (c) => c.json(auth.metadata))
  .get('/orders', auth.hono(), (c) => {
    const { userId } = c.get('token')
    return c.json({ customer: userId, orders: ORDERS })
  })

export default app

const ORDERS = [
  { id: 'A-1042', item: 'Stoneware mug, moss', status: 'on its way' },
  { id: 'A-0987', item: 'Teapot for two', status: 'delivered' },
]
