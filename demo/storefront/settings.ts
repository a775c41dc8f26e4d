/** What the shop has to know about its neighbours. */
export interface Settings {
  AUTH_URL: string
  /** The name under which the login service knows this shop, and the audience of its tokens. */
  CLIENT_ID: string
  STOREFRONT_URL: string
  ORDERS_URL: string
  PICTURES_URL: string
}
