import { Hono } from 'hono'
import {
  type ClientSettings,
  fetchSignedInUser,
  openIdClient,
  type SignedInUser,
  SignInFailedError,
} from '../openid-client.ts'
import { pageHeaders } from '../page.tsx'
import { type Customer, ErrorPage, ShopPage } from './pages.tsx'
import { stylesheet } from './stylesheet.ts'

interface Settings extends ClientSettings {
  ORDERS_URL: string
  GALLERY_URL: string
  PICTURES_URL: string
}

/** A shop without passwords of its own: an OpenID Connect client of the login service. */
export const app = new Hono<{ Bindings: Settings }>()
  // Before the headers of pages, which do not let other origins load it: the login service shows
  // it.
  .get('/logo.svg', (c) => c.body(LOGO, 200, { 'Content-Type': 'image/svg+xml' }))
  .use(pageHeaders)
  .get('/', async (c) => {
    const user = await fetchSignedInUser(c)
    const customer = user && (await createCustomer(user, c.env.ORDERS_URL))
    return c.html(<ShopPage customer={customer} galleryUrl={c.env.GALLERY_URL} />)
  })
  .get('/style.css', (c) => c.body(stylesheet, 200, { 'Content-Type': 'text/css' }))
  .route(
    '/',
    openIdClient<Settings>(({ ORDERS_URL }) => ({ scope: 'openid profile', resource: ORDERS_URL })),
  )
  .notFound((c) => {
    return c.html(<ErrorPage title="Nothing here" text="The shop has a single page." />, 404)
  })
  .onError((error, c) => {
    if (error instanceof SignInFailedError) {
      const page = <ErrorPage title="You are not signed in" text={error.message} canSignIn />
      return c.html(page, 400)
    }
    console.error(String(error))
    const text = 'The login service cannot be reached. Please try again in a minute.'
    return c.html(<ErrorPage title="Temporarily unavailable" text={text} />, 503)
  })

async function createCustomer(user: SignedInUser, ordersUrl: string): Promise<Customer> {
  const { profile, idToken, accessToken } = user
  return {
    name: profile.name || profile.preferred_username || 'guest',
    picture: profile.picture,
    idToken,
    orders: await fetchOrders(ordersUrl, accessToken),
  }
}

/** The orders API receives no cookie: the access token is the only credential it accepts. */
async function fetchOrders(url: string, token: string): Promise<Customer['orders']> {
  try {
    const response = await fetch(`${url}/orders`, { headers: { Authorization: `Bearer ${token}` } })
    return { status: response.status, body: await response.json() }
  } catch {
    return { status: 503, body: { error: 'The orders API does not respond.' } }
  }
}

/** A pot. */
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
  <rect width="64" height="64" fill="#8a3b12"/>
  <path d="M16 26h32l-4 26H20zM20 14h24l2 8H18z" fill="#fff"/>
</svg>`
