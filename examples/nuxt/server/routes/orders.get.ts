export default defineEventHandler(async (event) => {
  const orders = await event.context.auth.fetchWithToken(`${API}/orders`)
  return Response.json(await orders.json(), { status: orders.status })
})
