import type { Child } from 'hono/jsx'
import type { Client } from '../config/clients.ts'
import type { Config } from '../config/config.ts'
import type { LocalProvider } from '../config/local-providers.ts'
import { requireStorage } from '../errors.ts'
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
  returnsToOwnPage,
} from '../http/return-url.ts'
import { partAssets, signInKind } from '../http/sign-in-kind.ts'
import { CONFIRMATION_CSS } from '../pages/confirmation.tsx'
import { ICON_CSS } from '../pages/icons.tsx'
import type { ShownUser } from '../pages/identity.tsx'
import type { Messages } from '../pages/messages/en.ts'
import {
  CHOICES_CSS,
  type ProviderChoice,
  SignedInPage,
  SignInPage,
} from '../pages/sign-in-page.tsx'
import { splitChoices } from '../pages/split-choices.ts'
import { StepUpPage } from '../pages/step-up-page.tsx'
import { providerButtonCss } from '../pages/stylesheet.ts'
import { cachedSession, readSessionCookie } from '../session/current.ts'
import { enabledProviders, providersWithScopes } from '../upstream/enabled-providers.ts'
import type { ResolvedProvider } from '../upstream/resolved-provider.ts'
import { type LinkedAccount, listAccounts } from '../users/directory.ts'
import type { Session } from '../users/session.ts'
import { changeLabel } from './change-label.ts'
import { systemBrowserUrl } from './in-app-browser.ts'
import { MAX_QR_RETURN_URL_LENGTH } from './qr-sign-in.tsx'
import { requestingClient } from './requesting-client.ts'
import { restartUrl } from './state.ts'

/**
 * The sign-in page; for a signed-in user the page that offers to continue, or the one that asks to
 * sign in again.
 */
export async function respondWithSignInPage(
  c: AppContext,
  returnTo: string,
  prompt?: string,
): Promise<Response> {
  const session = await cachedSession(c)
  const params = new URLSearchParams({
    ...(await returnParams(c, returnTo)),
    // A signed-in user who presses a provider's button wants to choose an account.
    ...(session && { prompt: 'select_account' }),
    ...(prompt && { prompt }),
  })
  const mustConfirm = session !== undefined && prompt === 'login'
  const accounts =
    mustConfirm && returnsToOwnPage(c.get('config'), returnTo)
      ? await listOwnAccounts(c, session.user.id)
      : undefined
  // It would recommend the account that the user does not want to use.
  const marksLastUsed = !session || (prompt !== undefined && prompt !== 'select_account')
  const content = await createContent(c, {
    returnTo,
    params,
    marksLastUsed,
    mustConfirm,
    accounts,
  })
  if (!session) return respondWithoutSession(c, content)
  // A user who must sign in again is not offered to continue.
  return prompt
    ? respondWithStepUpPage(c, content, { session, accounts, prompt })
    : respondWithSignedInPage(c, content, toShownUser(c.get('config'), session.user))
}

interface StyledChoice extends ProviderChoice {
  /** The rules of its button. */
  css: string
}

/** What each of the pages shows. */
interface PageContent {
  messages: Messages
  returnTo: string
  client: Client | undefined
  choices: readonly StyledChoice[]
  parts: LocalParts
}

interface ContentOptions {
  returnTo: string
  /** The parameters of a request that starts a sign-in. */
  params: URLSearchParams
  /** Whether the page marks what this browser last signed in with. */
  marksLastUsed: boolean
  /** Whether a signed-in user has to confirm that it is them. */
  mustConfirm: boolean
  /** The accounts of the user, whose methods alone are offered; undefined if all methods are. */
  accounts: readonly LinkedAccount[] | undefined
}

