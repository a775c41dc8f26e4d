import { Hono } from 'hono'
import { pageHeaders } from '../page-headers.ts'
import {
  type ClientSettings,
  fetchSignedInUser,
  openIdClient,
  SignInFailedError,
} from './openid-client.ts'
import { ErrorPage, GalleryPage } from './pages.tsx'
import { stylesheet } from './stylesheet.ts'

interface Settings extends ClientSettings {
  STOREFRONT_URL: string
  PICTURES_URL: string
}

/**
 * A second app, which is an OpenID Connect client: users who are signed in at the storefront sign in
 * with one click. It works without JavaScript.
 */
export const app = new Hono<{ Bindings: Settings }>()
  .use(pageHeaders())
  .get('/', async (c) => {
    const user = await fetchSignedInUser(c)
    return c.html(<GalleryPage user={user} storefrontUrl={c.env.STOREFRONT_URL} />)
  })
  .get('/style.css', (c) => c.body(stylesheet, 200, { 'Content-Type': 'text/css' }))
  .route('/', openIdClient('openid profile'))
  .notFound((c) => {
    return c.html(<ErrorPage title="Nothing here" text="The gallery has a single page." />, 404)
  })
  .onError((error, c) => {
    if (error instanceof SignInFailedError) {
      return c.html(<ErrorPage title="You are not signed in" text={error.message} />, 400)
    }
    console.error(String(error))
    const text = 'The login service cannot be reached. Please try again in a minute.'
    return c.html(<ErrorPage title="Temporarily unavailable" text={text} />, 503)
  })
