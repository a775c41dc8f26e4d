// The routes that Next.js would serve from pages/api/auth/[...nextauth].js.
import cookieParser from 'cookie-parser'
import express from 'express'
import nextAuth from 'next-auth'
import { authOptions } from './auth-options.js'

const { APP_URL, PORT } = process.env
process.env.NEXTAUTH_URL = APP_URL

const app = express()
app.use(cookieParser(), express.urlencoded())
app.get('/', (_request, response) => {
  response.redirect('/api/auth/signin?callbackUrl=/api/auth/session')
})
app.all('/api/auth/*path', (request, response) => {
  const query = { ...request.query, nextauth: request.params.path }
  Object.defineProperty(request, 'query', { value: query })
  return nextAuth.default(request, response, authOptions)
})
app.listen(PORT, 'localhost')
