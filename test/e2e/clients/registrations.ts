import {
  LEGACY_API as INTEROP_LEGACY_API,
  NODE_CLIENTS,
  TOKEN_CLIENTS,
  toRegistration,
} from '../../interop/clients.ts'
import { serverRegistration } from '../../interop/examples.ts'
import { PORTS } from '../ports.ts'
import { secretDigest } from '../secret-digest.ts'

/** The secret of every confidential client here; the login service stores only its digest. */
export const SECRET = 'e2e-secret: 100% a+b'

/** The APIs that access tokens are issued for. Nothing listens at these addresses. */
export const ORDERS_API = 'https://orders-api.example'
export const STOCK_API = 'https://stock-api.example'
/** Its verifier accepts only the type `JWT`. */
export const LEGACY_API = 'https://legacy-api.example'

/** The browser app is served on a site of its own and on the site of the login service. */
export const CROSS_SITE_SPA = `http://spa.localhost:${PORTS.spa}`
export const SAME_SITE_SPA = `http://localhost:${PORTS.spa}`

export const AUTH_JS = `http://localhost:${PORTS.authJs}`

/** Nothing listens there: the tests read the code from the browser's request. */
export const CALLBACK = 'http://localhost:18802/callback'

/** The app that moves users on to its other origin. Their names are separate sites. */
export const MOVING_APP = `http://moving.localhost:${PORTS.movingApp}`
export const MOVED_APP = `http://www.moving.localhost:${PORTS.movingApp}`

/**
 * The frontends of the tests of `vestibule-auth/client`, on both sites as well. Two files, which may
 * run at the same time, serve them.
 */
export const SAME_SITE_FRONTEND = `http://localhost:${PORTS.frontend}`
export const CROSS_SITE_FRONTEND = `http://frontend.localhost:${PORTS.crossSiteFrontend}`

/** The same, whose tokens are bound to a key. */
export const BOUND_FRONTEND = `http://bound.localhost:${PORTS.boundFrontend}`

/** The address of the same app as a native app on IPv6; the port may be any. */
const IPV6_CALLBACK = 'http://[::1]/callback'

/** The URLs of an app on a phone. No program on this machine opens its scheme. */
export const APP_CALLBACK = 'com.example.shop:/callback'
export const APP_SIGNED_OUT = 'com.example.shop:/signed-out'

/** The clients of test/interop that run on Node, and the address of each. */
export const NODE_CLIENT_PORTS = new Map(
  NODE_CLIENTS.map((client, index) => [client, PORTS.nodeClients + index]),
)

/** The servers of examples/ that need no other packages than ours. */
export const SERVER_PORTS = {
  hono: PORTS.servers,
  express: PORTS.servers + 1,
  fastify: PORTS.servers + 2,
}

/** The machine client that the commands of operators use. */
export const OPERATOR_ID = 'operator'

const confidential = {
  redirect_uris: [CALLBACK],
  client_secrets_sha256: [secretDigest(SECRET)],
  first_party: true,
}

/**
 * An app of another company, so its users are asked for consent. Nothing listens at its address.
 */
export const PARTNER = {
  clientId: 'partner',
  redirectUri: 'http://partner.localhost:18999/callback',
}

/** The clients of these tests, as an operator would register them. */
export const CLIENTS = [
  {
    client_id: 'spa',
    redirect_uris: [`${CROSS_SITE_SPA}/`, `${SAME_SITE_SPA}/`],
    post_logout_redirect_uris: [`${CROSS_SITE_SPA}/`, `${SAME_SITE_SPA}/`],
    first_party: true,
  },
  {
    client_id: 'frontend',
    redirect_uris: [`${CROSS_SITE_FRONTEND}/`, `${SAME_SITE_FRONTEND}/`],
    post_logout_redirect_uris: [`${CROSS_SITE_FRONTEND}/`],
    resources: [ORDERS_API, STOCK_API],
    first_party: true,
  },
  {
    client_id: 'bound-frontend',
    redirect_uris: [`${BOUND_FRONTEND}/`],
    post_logout_redirect_uris: [`${BOUND_FRONTEND}/`],
    resources: [ORDERS_API, STOCK_API],
    dpop_bound_access_tokens: true,
    first_party: true,
  },
  {
    ...confidential,
    client_id: 'auth-core',
    redirect_uris: [`${AUTH_JS}/auth/callback/login`],
  },
  {
    ...confidential,
    client_id: 'auth-core-userinfo',
    redirect_uris: [`${AUTH_JS}/auth/callback/login-userinfo`],
    id_token_claims: 'minimal',
  },
  { ...confidential, client_id: 'server', resources: [ORDERS_API, STOCK_API, LEGACY_API] },
  { client_id: 'public', redirect_uris: [CALLBACK], first_party: true },
  {
    client_id: 'bound',
    redirect_uris: [CALLBACK],
    resources: [ORDERS_API],
    dpop_bound_access_tokens: true,
    first_party: true,
  },
  {
    client_id: OPERATOR_ID,
    grant_types: ['client_credentials'],
    resources: [`http://localhost:${PORTS.services}/admin/api`],
    scope: 'admin:read admin:write admin:administrators',
    client_secrets_sha256: [secretDigest(SECRET)],
  },
  {
    client_id: 'moving',
    redirect_uris: [`${MOVING_APP}/callback`],
    post_logout_redirect_uris: [`${MOVING_APP}/signed-out`],
  },
  {
    client_id: 'moving-with-keys',
    redirect_uris: [CALLBACK],
    jwks_uri: 'https://moving.example/jwks',
  },
  { client_id: PARTNER.clientId, redirect_uris: [PARTNER.redirectUri] },
  {
    client_id: 'command-line',
    application_type: 'native',
    redirect_uris: ['http://127.0.0.1/callback'],
    grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
  },
  {
    client_id: 'shop-app',
    client_name: 'The shop',
    application_type: 'native',
    redirect_uris: [APP_CALLBACK, 'http://127.0.0.1/callback'],
    post_logout_redirect_uris: [APP_SIGNED_OUT],
    first_party: true,
  },
  { client_id: 'native-ipv6', application_type: 'native', redirect_uris: [IPV6_CALLBACK] },
  {
    client_id: 'mcp-client',
    redirect_uris: [CALLBACK],
    resources: [`http://localhost:${PORTS.services + 3}/mcp`],
    scope: 'openid offline_access orders:read orders:cancel',
    first_party: true,
  },
  serverRegistration(
    Object.values(SERVER_PORTS).map((port) => `http://localhost:${port}`),
    SECRET,
  ),
  ...TOKEN_CLIENTS,
  ...NODE_CLIENTS.filter(({ kind }) => kind === 'app').map((client) =>
    toRegistration(client, `http://localhost:${NODE_CLIENT_PORTS.get(client)}`),
  ),
]

/** The APIs that have settings of their own. */
export const APIS = [{ identifier: LEGACY_API, access_token_type: 'JWT' }, INTEROP_LEGACY_API]
