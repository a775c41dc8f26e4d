import type { APIRoute } from 'astro'
import { API } from '../login'

export const GET: APIRoute = async ({ locals }) => {
  const orders = await locals.auth.fetchWithToken(`${API}/orders`)
  return Response.json(await orders.json(), { status: orders.status })
}
