import { type Context, Hono } from 'hono'
import { decodeJwt } from 'jose'
import { type Customer, ShopPage, TroublePage } from './pages.tsx'
import type { Settings } from './settings.ts'
import { stylesheet } from './stylesheet.ts'

/** What `/api/auth/session` answers about somebody who is signed in. */
interface Session {
  user: { name?: string; username?: string; image?: string }
  token: string
}

type ShopContext = Context<{ Bindings: Settings }>

/** A shop without accounts of its own: who is there, it learns from the login service. */
export const app = new Hono<{ Bindings: Settings }>()
  .use(async (c, next) => {
    await next()
    c.header('Content-Security-Policy', await policy(c.env))
    c.header('Cache-Control', 'no-store')
    c.header('X-Content-Type-Options', 'nosniff')
    // Not `no-referrer`: browsers would then send `Origin: null` with the sign-out form, and the
    // login service could not tell that it is ours.
    c.header('Referrer-Policy', 'strict-origin')
  })
  .get('/', async (c) => {
    const session = await readSession(c)
    const customer = session && (await describe(c, session))
    return c.html(<ShopPage settings={c.env} customer={customer} />)
  })
  .notFound((c) => {
    return c.html(<TroublePage title="Nothing here" text="The shop has a single page." />, 404)
  })
  .onError((error, c) => {
    console.error(String(error))
    const text = 'We cannot reach the sign-in service at the moment. Please try again in a minute.'
    return c.html(<TroublePage title="We will be right back" text={text} />, 503)
  })

/**
 * Asks with the visitor's own cookies. They arrive here because cookies ignore the port, and here all
 * neighbours live on localhost. A frontend on a host of its own asks from the browser instead:
 * `fetch(AUTH_URL + '/api/auth/session', { credentials: 'include' })`.
 */
async function readSession(c: ShopContext): Promise<Session | null> {
  const { AUTH_URL, CLIENT_ID } = c.env
  const response = await fetch(`${AUTH_URL}/api/auth/session?client_id=${CLIENT_ID}`, {
    headers: { Accept: 'application/json', Cookie: c.req.header('Cookie') ?? '' },
  })
  if (!response.ok) throw new Error(`The login service answered ${response.status}.`)
  return response.json()
}

async function describe(c: ShopContext, { user, token }: Session): Promise<Customer> {
  return {
    name: user.name || user.username || 'stranger',
    picture: user.image,
    claims: decodeJwt(token),
    orders: await readOrders(c.env.ORDERS_URL, token),
  }
}

/** What the orders API says, which has never heard of the cookie: the token is all it gets. */
async function readOrders(url: string, token: string): Promise<{ status: number; body: unknown }> {
  try {
    const response = await fetch(`${url}/orders`, { headers: { Authorization: `Bearer ${token}` } })
    return { status: response.status, body: await response.json() }
  } catch {
    return { status: 503, body: { error: 'The orders API does not answer.' } }
  }
}

/** Our stylesheet, the platform's pictures, the neighbours, and the sign-out form, which comes back here. */
async function policy({ AUTH_URL, ORDERS_URL, PICTURES_URL }: Settings): Promise<string> {
  return [
    "default-src 'none'",
    `style-src '${await hashOf(stylesheet)}'`,
    `img-src data: ${PICTURES_URL}`,
    `form-action 'self' ${AUTH_URL}`,
    `connect-src ${AUTH_URL} ${ORDERS_URL}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

async function hashOf(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(hash)))}`
}
