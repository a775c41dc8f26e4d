// The routes that a framework's package of Auth.js serves, and a page that reads the session.
import { Auth } from '@auth/core'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { authConfig } from './auth-config.js'

const app = new Hono()
app.all('/auth/*', (c) => Auth(c.req.raw, authConfig))
app.get('/', async (c) => {
  const url = new URL('/auth/session', c.req.url)
  const response = await Auth(new Request(url, { headers: c.req.raw.headers }), authConfig)
  const session = await response.json()
  if (!session) return c.redirect('/auth/signin?callbackUrl=/')
  return c.json({ sub: session.user.id, name: session.user.name })
})

serve({ fetch: app.fetch, hostname: 'localhost', port: Number(process.env.PORT) })
