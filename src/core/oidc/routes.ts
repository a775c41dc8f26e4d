import { Hono } from 'hono'
import { cors } from 'hono/cors'
import * as z from 'zod/mini'
import type { AppEnv } from '../http/app-env.ts'
import { clientCors, requireOwnPage } from '../http/cross-origin.ts'
import { rejectPrefetch } from '../http/fetch-metadata.ts'
import { hasCurrentCopy } from '../http/has-current-copy.ts'
import { validateForm, validateQuery } from '../http/validate.ts'
import { limitRequests, limitRequestsByUser } from '../session/limit-requests-by-user.ts'
import { RECENT, readKeyring } from '../tokens/keyring.ts'
import { authorize, continueRequest } from './authorize.ts'
import { handleConsentDecision } from './consent.tsx'
import { discoveryDocument } from './discovery.ts'
import { browserEndpointError, clientEndpointError } from './error-response.ts'
import { readBody, readBrowserForm } from './form.ts'
import { introspect } from './introspection.ts'
import { confirmLogout, logout } from './logout.tsx'
import { supportedParameters } from './parse-authorization-request.ts'
import { metadataAt } from './protected-resources.ts'
import { revoke } from './revocation.ts'
import { revocationFeed } from './revocation-feed.ts'
import { token } from './token.ts'
import { userinfo } from './userinfo.ts'

/**
 * Metadata is public. Verifiers learn about a new key within five minutes, long before it signs.
 */
const PUBLIC_JSON = {
  'Access-Control-Allow-Origin': '*',
  'Cache-Control': 'public, max-age=300',
  'Content-Type': 'application/json',
}

const METADATA_PATHS = [
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/.well-known/jwks.json',
  '/.well-known/revocations',
  '/.well-known/oauth-protected-resource/*',
]

const continueQuery = z.object({ cancel: z.optional(z.enum(['denied', 'failed'])) })

const consentForm = z.lazy(() =>
  z.object({
    interaction: z.string(),
    shown: z.string(),
    answer: z.enum(['approve', 'deny']),
    /** The optional scopes that are selected: none, one or several. */
    scope: z._default(
      z.union([
        z.pipe(
          z.string(),
          z.transform((value) => [value]),
        ),
        z.array(z.string()),
      ]),
      [],
    ),
  }),
)

/** Endpoints that clients call directly. */
const clientEndpoints = new Hono<AppEnv>()
  .onError(clientEndpointError)
  // keycloak-js sends credentials.
  .use('/token', clientCors({ credentials: true }))
  .post('/token', token)
  .use('/userinfo', clientCors())
  .get('/userinfo', userinfo)
  .post('/userinfo', userinfo)
  .use('/revoke', clientCors())
  .post('/revoke', revoke)
  .post('/introspect', introspect)

/** `/oidc/…` and `/.well-known/…`: we act as an OpenID Provider. */
export const oidc = new Hono<AppEnv>()
  .onError(browserEndpointError)
  .on('OPTIONS', METADATA_PATHS, cors({ origin: '*', allowMethods: ['GET'] }))
  .get('/.well-known/openid-configuration', (c) =>
    c.body(discoveryDocument(c.get('config')), 200, PUBLIC_JSON),
  )
  .get('/.well-known/oauth-authorization-server', (c) =>
    c.body(discoveryDocument(c.get('config')), 200, PUBLIC_JSON),
  )
  .get('/.well-known/jwks.json', async (c) => {
    const { jwks, etag } = await readKeyring(c.env, c.get('config'), RECENT)
    const headers = { ...PUBLIC_JSON, ETag: etag }
    if (hasCurrentCopy(c, etag)) return c.body(null, 304, headers)
    return c.body(jwks, 200, headers)
  })
  .get('/.well-known/revocations', revocationFeed)
  .get('/.well-known/oauth-protected-resource/*', (c) => {
    const metadata = metadataAt(c.get('config'), c.req.path)
    return metadata ? c.json(metadata, 200, PUBLIC_JSON) : c.notFound()
  })

  .use('/oidc/authorize', rejectPrefetch, limitRequests)
  .use('/oidc/authorize/:interaction', rejectPrefetch, limitRequests)
  .get('/oidc/authorize', authorize)
  .get('/oidc/authorize/:interaction', validateQuery(continueQuery), (c) =>
    continueRequest(c, { id: c.req.param('interaction'), ...c.req.valid('query') }),
  )
  // A post from another site has none of our cookies (SameSite=Lax). The redirect makes the browser
  // repeat it as a GET that includes them; the parameters are validated there.
  .post('/oidc/authorize', async (c) =>
    c.redirect(`/oidc/authorize?${supportedParameters(await readBody(c))}`, 303),
  )
  .use('/oidc/consent', requireOwnPage, limitRequestsByUser('consent'))
  .post('/oidc/consent', validateForm(consentForm), (c) =>
    handleConsentDecision(c, c.req.valid('form')),
  )

  .use('/oidc/logout', rejectPrefetch, limitRequests)
  .get('/oidc/logout', (c) => logout(c, new URL(c.req.url).searchParams))
  .post('/oidc/logout', async (c) => c.redirect(`/oidc/logout?${await readBrowserForm(c)}`, 303))
  .use('/oidc/logout/confirm', requireOwnPage, limitRequestsByUser('logout'))
  .post('/oidc/logout/confirm', async (c) => confirmLogout(c, await readBrowserForm(c)))

  .route('/oidc', clientEndpoints)
