import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { auth } from './auth.ts'

const app = new Hono()
app.use(
  cors({
    origin: process.env.APP_URL ?? 'https://shop.example.com',
    exposeHeaders: ['WWW-Authenticate'],
  }),
)
app.get('/orders', auth.hono(), (c) => c.json({ customer: auth.tokenOf(c).userId }))
serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 8080) })
