import { defineMiddleware } from 'astro:middleware'
import { login, readAuth } from './login'

export const onRequest = defineMiddleware(async ({ request, url, locals }, next) => {
  if (url.pathname.startsWith('/auth/')) return login.handler(request)
  const auth = await readAuth(request)
  if (!auth) return new Response('Please try again later.', { status: 503 })
  locals.auth = auth
  return auth.withHeaders(await next())
})
