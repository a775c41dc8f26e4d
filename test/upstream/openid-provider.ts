import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import keys from '../core/oidc/signing-keys.json' with { type: 'json' }

const ISSUER = 'https://op.example'

/** The claims of the provider's users. */
const USERS: Record<string, Record<string, unknown>> = {
  alice: {
    name: 'Alice Park',
    preferred_username: 'alice',
    email: 'alice@mail.example',
    email_verified: true,
  },
  bob: {
    name: 'Bob Stone',
    preferred_username: 'bob',
    email: 'bob@mail.example',
    email_verified: false,
  },
}

const AUTH_METHODS = [
  'client_secret_post',
  'client_secret_basic',
  'client_secret_jwt',
  'private_key_jwt',
  'none',
] as const

const { d: _, ...publicKey } = keys.signer

// It warns about in-memory storage and generated keys, both of which are intended in tests.
const { warn } = console
console.warn = () => {}
const provider = new Provider(ISSUER, {
  ttl: {
    AccessToken: 600,
    AuthorizationCode: 60,
    Grant: 600,
    IdToken: 600,
    Interaction: 600,
    Session: 600,
  },
  clients: [
    {
      client_id: 'our-client',
      client_secret: 'our-secret-Kq7vR2',
      redirect_uris: ['https://login.example/api/auth/callback/oidc'],
      token_endpoint_auth_method: 'client_secret_basic',
    },
    // One client for each way to authenticate.
    ...AUTH_METHODS.map((method) => ({
      client_id: method,
      redirect_uris: [`https://login.example/api/auth/callback/${method}`],
      token_endpoint_auth_method: method,
      ...(method === 'private_key_jwt' && { jwks: { keys: [publicKey] } }),
      ...(method.startsWith('client_secret_') && {
        client_secret: 'our-secret-Kq7vR2-of-32-bytes-or-more',
      }),
    })),
    {
      client_id: 'signed-with-secret',
      client_secret: 'our-secret-Kq7vR2-of-32-bytes-or-more',
      redirect_uris: ['https://login.example/api/auth/callback/signed-with-secret'],
      id_token_signed_response_alg: 'HS256',
    },
  ],
  enabledJWA: { idTokenSigningAlgValues: ['RS256', 'HS256'] },
  cookies: { keys: ['test'] },
  pkce: { required: () => true },
  claims: {
    openid: ['sub'],
    profile: ['name', 'preferred_username'],
    email: ['email', 'email_verified'],
  },
  conformIdTokenClaims: false,
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({ sub: id, ...USERS[id] }),
  }),
})
console.warn = warn
provider.proxy = true

/** Signs in as the user named by `?as=` at the interaction, and consents. */
provider.use(async (ctx, next) => {
  const [, uid] = ctx.path.match(/^\/interaction\/(.+)$/) ?? []
  if (!uid) return next()
  const { params, prompt, session } = await provider.interactionDetails(ctx.req, ctx.res)
  if (prompt.name === 'login') {
    const login = { accountId: String(ctx.query['as'] ?? 'alice') }
    return provider.interactionFinished(ctx.req, ctx.res, { login })
  }
  const grant = new provider.Grant({
    accountId: session?.accountId ?? '',
    clientId: String(params['client_id']),
  })
  grant.addOIDCScope(String(params['scope']))
  const grantId = await grant.save()
  return provider.interactionFinished(
    ctx.req,
    ctx.res,
    { consent: { grantId } },
    { mergeWithLastSubmission: true },
  )
})

const server = createServer(provider.callback())
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
server.unref()
const { port } = server.address() as AddressInfo

/** Forwards a request to the certified provider, as a reverse proxy that terminates TLS would. */
export async function openidProvider(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const headers = new Headers(request.headers)
  headers.set('X-Forwarded-Proto', 'https')
  headers.set('X-Forwarded-Host', 'op.example')
  const body = request.method === 'GET' ? undefined : await request.arrayBuffer()
  return fetch(`http://127.0.0.1:${port}${pathname}${search}`, {
    method: request.method,
    headers,
    redirect: 'manual',
    ...(body && { body }),
  })
}
