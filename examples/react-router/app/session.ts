import { createContext, type MiddlewareFunction } from 'react-router'
import type { RenewedToken } from 'vestibule-auth/server'
import { readAuth } from './login'

export const authContext = createContext<RenewedToken>()
export const middleware: MiddlewareFunction<Response>[] = [
  async ({ request, context }, next) => {
    const auth = await readAuth(request)
    if (!auth) return new Response('Please try again later.', { status: 503 })
    context.set(authContext, auth)
    return auth.withHeaders(await next())
  },
]
