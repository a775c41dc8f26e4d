import { Hono } from 'hono'
import type { AppEnv } from '../../core/http/app-env.ts'
import { authenticateClient } from '../../core/oidc/client-authentication.ts'
import { clientEndpointError } from '../../core/oidc/error-response.ts'
import { readClientForm } from '../../core/oidc/form.ts'
import { requireGrantType } from '../../core/oidc/token.ts'
import { appleAssociation, assetLinks } from './association-files.ts'
import { createChallenge } from './challenge.ts'
import { TOKEN_EXCHANGE } from './token-exchange.ts'

/** How long phones may keep the files. */
const PUBLIC = { 'Cache-Control': 'public, max-age=300' }

export const nativeAppRoutes = new Hono<AppEnv>()
  .onError(clientEndpointError)
  .get('/.well-known/apple-app-site-association', (c) => {
    const association = appleAssociation(c.get('config'))
    return association ? c.json(association, 200, PUBLIC) : c.notFound()
  })
  .get('/.well-known/assetlinks.json', (c) => {
    const links = assetLinks(c.get('config'))
    return links ? c.json(links, 200, PUBLIC) : c.notFound()
  })
  .post('/oidc/challenge', async (c) => {
    const client = await authenticateClient(c, await readClientForm(c))
    requireGrantType(client, TOKEN_EXCHANGE)
    return c.json(await createChallenge(c, client))
  })
