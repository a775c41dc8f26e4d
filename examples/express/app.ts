import express from 'express'
import { API, login, readAuth } from './login.ts'

const app = express()
app.all('/auth/:action', async (request, response) => {
  const result = await login.handler(request)
  response
    .status(result.status)
    .setHeaders(result.headers)
    .send(await result.text())
})
app.use(async (request, response, next) => {
  const auth = await readAuth(request)
  if (!auth) return response.status(503).send('Please try again later.')
  response.locals.auth = auth
  response.setHeaders(auth.headers)
  next()
})
app.get('/', (_request, response) => {
  const { session } = response.locals.auth
  if (!session) return response.send('<a href="/auth/signin?returnTo=/">Sign in</a>')
  const name = session.user.name?.replace(/[<&]/g, '')
  response.send(`Hello, ${name}
    <form method="post" action="/auth/signout"><button>Sign out</button></form>`)
})
app.get('/orders', async (_request, response) => {
  const orders = await response.locals.auth.fetchWithToken(`${API}/orders`)
  response.status(orders.status).json(await orders.json())
})
app.listen(process.env.PORT ?? 3000)
