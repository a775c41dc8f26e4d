import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { bearerAuth } from 'hono/bearer-auth'
import { createRemoteJWKSet, jwtVerify } from 'jose'

const { ISSUER, API, PORT } = process.env

const jwks = createRemoteJWKSet(new URL(`${ISSUER}/.well-known/jwks.json`))
const checks = { issuer: ISSUER, audience: API, algorithms: ['ES256'], typ: 'at+jwt' }

const app = new Hono()
app.use(
  bearerAuth({
    verifyToken: async (token, c) => {
      const verified = await jwtVerify(token, jwks, checks).catch(() => undefined)
      c.set('claims', verified?.payload)
      return verified !== undefined
    },
  }),
)
app.get('/', (c) => c.json({ sub: c.get('claims').sub }))

serve({ fetch: app.fetch, hostname: 'localhost', port: Number(PORT) })
