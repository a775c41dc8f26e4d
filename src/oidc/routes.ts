import * as z from 'zod/mini'
import { oneOf } from '../config/schemas.ts'
import { clientCors, ownPagePosts } from '../http/cross-origin.ts'
import { room } from '../http/room.ts'
import { HARDENED } from '../http/security-headers.ts'
import { validForm } from '../http/validate.ts'
import { visit } from '../http/visit.ts'
import { readKeyring } from '../tokens/keyring.ts'
import { authorize, decideConsent } from './authorize.tsx'
import { discoveryDocument } from './discovery.ts'
import { readForm } from './form.ts'
import { introspect } from './introspection.ts'
import { confirmLogout, logout } from './logout.tsx'
import { revoke } from './revocation.ts'
import { token } from './token.ts'
import { userinfo } from './userinfo.ts'

const consent = z.object({
  request: z.string(),
  answer: oneOf('approve', 'deny'),
  csrfToken: z.optional(z.string()),
})

/** `/oidc/…` and `/.well-known/…`: we are somebody's provider. */
export const oidc = room()
  .get('/.well-known/openid-configuration', (c) => publish(discoveryDocument(c.get('config'))))
  .get('/.well-known/oauth-authorization-server', (c) =>
    publish(discoveryDocument(c.get('config'))),
  )
  .get('/.well-known/jwks.json', async (c) => {
    const { jwks, etag } = await readKeyring(c.env, c.get('config'))
    const response = publish(c.req.header('If-None-Match') === etag ? null : jwks)
    response.headers.set('ETag', etag)
    return response
  })

  .use('/oidc/authorize', visit)
  .get('/oidc/authorize', authorize)
  // A post from another site comes without our cookies (SameSite=Lax): the browser asks again, and brings them.
  .post('/oidc/authorize', async (c) => {
    // Unchecked: the GET checks, and tells a person or the app what is wrong.
    const body = new TextDecoder().decode(await c.req.arrayBuffer())
    return c.redirect(`/oidc/authorize?${new URLSearchParams(body)}`, 303)
  })
  .use('/oidc/consent', ownPagePosts)
  .post('/oidc/consent', validForm(consent), (c) => decideConsent(c, c.req.valid('form')))

  .use('/oidc/logout', visit)
  .get('/oidc/logout', (c) => logout(c, new URL(c.req.url).searchParams))
  .post('/oidc/logout', async (c) => c.redirect(`/oidc/logout?${await readForm(c)}`, 303))
  .use('/oidc/logout/confirm', ownPagePosts)
  .post('/oidc/logout/confirm', async (c) => confirmLogout(c, await readForm(c)))

  .use('/oidc/token', clientCors)
  .post('/oidc/token', token)
  .use('/oidc/userinfo', clientCors)
  .get('/oidc/userinfo', userinfo)
  .post('/oidc/userinfo', userinfo)
  .use('/oidc/revoke', clientCors)
  .post('/oidc/revoke', revoke)
  .post('/oidc/introspect', introspect)

/** For everybody to read, and to keep for five minutes: so verifiers learn of a new key long before it signs. */
const PUBLIC = new Headers({
  ...HARDENED,
  'Content-Type': 'application/json',
  'Access-Control-Allow-Origin': '*',
  'Cache-Control': 'public, max-age=300',
})

function publish(body: string | null): Response {
  return new Response(body, { status: body === null ? 304 : 200, headers: PUBLIC })
}
