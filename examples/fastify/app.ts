import fastify from 'fastify'
import type { RenewedToken } from 'vestibule-auth/server'
import { API, login, readAuth } from './login.ts'

declare module 'fastify' {
  interface FastifyRequest {
    auth: RenewedToken
  }
}

const app = fastify()
// The form of a sign-out is empty. Without a parser, Fastify responds with 415.
app.addContentTypeParser('application/x-www-form-urlencoded', (_request, _body, done) => done(null))
app.all('/auth/:action', (request) => login.handler(request))
app.decorateRequest('auth')
app.addHook('onRequest', async (request, reply) => {
  if (request.url.startsWith('/auth/')) return
  const auth = await readAuth(request)
  if (!auth) return reply.code(503).send('Please try again later.')
  request.auth = auth
  reply.headers(Object.fromEntries(auth.headers))
})
app.get('/', ({ auth: { session } }, reply) => {
  reply.type('text/html')
  if (!session) return reply.send('<a href="/auth/signin?returnTo=/">Sign in</a>')
  const name = session.user.name?.replace(/[<&]/g, '')
  return reply.send(`Hello, ${name}
    <form method="post" action="/auth/signout"><button>Sign out</button></form>`)
})
app.get('/orders', async ({ auth }) => {
  const orders = await auth.fetchWithToken(`${API}/orders`)
  return Response.json(await orders.json(), { status: orders.status })
})
await app.listen({ port: Number(process.env.PORT ?? 3000) })
