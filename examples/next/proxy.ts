import { type NextRequest, NextResponse } from 'next/server'
import { login } from './login'

export async function proxy(request: NextRequest) {
  const { headers, cookie } = await login.getToken(request)
  request.headers.set('Cookie', cookie)
  return NextResponse.next({ request, headers })
}
export const config = { matcher: '/((?!auth/|_next/).*)' }
