import type { Handle } from '@sveltejs/kit/hooks'
import { login, readAuth } from './lib/server/login'

export const handle: Handle = async ({ event, resolve }) => {
  if (event.url.pathname.startsWith('/auth/')) return login.handler(event.request)
  const auth = await readAuth(event.request)
  if (!auth) return new Response('Please try again later.', { status: 503 })
  event.locals.auth = auth
  return auth.withHeaders(await resolve(event))
}
