import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { auth } from './auth.js'

const app = new Hono()
app.on(['GET', 'POST'], '/api/auth/*', (c) => auth.handler(c.req.raw))
app.get('/', async (c) => {
  const { headers } = c.req.raw
  const session = await auth.api.getSession({ headers })
  if (session) {
    const [account] = await auth.api.listUserAccounts({ headers })
    return c.json({ sub: account.accountId, name: session.user.name })
  }
  const body = { provider: 'vestibule', callbackURL: '/' }
  const signIn = await auth.api.signInSocial({ body, headers, asResponse: true })
  const { url } = await signIn.json()
  for (const cookie of signIn.headers.getSetCookie())
    c.header('Set-Cookie', cookie, { append: true })
  return c.redirect(url)
})

serve({ fetch: app.fetch, hostname: 'localhost', port: Number(process.env.PORT) })
