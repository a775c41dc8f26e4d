import { Hono } from 'hono'
import { ConnectedAppsPage } from './connected-apps-page.tsx'
import { findGrant, listGrants } from './grants.ts'
import { LoginPage } from './login-page.tsx'
import { currentPersona, selectablePersonas } from './persona-cookie.ts'
import type { Platform, StandInEnv } from './platform.ts'
import { removeAuthorization } from './removal.ts'
import { deliver } from './webhook-delivery.ts'

const PATH = '/settings/apps'

/** Lists the apps a user has authorized, and lets the user remove them. */
export const connectedApps = new Hono<StandInEnv>()
  .get(PATH, (c) => {
    const platform = c.get('platform')
    const persona = currentPersona(c)
    if (persona === undefined) {
      return c.html(<LoginPage personas={selectablePersonas(c)} place={PATH} />)
    }
    const connections = listGrants(platform, persona.handle).flatMap((grant) => {
      const app = platform.apps.get(grant.clientKey)
      return app === undefined ? [] : [{ app, grant }]
    })
    const removed = c.req.query('removed')
    const isConnectedAgain = connections.some(({ app }) => app.clientKey === removed)
    const removal = isConnectedAgain ? undefined : findLastRemoval(platform, removed)
    return c.html(
      <ConnectedAppsPage persona={persona} connections={connections} removal={removal} />,
    )
  })
  .post('/settings/apps/remove', async (c) => {
    const platform = c.get('platform')
    const { client_key: clientKey = '' } = await c.req.parseBody<{ client_key?: string }>()
    const persona = currentPersona(c)
    const grant = persona && findGrant(platform, clientKey, persona.handle)
    if (grant === undefined) return c.redirect(PATH, 303)

    const delivery = await removeAuthorization(platform, grant, 'disconnected')
    if (delivery !== undefined) await deliver(c, delivery)
    return c.redirect(`${PATH}?${new URLSearchParams({ removed: clientKey })}`, 303)
  })

/** The app that was just removed, and the webhook that notified it. */
function findLastRemoval(platform: Platform, clientKey: string | undefined) {
  const app = platform.apps.get(clientKey ?? '')
  const delivery = platform.deliveries.findLast((sent) => sent.clientKey === clientKey)
  return app === undefined || delivery === undefined ? undefined : { app, delivery }
}
