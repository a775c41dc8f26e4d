import type { LoaderFunctionArgs } from 'react-router'
import { API } from './login'
import { authContext } from './session'

export async function loader({ context }: LoaderFunctionArgs) {
  const orders = await context.get(authContext).fetchWithToken(`${API}/orders`)
  return Response.json(await orders.json(), { status: orders.status })
}
