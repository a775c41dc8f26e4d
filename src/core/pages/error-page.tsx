import type { Recovery } from '../../foundation/errors/sign-in-error.ts'
import { isolateTextDirection } from '../../foundation/values/isolate-text-direction.ts'
import type { Messages } from '../messages/messages.ts'
import { inParentheses } from './format.ts'
import { type ShownUser, SignedInAs, UserRow } from './identity.tsx'

interface ErrorPageProps {
  code: string
  /** What happened. */
  text: string
  messages: Messages
  reference: string
  /** Configuration problems, shown only to developers on a loopback address. */
  problems: readonly string[]
  /** The name of the request parameter at fault, for developers. */
  parameter?: string | undefined
  recovery: Recovery | undefined
  /** Whether autofill of the sign-in page would offer the same credential again. */
  avoidsAutofill?: boolean | undefined
  /** Whether the browser can send the request again. */
  isRepeatable: boolean
  /** The sign-in page, if the user returns from there. */
  signInPath?: string | undefined
  /** The users between whom the person has to decide. */
  users?: ShownUsers | undefined
  /** The URL at which users reach the operator. */
  contact?: string | undefined
}

interface ShownUsers {
  current: ShownUser
  /** With the name of the provider. */
  other: (ShownUser & { provider: string }) | undefined
}

/** What happened, what to do next, and the code and reference to report. */
export function ErrorPage(props: ErrorPageProps) {
  const { code, text, messages, reference, problems, parameter, users, contact } = props
  const [firstAction, ...otherActions] = nextActions(props)
  return (
    <>
      <p>{text}</p>
      {problems.length > 0 && (
        <ul lang="en" dir="ltr">
          {problems.map((problem) => (
            <li>{problem}</li>
          ))}
        </ul>
      )}
      {users && <SignedInAs messages={messages} user={users.current} />}
      {users?.other && <OtherUser messages={messages} user={users.other} />}
      {firstAction && (
        <a class={canHelp(props) ? 'primary' : undefined} href={firstAction.href}>
          {firstAction.label}
        </a>
      )}
      {otherActions.length > 0 && (
        <div class="links">
          {otherActions.map(({ href, label }) => (
            <a href={href}>{label}</a>
          ))}
        </div>
      )}
      <details class="note">
        <summary>{messages.t('errorPage.details')}</summary>
        <dl class="report">
          <dt>{messages.t('errorPage.code')}</dt>
          <dd>{code}</dd>
          {parameter && (
            <>
              <dt>{messages.t('errorPage.parameter')}</dt>
              <dd>{parameter}</dd>
            </>
          )}
          <dt>{messages.t('errorPage.reference')}</dt>
          <dd id="reference">{reference}</dd>
        </dl>
      </details>
      {contact && (
        <p class="note">
          <a href={contact}>{messages.t('errorPage.contact')}</a>
        </p>
      )}
    </>
  )
}

function OtherUser({
  messages,
  user,
}: {
  messages: Messages
  user: ShownUser & { provider: string }
}) {
  const name = isolateTextDirection(user.name ?? messages.t('signedIn.unnamedUser'))
  return (
    <UserRow user={user}>
      {messages.t('errorPage.otherAccount', {
        account: name + inParentheses(user.provider, messages),
      })}
    </UserRow>
  )
}

interface Action {
  href: string
  label: string
}

/**
 * Whether one of our pages can solve the problem. These errors are solved in the app or in the
 * browser.
 */
function canHelp({ code, recovery }: ErrorPageProps): boolean {
  return recovery !== undefined || !SOLVED_ELSEWHERE.includes(code)
}

const SOLVED_ELSEWHERE: readonly string[] = [
  'client_unknown',
  'redirect_uri_missing',
  'redirect_uri_refused',
  'request_invalid',
  'request_too_large',
  'request_uri_invalid',
  'return_url_refused',
]

/** The URL of this page: browsers send the request again. */
const SAME_PAGE = ''

/** The links of the page, the most useful one first. */
function nextActions(props: ErrorPageProps): Action[] {
  const { recovery } = props
  return recovery ? actionsOfSignIn(props, recovery) : actionsElsewhere(props)
}

