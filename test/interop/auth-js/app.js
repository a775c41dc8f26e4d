// The routes that a framework's package of Auth.js serves, and a page that reads the session.
import { Auth } from '@auth/core'
import { getToken } from '@auth/core/jwt'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { csrf } from 'hono/csrf'
import { authConfig } from './auth-config.js'

const { ISSUER, APP_URL, SESSION_SECRET, PORT } = process.env

const app = new Hono()
app.all('/auth/*', (c) => Auth(c.req.raw, authConfig))
app.get('/', async (c) => {
  const url = new URL('/auth/session', c.req.url)
  const response = await Auth(new Request(url, { headers: c.req.raw.headers }), authConfig)
  const session = await response.json()
  if (!session) return c.redirect('/auth/signin?callbackUrl=/')
  return c.json({ sub: session.user.id, name: session.user.name })
})
// Signs the user out of every app. The session here ends, too, because its refresh token does.
app.get('/logout', (c) =>
  c.html('<form method="post" action="/logout"><button>Sign out</button></form>'),
)
app.post('/logout', csrf({ origin: APP_URL }), async (c) => {
  const secureCookie = APP_URL.startsWith('https:')
  const token = await getToken({ req: c.req.raw, secret: SESSION_SECRET, secureCookie })
  const query = { id_token_hint: token?.idToken ?? '', post_logout_redirect_uri: `${APP_URL}/` }
  return c.redirect(`${ISSUER}/oidc/logout?${new URLSearchParams(query)}`, 303)
})

serve({ fetch: app.fetch, hostname: 'localhost', port: Number(PORT) })
