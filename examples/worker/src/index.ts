import { API, login, readAuth } from './login'

export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/auth/')) return login.handler(request)
    const auth = await readAuth(request)
    if (!auth) return new Response('Please try again later.', { status: 503 })
    const { session, fetchWithToken, withHeaders } = auth
    if (pathname === '/orders') {
      return withHeaders(await fetchWithToken(`${API}/orders`))
    }
    const name = session?.user.name?.replace(/[<&]/g, '')
    const page = session
      ? `Hello, ${name} <form method="post" action="/auth/signout"><button>Sign out</button></form>`
      : '<a href="/auth/signin?returnTo=/">Sign in</a>'
    return withHeaders(
      new Response(page, { headers: { 'Content-Type': 'text/html; charset=utf-8' } }),
    )
  },
}
