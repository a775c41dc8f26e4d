import { isolateTextDirection } from '../../foundation/values/isolate-text-direction.ts'
import { CONFIRM_PATH } from '../account/confirm.tsx'
import type { Config } from '../config/config.ts'
import type { AppContext } from '../http/app-env.ts'
import { csrfToken } from '../http/csrf.ts'
import {
  cancelPath,
  continueUrl,
  type Interaction,
  returnsToOwnPage,
} from '../interaction/interaction.ts'
import { defaultReturnUrl } from '../interaction/return-url.ts'
import type { ShownUser } from '../pages/identity.tsx'
import { joinScripts, respondWithPage, toShownUser } from '../pages/page-response.tsx'
import { describeRedirectUri } from '../registration-schemas/redirect-uri.ts'
import { sessionForDisplay } from '../session/read-session.ts'
import { hasSignedInSilently } from '../session/recent-session.ts'
import { readSessionCookie } from '../session/session-cookie.ts'
import { enabledProviders } from '../upstream/enabled-providers.ts'
import type { LinkedAccount } from '../users/directory-rows.ts'
import { listAccounts } from '../users/linked-accounts.ts'
import type { Session } from '../users/session.ts'
import { strongestAccounts } from '../users/sign-in-levels.ts'
import { changeLabel } from './change-label.ts'
import { systemBrowserUrl } from './in-app-browser.ts'
import { SignedInPage, SignInPage } from './sign-in-page.tsx'
import { createPageContent, type PageContent } from './sign-in-page-content.ts'
import type { SignInRequest } from './start-sign-in.ts'
import { restartUrl } from './state.ts'
import { StepUpPage } from './step-up-page.tsx'

/**
 * The sign-in page; for a signed-in user the page that offers to continue, or the one that asks to
 * sign in again.
 */
export async function respondWithSignInPage(
  c: AppContext,
  { interaction, prompt }: SignInRequest,
): Promise<Response> {
  const session = await sessionForDisplay(c)
  const params = new URLSearchParams({
    interaction: interaction.id,
    // A signed-in user who presses a provider's button wants to choose an account.
    ...(session && { prompt: 'select_account' }),
    ...(prompt && { prompt }),
  })
  const mustConfirm = session !== undefined && prompt === 'login'
  const isOwnPage = returnsToOwnPage(c.get('config'), interaction)
  const accounts = mustConfirm && isOwnPage ? await listAccounts(c.env, session.user.id) : undefined
  // It would recommend the account that the user does not want to use.
  const marksLastUsed = !session || (prompt !== undefined && prompt !== 'select_account')
  const content = await createPageContent(c, {
    interaction,
    params,
    marksLastUsed,
    mustConfirm,
    // Any other would not be sufficient.
    accounts: accounts && strongestAccounts(c.get('config'), accounts).accounts,
    // The authorization endpoint sends this prompt when the provider must grant more.
    grantedBy: prompt === 'consent' ? session?.user.id : undefined,
    changesAccount: session !== undefined && prompt !== undefined && isOwnPage,
  })
  if (!session) return respondWithoutSession(c, content)
  // A user who must sign in again is not offered to continue.
  return prompt
    ? respondWithStepUpPage(c, content, { session, accounts, prompt })
    : respondWithSignedInPage(c, content, toShownUser(c.get('config'), session.user))
}

/** The page of a browser without a session. */
async function respondWithoutSession(c: AppContext, content: PageContent): Promise<Response> {
  const { messages, interaction, client, choices, parts } = content
  const config = c.get('config')
  const cancelled = isCancelled(c)
  return respondWithPage(
    c,
    <SignInPage
      messages={messages}
      choices={choices}
      parts={parts}
      browserUrl={systemBrowserUrl(c.req.header('User-Agent') ?? '', restartUrl(interaction))}
      createsUsers={createsUsers(config)}
      isCancelled={cancelled}
      isSessionEnded={!cancelled && (await isSessionEnded(c, interaction))}
      goBack={cancelled ? goBack(content) : undefined}
    />,
    {
      ...pageOptions(content),
      title: client
        ? messages.t('signIn.titleFor', { app: client.client_name })
        : messages.t('signIn.title'),
    },
  )
}

/** Whether the user has cancelled at a provider and come back. */
function isCancelled(c: AppContext): boolean {
  return c.req.query('cancelled') !== undefined
}

/** A user who has cancelled at the provider can go back to the app. */
function goBack({ messages, interaction, client }: PageContent) {
  if (!client) return undefined
  return {
    href: interaction.request ? cancelPath(interaction, 'denied') : interaction.returnTo,
    label: messages.t('actions.goBackTo', { app: isolateTextDirection(client.client_name) }),
  }
}

