import type { Child } from 'hono/jsx'

import type { Client } from '../config/clients.ts'
import type { AppContext } from '../http/app-env.ts'
import { csrfToken } from '../http/csrf.ts'
import { deniedRequestPath } from '../http/denied-request.ts'
import { messagesFor, respondWithPage, toShownUser } from '../http/page-response.tsx'
import { readPreference } from '../http/preferences.ts'
import {
  defaultReturnUrl,
  finalReturnUrl,
  isAuthorizationRequest,
  returnParams,
} from '../http/return-url.ts'
import { signInKind } from '../http/sign-in-kind.ts'
import type { ShownUser } from '../pages/identity.tsx'
import type { Messages } from '../pages/messages/en.ts'
import { type ProviderChoice, SignedInPage, SignInPage } from '../pages/sign-in-page.tsx'
import { StepUpPage } from '../pages/step-up-page.tsx'
import { providerButtonCss } from '../pages/stylesheet.ts'
import { cachedSession } from '../session/current.ts'
import { enabledProviders } from '../upstream/enabled-providers.ts'
import type { ResolvedProvider } from '../upstream/resolved-provider.ts'
import { systemBrowserUrl } from './in-app-browser.ts'
import { MAX_QR_RETURN_URL_LENGTH } from './qr-sign-in.tsx'
import { requestingClient } from './requesting-client.ts'
import { restartUrl } from './state.ts'

/**
 * The sign-in page; for a signed-in user the page that offers to continue, or the one that asks to
 * sign in again.
 */
export async function respondWithSignInPage(c: AppContext, returnTo: string, prompt?: string) {
  const config = c.get('config')
  const messages = await messagesFor(c)
  const session = await cachedSession(c)
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
  // A user who must sign in again is not offered to continue.
  if (session && prompt) {
    return respondWithStepUpPage(c, {
      user: toShownUser(config, session.user),
      choices,
      local,
      client,
      returnTo,
      // The authorization endpoint sends this prompt when the provider must grant more.
      upstreamScope: prompt === 'consent' ? (client?.upstream_scope ?? []) : [],
    })
  }
  if (session) {
    const user = toShownUser(config, session.user)
    const isDefault = returnTo === defaultReturnUrl(config)
    return respondWithPage(
      c,
      <SignedInPage
        messages={messages}
        choices={choices}
        parts={local}
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
      parts={local}
      browserUrl={systemBrowserUrl(
        c.req.header('User-Agent') ?? '',
        await restartUrl(c.env, config, returnTo),
      )}
      asksForPassword={config.localProviders.some(({ type }) => type === 'credentials')}
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
): Promise<LocalParts> {
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

interface LocalParts {
  before: readonly Child[]
  after: readonly Child[]
  css: string
  script: string | undefined
}

interface StepUp {
  user: ShownUser
  choices: readonly ProviderChoice[]
  local: LocalParts
  client: Client | undefined
  returnTo: string
  upstreamScope: readonly string[]
}

async function respondWithStepUpPage(c: AppContext, stepUp: StepUp): Promise<Response> {
  const { user, choices, local, client, returnTo, upstreamScope } = stepUp
  const config = c.get('config')
  const messages = await messagesFor(c)
  const { signInTitle, permissionTitle } = messages.stepUp
  const url = new URL(returnTo)
  const isRequest = isAuthorizationRequest(config, returnTo)
  const redirectUri = url.searchParams.get('redirect_uri') ?? ''
  // The request has not been validated if the user did not come from the authorization endpoint.
  const isRegistered = isRequest && client?.redirect_uris.includes(redirectUri)
  return respondWithPage(
    c,
    <StepUpPage
      messages={messages}
      user={user}
      choices={choices}
      // Only the provider can grant more.
      parts={upstreamScope.length > 0 ? undefined : local}
      upstreamScope={upstreamScope}
      host={isRegistered ? new URL(redirectUri).host : undefined}
      cancelUrl={isRequest ? await deniedRequestPath(config, url.searchParams) : undefined}
    />,
    {
      title: client && upstreamScope.length > 0 ? permissionTitle(client.client_name) : signInTitle,
      client,
      isRepeatable: true,
      css: buttonCss(enabledProviders(config)) + local.css,
      script: local.script,
      images: [user.image, ...choices.map(({ logo }) => logo)],
    },
  )
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
