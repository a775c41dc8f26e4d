import { serve } from '@hono/node-server'
import {
  getAuth,
  initOidcAuthMiddleware,
  oidcAuthMiddleware,
  processOAuthCallback,
} from '@hono/oidc-auth'
import { Hono } from 'hono'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, APP_URL, SESSION_SECRET, PORT } = process.env

const app = new Hono()
app.use(
  initOidcAuthMiddleware({
    OIDC_ISSUER: ISSUER,
    OIDC_CLIENT_ID: CLIENT_ID,
    OIDC_CLIENT_SECRET: CLIENT_SECRET,
    OIDC_REDIRECT_URI: `${APP_URL}/callback`,
    OIDC_AUTH_SECRET: SESSION_SECRET,
    // By default the library requests every scope that the login service supports.
    OIDC_SCOPES: 'openid profile offline_access',
  }),
)
app.get('/callback', processOAuthCallback)
app.use(oidcAuthMiddleware())
app.get('/', async (c) => {
  const user = await getAuth(c)
  return c.json({ sub: user?.sub })
})

serve({ fetch: app.fetch, hostname: 'localhost', port: Number(PORT) })
