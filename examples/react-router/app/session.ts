import { createContext, type MiddlewareFunction } from 'react-router'
import type { RenewedToken } from 'vestibule-auth/server'
import { login } from './login'

export const authContext = createContext<RenewedToken>()
export const middleware: MiddlewareFunction<Response>[] = [
  async ({ request, context }, next) => {
    const auth = await login.getToken(request)
    context.set(authContext, auth)
    return auth.withHeaders(await next())
  },
]
