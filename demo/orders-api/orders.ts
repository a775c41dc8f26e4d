/** What demo/services.ts sets. */
export interface Settings {
  /** The login service, which issues the tokens and publishes the keys to verify them. */
  AUTH_URL: string
  /** This API's own origin. */
  ORDERS_URL: string
  /** The origin of the shop, whose page calls this API. */
  STOREFRONT_URL: string
}

const ORDERS = [
  { id: 'A-1042', item: 'Stoneware mug, moss', status: 'on its way' },
  { id: 'A-0987', item: 'Teapot for two', status: 'delivered' },
]

/** The orders that each customer has cancelled, until the demo stops. */
const cancelled = new Map<string, Set<string>>()

/** Every customer has the same two orders. */
export function listOrders(customer: string) {
  const ids = cancelled.get(customer)
  return ORDERS.map((order) => (ids?.has(order.id) ? { ...order, status: 'cancelled' } : order))
}

/** Returns the order, which is still the same if it was already delivered. */
export function cancelOrder(customer: string, id: string) {
  const order = listOrders(customer).find((known) => known.id === id)
  if (order?.status !== 'on its way') return order
  cancelled.set(customer, new Set(cancelled.get(customer)).add(id))
  return { ...order, status: 'cancelled' }
}