async function createContent(
  c: AppContext,
  { returnTo, params, marksLastUsed, mustConfirm, accounts }: ContentOptions,
): Promise<PageContent> {
  const config = c.get('config')
  const messages = await messagesFor(c)
  const client = await requestingClient(c.env, config, returnTo)
  const ownMethods = accounts && toMethods(accounts)
  const isOffered = ({ id }: { id: string }) => ownMethods?.has(id) ?? true
  // Any other provider would reject the request, or not grant what the app needs.
  const providers = providersWithScopes(config, client?.upstream_scope ?? []).filter(isOffered)
  const localProviders = config.localProviders.filter(isOffered)
  // Nobody has to recognise the only way to sign in.
  const hasChoice = providers.length + localProviders.length > 1
  const lastUsed = hasChoice && marksLastUsed ? readPreference(c, 'provider') : undefined
  const choices = providers.map((provider) => {
    const { id, name, style, hasQrLogin } = provider
    const hasQrCode = hasQrLogin && returnTo.length <= MAX_QR_RETURN_URL_LENGTH
    return {
      id,
      name,
      logo: style.logo,
      css: buttonCss(provider),
      href: `/api/auth/signin/${id}?${params}`,
      qr: hasQrCode ? `/api/auth/signin/${id}/qr?${params}` : undefined,
      isLastUsed: id === lastUsed,
    }
  })
  const parts = await localParts(c, {
    messages,
    params,
    localProviders,
    mustConfirm,
    accounts,
    lastUsed,
    client,
  })
  return { messages, returnTo, client, choices, parts }
}

interface LocalParts {
  before: readonly Child[]
  after: readonly Child[]
  css: string
  script: string | undefined
}

interface LocalPartsOptions extends Omit<ContentOptions, 'returnTo' | 'marksLastUsed'> {
  messages: Messages
  localProviders: readonly LocalProvider[]
  lastUsed: string | undefined
  client: Client | undefined
}

/**
 * What the providers of this service add to the page: passkeys before the buttons of other services, everything
 * else after them. The order is the same at every visit, so that users find what they used before.
 */
async function localParts(c: AppContext, options: LocalPartsOptions): Promise<LocalParts> {
  const { messages, params, localProviders, mustConfirm, accounts, lastUsed, client } = options
  const parts = await Promise.all(
    localProviders.map(async (provider) => {
      const kind = signInKind(provider)
      const isLastUsed = provider.id === lastUsed
      const isFirst = provider.type === 'webauthn'
      if (mustConfirm && kind.confirmationPart) {
        const confirmation = await kind.confirmationPart(c, provider, { messages, params })
        if (confirmation) return { ...confirmation, isFirst }
        // The user cannot confirm in this way. Another user may have signed in with it in this browser.
        if (!isLastUsed) return { content: undefined, isFirst }
      }
      // Only another service can grant the scopes that the app needs.
      if (client?.upstream_scope.length) return { content: undefined, isFirst }
      const own = accounts?.filter((account) => account.provider === provider.id) ?? []
      const account = own.length === 1 ? own[0]?.label : undefined
      const part = await kind.signInPart(c, provider, { messages, params, isLastUsed, account })
      return { ...part, isFirst }
    }),
  )
  return {
    before: parts.filter(({ isFirst }) => isFirst).map(({ content }) => content),
    after: parts.filter(({ isFirst }) => !isFirst).map(({ content }) => content),
    ...partAssets([{ content: undefined, css: [ICON_CSS, CHOICES_CSS] }, ...parts]),
  }
}

/** The page of a browser without a session. */
async function respondWithoutSession(c: AppContext, content: PageContent): Promise<Response> {
  const { messages, returnTo, client, choices, parts } = content
  const config = c.get('config')
  const { title, titleFor } = messages.signIn
  const hasEnded = await wasSignedIn(c, returnTo)
  const options = pageOptions(content)
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
      asksForPassword={config.localProviders.some(({ type }) => type === 'credentials')}
      createsUsers={createsUsers(config)}
      wasSignedIn={hasEnded}
    />,
    {
      ...options,
      css: options.css + (hasEnded ? CONFIRMATION_CSS : ''),
      title: client ? titleFor(client.client_name) : title,
    },
  )
}

/** Whether the user opened one of our pages in a browser whose session has ended, perhaps from another browser. */
async function wasSignedIn(c: AppContext, returnTo: string): Promise<boolean> {
  return returnsToOwnPage(c.get('config'), returnTo) && (await readSessionCookie(c)) !== undefined
}

/**
 * Whether signing in for the first time creates an account. Passkeys and credentials belong to someone who has one, and a
 * callback of the deployment may reject users who are new.
 */
function createsUsers(config: Config): boolean {
  if (config.callbacks.signIn) return false
  const hasEmail = config.localProviders.some(({ type }) => type === 'email')
  return hasEmail || enabledProviders(config).length > 0
}

