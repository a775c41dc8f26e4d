import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { jwk } from 'hono/jwk'

const { ISSUER, API, PORT } = process.env

const app = new Hono()
app.use(
  jwk({
    jwks_uri: `${ISSUER}/.well-known/jwks.json`,
    alg: ['ES256', 'RS256'],
    verification: { iss: ISSUER, aud: API },
  }),
)
app.use(async (c, next) => {
  // Without the type at+jwt, only this claim distinguishes access tokens.
  if (c.get('jwtPayload').token_use !== 'access') return c.text('Unauthorized', 401)
  return next()
})
app.get('/', (c) => c.json({ sub: c.get('jwtPayload').sub }))

serve({ fetch: app.fetch, hostname: 'localhost', port: Number(PORT) })