/** For an error of a sign-in that was started. */
function actionsOfSignIn(
  { code, messages, users, avoidsAutofill }: ErrorPageProps,
  recovery: Recovery,
): Action[] {
  const currentName = users?.current.name
  const { app, goBackUrl, chooseAccountUrl, withoutAutofillUrl } = recovery
  const goBack = {
    href: goBackUrl,
    label: app
      ? messages.t('actions.goBackTo', { app: isolateTextDirection(app) })
      : messages.t('actions.goBack'),
  }
  const { otherMethodsUrl } = recovery
  const chooseProvider = otherMethodsUrl
    ? [{ href: otherMethodsUrl, label: messages.t('actions.chooseProvider') }]
    : []
  if (avoidsAutofill) {
    return [...chooseProvider.map(({ label }) => ({ href: withoutAutofillUrl, label })), goBack]
  }
  switch (code) {
    case 'already_signed_in':
      return [
        {
          href: recovery.returnTo,
          label:
            currentName === undefined
              ? messages.t('actions.keepCurrentAccount')
              : messages.t('signedIn.continueAs', { name: isolateTextDirection(currentName) }),
        },
        { href: chooseAccountUrl, label: messages.t('actions.switchAccount') },
      ]
    case 'account_rejected':
    case 'not_allowed':
    case 'not_eligible':
    case 'user_blocked':
      return [
        { href: chooseAccountUrl, label: messages.t('actions.useDifferentAccount') },
        ...chooseProvider,
        goBack,
      ]
    // Another attempt would fail in the same way.
    case 'provider_misconfigured':
    case 'provider_refused':
      return [...chooseProvider, goBack]
    case 'account_taken':
      return [
        { href: '/account', label: messages.t('actions.goToAccount') },
        { href: chooseAccountUrl, label: messages.t('actions.switchAccount') },
      ]
    case 'configuration':
      return [goBack]
    // The service has the same problem with every provider.
    case 'internal':
    case 'unavailable':
      return [tryAgain(recovery, messages), goBack]
    default:
      return [tryAgain(recovery, messages), ...chooseProvider, goBack]
  }
}

function tryAgain({ tryAgainUrl }: Recovery, messages: Messages): Action {
  return { href: tryAgainUrl, label: messages.t('actions.tryAgain') }
}

/** For an error of any other request. */
function actionsElsewhere({
  code,
  messages,
  isRepeatable,
  signInPath = '/api/auth/signin',
}: ErrorPageProps): Action[] {
  const goToSignIn = { href: signInPath, label: messages.t('actions.goToSignIn') }
  const goToAccount = { href: '/account', label: messages.t('actions.goToAccount') }
  switch (code) {
    case 'sign_in_again': {
      const params = new URLSearchParams({ callbackUrl: '/account', prompt: 'login' })
      return [
        { href: `/api/auth/signin?${params}`, label: messages.t('actions.goToSignIn') },
        goToAccount,
      ]
    }
    case 'id_token_hint_missing':
    case 'id_token_hint_refused':
    case 'post_logout_redirect_uri_refused':
      return [{ href: '/api/auth/signout', label: messages.t('signOut.confirm') }]
    case 'account_taken':
    case 'client_unknown':
    case 'redirect_uri_missing':
    case 'redirect_uri_refused':
    case 'request_invalid':
    case 'request_uri_invalid':
    case 'return_url_refused':
      return [goToAccount]
    case 'cross_site':
    case 'not_found':
    case 'method_not_allowed':
      return [goToSignIn, goToAccount]
    case 'configuration':
      // All other pages have the same problem.
      return [{ href: isRepeatable ? SAME_PAGE : '/', label: messages.t('actions.checkAgain') }]
    case 'client_unreadable':
    case 'internal':
    case 'too_many_requests':
    case 'unavailable':
      if (!isRepeatable) return [goToSignIn, goToAccount]
      return [{ href: SAME_PAGE, label: messages.t('actions.tryAgain') }]
    default:
      return [goToSignIn]
  }
}
