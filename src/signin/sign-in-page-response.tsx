import type { AppContext } from '../http/app-env.ts'
import { csrfToken } from '../http/csrf.ts'
import { messagesFor, respondWithPage } from '../http/page-response.tsx'
import { defaultReturnUrl, finalReturnUrl, returnParams } from '../http/return-url.ts'
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
  const clientName = (await requestingClient(c.env, config, returnTo))?.client_name
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
  }))
  const appearance = buttonAppearance(providers)
  if (session) {
    const isDefault = returnTo === defaultReturnUrl(config)
    return respondWithPage(
      c,
      <SignedInPage
        messages={messages}
        clientName={clientName}
        choices={choices}
        name={session.user.name ?? session.user.username}
        returnTo={isDefault ? undefined : await finalReturnUrl(c.env, config, returnTo)}
        csrfToken={await csrfToken(c)}
      />,
      { title: messages.signedIn.title, ...appearance },
    )
  }
  const { title, titleFor } = messages.signIn
  return respondWithPage(
    c,
    <SignInPage
      messages={messages}
      choices={choices}
      browserUrl={systemBrowserUrl(
        c.req.header('User-Agent') ?? '',
        await restartUrl(c.env, config, returnTo),
      )}
    />,
    { title: clientName ? titleFor(clientName) : title, ...appearance },
  )
}

interface ButtonAppearance {
  css: string
  /** Where the logos are loaded from, if they are not part of the page. */
  imageOrigins: readonly string[]
}

const appearances = new WeakMap<readonly ResolvedProvider[], ButtonAppearance>()

/** The colours and logos of the buttons, which are the same in every request. */
function buttonAppearance(providers: readonly ResolvedProvider[]): ButtonAppearance {
  const cached = appearances.get(providers)
  if (cached) return cached
  const logos = providers.map(({ style }) => URL.parse(style.logo ?? ''))
  const appearance = {
    css: providers.map(({ id, style }) => providerButtonCss(id, style)).join(''),
    imageOrigins: logos.flatMap((logo) => (logo?.protocol === 'https:' ? [logo.origin] : [])),
  }
  appearances.set(providers, appearance)
  return appearance
}
