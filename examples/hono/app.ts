import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { html } from 'hono/html'
import type { RenewedToken } from 'vestibule-auth/server'
import { API, login, readAuth } from './login.ts'

const app = new Hono<{ Variables: { auth: RenewedToken } }>()
app.all('/auth/*', (c) => login.handler(c.req.raw))
app.use(async (c, next) => {
  const auth = await readAuth(c.req.raw)
  if (!auth) return c.text('Please try again later.', 503)
  c.set('auth', auth)
  await next()
  for (const [name, value] of auth.headers) c.header(name, value, { append: name === 'set-cookie' })
})
app.get('/', (c) => {
  const { session } = c.get('auth')
  if (!session) return c.html(html`<a href="/auth/signin?returnTo=/">Sign in</a>`)
  return c.html(html`Hello, ${session.user.name}
    <form method="post" action="/auth/signout"><button>Sign out</button></form>`)
})
app.get('/orders', async (c) => {
  const orders = await c.get('auth').fetchWithToken(`${API}/orders`)
  return Response.json(await orders.json(), { status: orders.status })
})
serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) })
