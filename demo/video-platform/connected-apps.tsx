import { Hono } from 'hono'
import { deliver } from './background.ts'
import { ConnectedAppsPage } from './connected-apps-page.tsx'
import { readForm } from './form.ts'
import { findGrant, grantsOf } from './grants.ts'
import { LoginPage } from './login-page.tsx'
import { choosablePersonas, currentPersona } from './persona-cookie.ts'
import type { Platform, StandInEnv } from './platform.ts'
import { removeAuthorization } from './removal.ts'

const HERE = '/settings/apps'

/** Where a person sees what they allowed, and takes it back without the app. */
export const connectedApps = new Hono<StandInEnv>()
  .get(HERE, (c) => {
    const platform = c.get('platform')
    const persona = currentPersona(c)
    if (persona === undefined) {
      return c.html(<LoginPage personas={choosablePersonas(c)} place={HERE} />)
    }
    const connections = grantsOf(platform, persona.handle).flatMap((grant) => {
      const app = platform.apps.get(grant.clientKey)
      return app === undefined ? [] : [{ app, grant }]
    })
    const removed = c.req.query('removed')
    const isBack = connections.some(({ app }) => app.clientKey === removed)
    const removal = isBack ? undefined : lastRemoval(platform, removed)
    return c.html(
      <ConnectedAppsPage persona={persona} connections={connections} removal={removal} />,
    )
  })
  .post('/settings/apps/remove', async (c) => {
    const platform = c.get('platform')
    const clientKey = (await readForm(c)).get('client_key') ?? ''
    const persona = currentPersona(c)
    const grant = persona && findGrant(platform, clientKey, persona.handle)
    if (grant === undefined) return c.redirect(HERE, 303)

    const delivery = await removeAuthorization(platform, grant, 'disconnected')
    if (delivery !== undefined) await deliver(c, delivery)
    return c.redirect(`${HERE}?${new URLSearchParams({ removed: clientKey })}`, 303)
  })

/** The app that has just been removed, and what became of telling it. */
function lastRemoval(platform: Platform, clientKey: string | undefined) {
  const app = platform.apps.get(clientKey ?? '')
  const delivery = platform.deliveries.findLast((told) => told.clientKey === clientKey)
  return app === undefined || delivery === undefined ? undefined : { app, delivery }
}
