import { type NextRequest, NextResponse } from 'next/server'
import { readAuth } from './login'

export async function proxy(request: NextRequest) {
  const auth = await readAuth(request)
  if (!auth) return new NextResponse('Please try again later.', { status: 503 })
  request.headers.set('Cookie', auth.cookie)
  return NextResponse.next({ request, headers: auth.headers })
}
export const config = { matcher: '/((?!auth/|_next/).*)' }
