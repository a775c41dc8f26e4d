import { env } from 'cloudflare:workers'
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { createVerifier } from '../../src/verify.ts' // In your API: 'vestibule-auth/verify'
import { mcp } from './mcp.ts'
import { listOrders, type Settings } from './orders.ts'

const { AUTH_URL, STOREFRONT_URL } = env as unknown as Settings

const auth = createVerifier({ issuer: AUTH_URL, audience: 'storefront', token: 'session' })

/**
 * An example API. It verifies the tokens of the storefront's sessions by their signature, without a
 * call to the login service for each request, and learns about sign-outs within seconds.
 */
const app = new Hono()
  .use('/orders', cors({ origin: STOREFRONT_URL, exposeHeaders: ['WWW-Authenticate'] }))
  .get('/orders', auth.hono(), (c) => {
    const { userId = '' } = auth.tokenOf(c)
    return c.json({ customer: userId, orders: listOrders(userId) })
  })
  .route('/', mcp)

export default app
