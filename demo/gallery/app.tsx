import { Hono } from 'hono'
import {
  type ClientSettings,
  openIdClient,
  readVisitor,
  SignInFailedError,
} from '../openid-client.ts'
import { pageHeaders } from '../page.tsx'
import { GalleryPage, NoticePage } from './pages.tsx'
import { stylesheet } from './stylesheet.ts'

interface Settings extends ClientSettings {
  STOREFRONT_URL: string
  PICTURES_URL: string
}

/** Another app of the same house, a public client: who is signed in at the storefront need not do it again. */
export const app = new Hono<{ Bindings: Settings }>()
  .use(pageHeaders(stylesheet))
  .get('/', async (c) => {
    const visitor = await readVisitor(c)
    return c.html(<GalleryPage visitor={visitor} storefrontUrl={c.env.STOREFRONT_URL} />)
  })
  .route(
    '/',
    openIdClient<Settings>(() => ({ scope: 'openid profile' })),
  )
  .notFound((c) => c.html(<NoticePage title="Nothing here" text="There is one room only." />, 404))
  .onError((error, c) => {
    if (error instanceof SignInFailedError) {
      return c.html(<NoticePage title="You are not signed in" text={error.message} />, 400)
    }
    console.error(String(error))
    const text = 'The sign-in service cannot be reached. Please try again in a minute.'
    return c.html(<NoticePage title="Closed for a moment" text={text} />, 503)
  })
