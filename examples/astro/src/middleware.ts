import { defineMiddleware } from 'astro:middleware'
import { login } from './login'

export const onRequest = defineMiddleware(async ({ request, url, locals }, next) => {
  if (url.pathname.startsWith('/auth/')) return login.handler(request)
  locals.auth = await login.getToken(request)
  return locals.auth.withHeaders(await next())
})