/** The page of a signed-in user, who can continue or choose another account. */
async function respondWithSignedInPage(
  c: AppContext,
  content: PageContent,
  user: ShownUser,
): Promise<Response> {
  const { messages, returnTo, choices, parts } = content
  const config = c.get('config')
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
    { ...pageOptions(content, user), title: messages.signedIn.title },
  )
}

interface StepUpOptions {
  session: Session
  /** The accounts of the user, if they change something on a page of this service. */
  accounts: readonly LinkedAccount[] | undefined
  prompt: string
}

/** The pages on which a user confirms a change. */
const CONFIRMED_CHANGES = ['/account/delete', '/account/disconnect']

/** The page of a signed-in user who must sign in again, or grant more at the provider. */
async function respondWithStepUpPage(
  c: AppContext,
  content: PageContent,
  { session, accounts, prompt }: StepUpOptions,
): Promise<Response> {
  const { messages, returnTo, client, parts } = content
  const config = c.get('config')
  const user = toShownUser(config, session.user)
  // The authorization endpoint sends this prompt when the provider must grant more.
  const upstreamScope = prompt === 'consent' ? (client?.upstream_scope ?? []) : []
  const choices =
    upstreamScope.length > 0
      ? await ownChoices(c, content.choices, session.user.id)
      : content.choices
  const choosesAccount = prompt === 'select_account'
  const { signInTitle, permissionTitle } = messages.stepUp
  const title = choosesAccount ? messages.actions.useDifferentAccount : signInTitle
  const url = new URL(returnTo)
  const isRequest = isAuthorizationRequest(config, returnTo)
  const accountUrl = returnsToOwnPage(config, returnTo) ? '/account' : undefined
  const redirectUri = url.searchParams.get('redirect_uri') ?? ''
  // The request has not been validated if the user did not come from the authorization endpoint.
  const isRegistered = isRequest && client?.redirect_uris.includes(redirectUri)
  return respondWithPage(
    c,
    <StepUpPage
      messages={messages}
      user={user}
      // A QR code proves too little: someone may have been tricked into scanning it.
      choices={accountUrl ? choices.map((choice) => ({ ...choice, qr: undefined })) : choices}
      // Only the provider can grant more.
      parts={upstreamScope.length > 0 ? undefined : parts}
      upstreamScope={upstreamScope}
      choosesAccount={choosesAccount}
      change={accounts && (await changeLabel(config, messages, { returnTo, accounts }))}
      isConfirmedLater={accountUrl !== undefined && CONFIRMED_CHANGES.includes(url.pathname)}
      host={isRegistered ? new URL(redirectUri).host : undefined}
      cancelUrl={isRequest ? await deniedRequestPath(config, url.searchParams) : accountUrl}
    />,
    {
      ...pageOptions({ ...content, choices }, user),
      title: client && upstreamScope.length > 0 ? permissionTitle(client.client_name) : title,
    },
  )
}

/** The providers that the user has accounts of: no other could grant more to the same user. */
async function ownChoices(
  c: AppContext,
  choices: readonly StyledChoice[],
  userId: string,
): Promise<readonly StyledChoice[]> {
  const methods = toMethods(await listOwnAccounts(c, userId))
  const own = choices.filter(({ id }) => methods.has(id))
  // A user without an account of such a provider has to use another account of this service.
  return own.length > 0 ? own : choices
}

async function listOwnAccounts(c: AppContext, userId: string): Promise<readonly LinkedAccount[]> {
  return requireStorage(async () => listAccounts(c.env, userId))
}

/** The ids of the methods with which a user can sign in. */
function toMethods(accounts: readonly LinkedAccount[]): ReadonlySet<string> {
  return new Set(accounts.map(({ provider }) => provider))
}

function pageOptions({ client, choices, parts }: PageContent, user?: ShownUser) {
  const { first } = splitChoices(choices)
  return {
    client,
    isRepeatable: true,
    css: first.map(({ css }) => css).join('') + parts.css,
    script: parts.script,
    images: [user?.image, ...first.map(({ logo }) => logo)],
  }
}

const stylesheets = new WeakMap<ResolvedProvider, string>()

/** The colours of a button, which are the same in every request. */
function buttonCss(provider: ResolvedProvider): string {
  const css = stylesheets.get(provider) ?? providerButtonCss(provider.id, provider.style)
  stylesheets.set(provider, css)
  return css
}