/** Whether the user has opened one of our pages in a browser whose session has ended. */
async function isSessionEnded(c: AppContext, interaction: Interaction): Promise<boolean> {
  const isOwnPage = returnsToOwnPage(c.get('config'), interaction)
  return isOwnPage && (await readSessionCookie(c)) !== undefined
}

/**
 * Whether signing in for the first time creates an account. Passkeys and credentials belong to
 * someone who has one, and a callback of the deployment may reject users who are new.
 */
function createsUsers(config: Config): boolean {
  if (config.callbacks.signIn) return false
  return (
    enabledProviders(config).length > 0 ||
    config.localProviders.some(({ method }) => method.createsUsers)
  )
}

/** The page of a signed-in user, who can continue or choose another account. */
async function respondWithSignedInPage(
  c: AppContext,
  content: PageContent,
  user: ShownUser,
): Promise<Response> {
  const { messages, interaction, choices, parts } = content
  const config = c.get('config')
  const returnTo = await continueUrl(c, interaction)
  return respondWithPage(
    c,
    <SignedInPage
      messages={messages}
      choices={choices}
      parts={parts}
      isCancelled={isCancelled(c)}
      user={user}
      returnTo={returnTo === defaultReturnUrl(config) ? undefined : returnTo}
      csrfToken={await csrfToken(c)}
    />,
    { ...pageOptions(content, user), title: messages.t('signedIn.title') },
  )
}

interface StepUpOptions {
  session: Session
  /** The accounts of the user, if they change something on a page of this service. */
  accounts: readonly LinkedAccount[] | undefined
  prompt: string
}

/** The pages on which a user confirms a change. */
const CONFIRMATION_PATHS = [
  '/account/consents',
  '/account/delete',
  '/account/disconnect',
  CONFIRM_PATH,
]

/** The page of a signed-in user who must sign in again, or grant more at the provider. */
async function respondWithStepUpPage(
  c: AppContext,
  content: PageContent,
  { session, accounts, prompt }: StepUpOptions,
): Promise<Response> {
  const { messages, interaction, client, choices, parts } = content
  const config = c.get('config')
  const user = toShownUser(config, session.user)
  const upstreamScope = prompt === 'consent' ? (client?.upstream_scope ?? []) : []
  const choosesAccount = prompt === 'select_account'
  const title = choosesAccount
    ? messages.t('actions.useDifferentAccount')
    : messages.t('stepUp.signInTitle')
  const { request } = interaction
  const accountUrl = returnsToOwnPage(config, interaction) ? '/account' : undefined
  const redirectUri = request && new URLSearchParams(request.params).get('redirect_uri')
  return respondWithPage(
    c,
    <StepUpPage
      messages={messages}
      user={user}
      choices={choices}
      parts={parts}
      isCancelled={isCancelled(c)}
      upstreamScope={upstreamScope}
      choosesAccount={choosesAccount}
      {...(await describePurpose(config, content, accounts))}
      app={request && client?.client_name}
      isSilent={prompt === 'login' && accountUrl !== undefined && hasSignedInSilently(session)}
      isUnconfirmed={!choosesAccount && session.level === 'unconfirmed'}
      hidesMethods={accounts && strongestAccounts(config, accounts).hasWeaker}
      host={redirectUri ? describeRedirectUri(redirectUri) : undefined}
      cancelUrl={
        request
          ? cancelPath(interaction, 'denied')
          : (interaction.purpose?.cancelPath ?? accountUrl)
      }
    />,
    {
      ...pageOptions(content, user),
      title:
        client && upstreamScope.length > 0
          ? messages.t('stepUp.permissionTitle', { app: client.client_name })
          : title,
    },
  )
}

/** What the user signs in again for: a page of ours says it, or its path. */
async function describePurpose(
  config: Config,
  { messages, interaction }: PageContent,
  accounts: readonly LinkedAccount[] | undefined,
) {
  const { purpose, returnTo } = interaction
  if (purpose) {
    const { label, isChange } = purpose
    const change = isolateTextDirection(label)
    return { change, isConfirmedLater: isChange, isInConsole: isChange }
  }
  const isConfirmedLater = CONFIRMATION_PATHS.includes(new URL(returnTo).pathname)
  if (!returnsToOwnPage(config, interaction)) return {}
  const change = accounts && (await changeLabel(config, messages, { returnTo, accounts }))
  return { change, isConfirmedLater }
}

function pageOptions({ client, choices, parts, css }: PageContent, user?: ShownUser) {
  return {
    css,
    client,
    isRepeatable: true,
    script: joinScripts(parts),
    images: [user?.image, ...choices.map(({ logo }) => logo)],
  }
}
