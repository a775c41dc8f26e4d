import { API } from '../../lib/server/login'

export async function GET({ locals }) {
  const orders = await locals.auth.fetchWithToken(`${API}/orders`)
  return Response.json(await orders.json(), { status: orders.status })
}
