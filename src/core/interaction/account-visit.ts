import { createMiddleware } from 'hono/factory'
import type { AppContext, AppEnv } from '../http/app-env.ts'
import { requestSite } from '../http/fetch-metadata.ts'
import { clearPreference, setPreference } from '../pages/preferences.ts'
import { readInteraction, readOrStartInteraction, showReturnClient } from './interaction.ts'

/**
 * Keeps the way from the account pages back to the app that the user came from, and shows the app's
 * logo and colour on them. The way back is an interaction, so it is sealed and leads only to an app
 * that is registered. The browser keeps its id, which survives the pages on which something is
 * changed and the sign-ins that they require.
 */
export const keepAccountVisit = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.path === '/account' && c.req.method === 'GET') {
    await showReturnClient(c, await openVisit(c))
  } else {
    await showReturnClient(c)
  }
  await next()
})

/**
 * The id of the interaction with which an app, or a sign-in for it, opens the account page;
 * undefined if it was opened from another page. Whoever enters its address did not come from an
 * app.
 */
async function openVisit(c: AppContext): Promise<string | undefined> {
  const { interaction: id, callbackUrl } = c.req.query()
  const visit =
    id === undefined && callbackUrl !== undefined
      ? await readOrStartInteraction(c, { callbackUrl })
      : await readInteraction(c, id ?? '')
  if (visit) setPreference(c, 'account-visit', visit.id)
  if (visit || new URL(c.req.url).search !== '' || requestSite(c) !== 'none') return visit?.id
  clearPreference(c, 'account-visit')
  return ''
}
