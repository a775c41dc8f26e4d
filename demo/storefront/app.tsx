import { Hono } from 'hono'
import {
  type ClientSettings,
  openIdClient,
  readVisitor,
  SignInFailedError,
  type Visitor,
} from '../openid-client.ts'
import { pageHeaders } from '../page.tsx'
import { type Customer, ShopPage, TroublePage } from './pages.tsx'
import { stylesheet } from './stylesheet.ts'

interface Settings extends ClientSettings {
  ORDERS_URL: string
  GALLERY_URL: string
  PICTURES_URL: string
}

/** A shop without accounts of its own: an OpenID Connect client of the login service. */
export const app = new Hono<{ Bindings: Settings }>()
  .use(pageHeaders(stylesheet))
  .get('/', async (c) => {
    const visitor = await readVisitor(c)
    const customer = visitor && (await describe(visitor, c.env.ORDERS_URL))
    return c.html(<ShopPage customer={customer} galleryUrl={c.env.GALLERY_URL} />)
  })
  .route(
    '/',
    openIdClient<Settings>(({ ORDERS_URL }) => ({ scope: 'openid profile', resource: ORDERS_URL })),
  )
  .notFound((c) => {
    return c.html(<TroublePage title="Nothing here" text="The shop has a single page." />, 404)
  })
  .onError((error, c) => {
    if (error instanceof SignInFailedError) {
      const page = <TroublePage title="You are not signed in" text={error.message} canSignIn />
      return c.html(page, 400)
    }
    console.error(String(error))
    const text = 'We cannot reach the sign-in service at the moment. Please try again in a minute.'
    return c.html(<TroublePage title="We will be right back" text={text} />, 503)
  })

async function describe(visitor: Visitor, ordersUrl: string): Promise<Customer> {
  const { profile, idToken, accessToken } = visitor
  return {
    name: profile.name || profile.preferred_username || 'stranger',
    picture: profile.picture,
    idToken,
    orders: await readOrders(ordersUrl, accessToken),
  }
}

/** What the orders API says, which has never heard of any cookie: the access token is all it gets. */
async function readOrders(url: string, token: string): Promise<Customer['orders']> {
  try {
    const response = await fetch(`${url}/orders`, { headers: { Authorization: `Bearer ${token}` } })
    return { status: response.status, body: await response.json() }
  } catch {
    return { status: 503, body: { error: 'The orders API does not answer.' } }
  }
}
