import { API, login } from '../../login'

export async function GET(request: Request) {
  // The proxy has renewed the token.
  const { fetchWithToken } = await login.getToken(request, { canSetHeaders: false })
  const orders = await fetchWithToken(`${API}/orders`)
  return Response.json(await orders.json(), { status: orders.status })
}
