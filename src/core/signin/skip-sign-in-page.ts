import type { AppContext } from '../http/app-env.ts'
import { isNavigation, isPrefetch, requestSite } from '../http/fetch-metadata.ts'
import { interactionClient } from '../interaction/interaction.ts'
import { LANGUAGE_PARAMETER, messagesFor } from '../pages/page-response.tsx'
import { readPreference } from '../pages/preferences.ts'
import { skipsSignInPage } from '../registration-schemas/clients.ts'
import { sessionForDisplay } from '../session/read-session.ts'
import { enabledProviders } from '../upstream/enabled-providers.ts'
import type { ResolvedProvider } from '../upstream/resolved-provider.ts'
import { isInAppBrowser } from './in-app-browser.ts'
import type { SignInRequest } from './start-sign-in.ts'

/**
 * The only provider, if the sign-in page has nothing to offer but its button; `undefined` if the
 * page must be shown. Another site can cause a sign-in without the page only with an authorization
 * request of a registered app, which it can do with the parameter `provider` as well.
 */
export async function providerWithoutPage(
  c: AppContext,
  { prompt, interaction }: SignInRequest,
): Promise<ResolvedProvider | undefined> {
  const config = c.get('config')
  const [provider, ...others] = enabledProviders(config)
  if (!provider || others.length > 0 || config.localProviders.length > 0) return undefined
  if (prompt !== undefined || c.req.query(LANGUAGE_PARAMETER) !== undefined) return undefined
  if (c.req.method !== 'GET' || isPrefetch(c) || !isNavigation(c)) return undefined
  if (!isSentByApp(c, interaction.request !== undefined)) return undefined
  if (isInAppBrowser(c.req.header('User-Agent') ?? '')) return undefined
  // The provider may sign the same user in again at once, as if they had not signed out.
  if (readPreference(c, 'signed-out')) return undefined
  const client = await interactionClient(c, interaction)
  if (!client || !skipsSignInPage(client)) return undefined
  if (await hasFeaturePart(c, provider)) return undefined
  return (await sessionForDisplay(c)) ? undefined : provider
}

/** Whether a feature offers another way to sign in. */
async function hasFeaturePart(c: AppContext, provider: ResolvedProvider): Promise<boolean> {
  const messages = await messagesFor(c)
  const page = { messages, params: new URLSearchParams(), providers: [provider] }
  const parts = c.get('config').features.map((feature) => feature.signInPart?.(c, page))
  return (await Promise.all(parts)).some(Boolean)
}

/**
 * Whether the user comes from an app: with its authorization request, but not from one of our own
 * pages, or from a page on the same site. Old browsers do not say.
 */
function isSentByApp(c: AppContext, hasRequest: boolean): boolean {
  const site = requestSite(c)
  return hasRequest ? site !== 'same-origin' : site === 'same-site'
}
