import { Hono } from 'hono'
import { pageHeaders } from '../page-headers.ts'
import { NotFoundPage, ShopPage } from './pages.tsx'
import { stylesheet } from './stylesheet.ts'

interface Settings {
  /** The login service. */
  AUTH_URL: string
  ORDERS_URL: string
  GALLERY_URL: string
  PICTURES_URL: string
  /** `browser.ts` and the library that it imports, as one script. */
  SCRIPT: string
}

/**
 * A shop without passwords of its own: a page on the site of the login service, whose script uses
 * our library for frontends.
 */
export const app = new Hono<{ Bindings: Settings }>()
  // Before the headers of pages, which do not let other origins load it: the login service shows
  // it.
  .get('/logo.svg', (c) => c.body(LOGO, 200, { 'Content-Type': 'image/svg+xml' }))
  .use(
    pageHeaders({
      scriptSrc: ["'self'"],
      connectSrc: [(c) => c.env.AUTH_URL, (c) => c.env.ORDERS_URL],
    }),
  )
  .get('/', (c) => {
    const { AUTH_URL, ORDERS_URL, GALLERY_URL } = c.env
    return c.html(<ShopPage loginUrl={AUTH_URL} ordersUrl={ORDERS_URL} galleryUrl={GALLERY_URL} />)
  })
  .get('/style.css', (c) => c.body(stylesheet, 200, { 'Content-Type': 'text/css' }))
  .get('/browser.js', (c) => c.body(c.env.SCRIPT, 200, { 'Content-Type': 'text/javascript' }))
  .notFound((c) => c.html(<NotFoundPage />, 404))

/** A pot. */
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
  <rect width="64" height="64" fill="#8a3b12"/>
  <path d="M16 26h32l-4 26H20zM20 14h24l2 8H18z" fill="#fff"/>
</svg>`
