import type { Handle } from '@sveltejs/kit/hooks'
import { login } from './lib/server/login'

export const handle: Handle = async ({ event, resolve }) => {
  if (event.url.pathname.startsWith('/auth/')) return login.handler(event.request)
  event.locals.auth = await login.getToken(event.request)
  return event.locals.auth.withHeaders(await resolve(event))
}
