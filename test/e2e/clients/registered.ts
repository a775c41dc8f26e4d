import { createHash } from 'node:crypto'

/** What every confidential app here knows, and the login service has the digest of. */
export const SECRET = 'e2e-secret: 100% a+b'

/** The APIs that access tokens are for. Names alone: nothing answers there. */
export const ORDERS_API = 'https://orders-api.example'
export const STOCK_API = 'https://stock-api.example'

/** Where the browser app is served: on a site of its own, and on the one of the login service. */
export const SPA_PORT = 18_800
export const FOREIGN_SPA = `http://spa.localhost:${SPA_PORT}`
export const NEARBY_SPA = `http://localhost:${SPA_PORT}`

export const AUTH_JS_PORT = 18_801
export const AUTH_JS = `http://localhost:${AUTH_JS_PORT}`

/** Nobody listens there: the test that asks for a code takes it out of the browser. */
export const CALLBACK = 'http://localhost:18802/callback'

const confidential = {
  redirect_uris: [CALLBACK],
  client_secrets_sha256: [createHash('sha256').update(SECRET).digest('hex')],
  first_party: true,
}

/** The apps of these tests, as an operator would register them. */
export const CLIENTS = [
  {
    client_id: 'spa',
    redirect_uris: [`${FOREIGN_SPA}/`, `${NEARBY_SPA}/`],
    post_logout_redirect_uris: [`${FOREIGN_SPA}/`, `${NEARBY_SPA}/`],
    first_party: true,
  },
  {
    ...confidential,
    client_id: 'auth-js',
    redirect_uris: [`${AUTH_JS}/auth/callback/login`],
    id_token_claims: 'full',
  },
  {
    ...confidential,
    client_id: 'auth-js-userinfo',
    redirect_uris: [`${AUTH_JS}/auth/callback/login-userinfo`],
  },
  { ...confidential, client_id: 'server', resources: [ORDERS_API, STOCK_API] },
  {
    ...confidential,
    client_id: 'server-plain-type',
    resources: [ORDERS_API],
    access_token_type: 'JWT',
  },
  { client_id: 'public', redirect_uris: [CALLBACK], first_party: true },
]
