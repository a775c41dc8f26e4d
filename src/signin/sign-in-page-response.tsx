import type { Client } from '../config/clients.ts'
import type { AppContext } from '../http/app-env.ts'
import { csrfToken } from '../http/csrf.ts'
import { messagesFor, respondWithPage, toShownUser } from '../http/page-response.tsx'
import { readPreference } from '../http/preferences.ts'
import { defaultReturnUrl, finalReturnUrl, returnParams } from '../http/return-url.ts'
import { signInKind } from '../http/sign-in-kind.ts'
import type { Messages } from '../pages/messages/en.ts'
import { SignedInPage, SignInPage } from '../pages/sign-in-page.tsx'
import { providerButtonCss } from '../pages/stylesheet.ts'
import { cachedSession } from '../session/current.ts'
import { enabledProviders } from '../upstream/enabled-providers.ts'
import type { ResolvedProvider } from '../upstream/resolved-provider.ts'
import { systemBrowserUrl } from './in-app-browser.ts'
import { MAX_QR_RETURN_URL_LENGTH } from './qr-sign-in.tsx'
import { requestingClient } from './requesting-client.ts'
import { restartUrl } from './state.ts'

/** The sign-in page, or for a signed-in user the page that offers to continue. */
export async function respondWithSignInPage(c: AppContext, returnTo: string, prompt?: string) {
  const config = c.get('config')
  const messages = messagesFor(c)
  // A user who must sign in again is not offered to continue.
  const session = prompt ? undefined : await cachedSession(c)
  const client = await requestingClient(c.env, config, returnTo)
  const lastUsed = readPreference(c, 'provider')
  const providers = enabledProviders(config)
  const params = new URLSearchParams({
    ...(await returnParams(c, returnTo)),
    // A signed-in user who presses a provider's button wants to choose an account.
    ...(session && { prompt: 'select_account' }),
    ...(prompt && { prompt }),
  })
  const choices = providers.map(({ id, name, style, hasQrLogin }) => ({
    id,
    name,
    logo: style.logo,
    href: `/api/auth/signin/${id}?${params}`,
    qr:
      hasQrLogin && returnTo.length <= MAX_QR_RETURN_URL_LENGTH
        ? `/api/auth/signin/${id}/qr?${params}`
        : undefined,
    isLastUsed: id === lastUsed,
  }))
  const logos = choices.map(({ logo }) => logo)
  const local = await localParts(c, { messages, params, lastUsed, client })
  const parts = { before: local.before, after: local.after }
  if (session) {
    const user = toShownUser(config, session.user)
    const isDefault = returnTo === defaultReturnUrl(config)
    return respondWithPage(
      c,
      <SignedInPage
        messages={messages}
        choices={choices}
        parts={parts}
        user={user}
        returnTo={isDefault ? undefined : await finalReturnUrl(c.env, config, returnTo)}
        csrfToken={await csrfToken(c)}
      />,
      {
        title: messages.signedIn.title,
        client,
        isRepeatable: true,
        css: buttonCss(providers) + local.css,
        script: local.script,
        images: [user.image, ...logos],
      },
    )
  }
  const { title, titleFor } = messages.signIn
  return respondWithPage(
    c,
    <SignInPage
      messages={messages}
      choices={choices}
      parts={parts}
      browserUrl={systemBrowserUrl(
        c.req.header('User-Agent') ?? '',
        await restartUrl(c.env, config, returnTo),
      )}
    />,
    {
      title: client ? titleFor(client.client_name) : title,
      client,
      isRepeatable: true,
      css: buttonCss(providers) + local.css,
      script: local.script,
      images: logos,
    },
  )
}

/**
 * What the providers of this service add to the page: what this browser last used and passkeys before the
 * buttons of other services, everything else after them.
 */
async function localParts(
  c: AppContext,
  options: {
    messages: Messages
    params: URLSearchParams
    lastUsed: string | undefined
    client: Client | undefined
  },
) {
  const { messages, params, lastUsed, client } = options
  const parts = await Promise.all(
    c.get('config').localProviders.map(async (provider) => {
      const kind = signInKind(provider)
      const isLastUsed = provider.id === lastUsed
      const isFirst = isLastUsed || provider.type === 'webauthn'
      const confirmation =
        params.get('prompt') === 'login'
          ? await kind.confirmationPart?.(c, provider, { messages, params })
          : undefined
      if (confirmation) return { ...confirmation, isFirst }
      // Only another service can grant the scopes that the app needs.
      if (client?.upstream_scope.length) return { content: undefined, isFirst }
      const part = await kind.signInPart(c, provider, { messages, params, isLastUsed })
      return { ...part, isFirst }
    }),
  )
  return {
    before: parts.filter(({ isFirst }) => isFirst).map(({ content }) => content),
    after: parts.filter(({ isFirst }) => !isFirst).map(({ content }) => content),
    css: parts.map(({ css = '' }) => css).join(''),
    script: parts.map(({ script = '' }) => script).join('') || undefined,
  }
}

const stylesheets = new WeakMap<readonly ResolvedProvider[], string>()

/** The colours of the buttons, which are the same in every request. */
function buttonCss(providers: readonly ResolvedProvider[]): string {
  const css =
    stylesheets.get(providers) ??
    providers.map(({ id, style }) => providerButtonCss(id, style)).join('')
  stylesheets.set(providers, css)
  return css
}
