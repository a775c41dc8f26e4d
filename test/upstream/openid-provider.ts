import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

const ISSUER = 'https://op.example'

/** What the certified provider knows of its people. */
const PEOPLE: Record<string, Record<string, unknown>> = {
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

// It warns of what a test wants: storage in memory and keys of the day.
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
  ],
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
    claims: () => ({ sub: id, ...PEOPLE[id] }),
  }),
})
console.warn = warn
provider.proxy = true

/** A person who says yes: `?as=<name>` at the interaction is all they type. */
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

/** Hands a request for the certified provider to it, as a proxy with TLS in front of it would. */
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
