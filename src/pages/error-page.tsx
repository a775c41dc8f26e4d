import type { Recovery, SignInErrorCode } from '../errors.ts'
import { isolateTextDirection } from './isolate-text-direction.ts'
import type { Messages } from './messages/en.ts'

interface ErrorPageProps {
  code: SignInErrorCode
  /** What happened. */
  text: string
  messages: Messages
  reference: string
  /** Configuration problems, shown only to developers on a loopback address. */
  problems: readonly string[]
  recovery: Recovery | undefined
  /** Whether the browser can send the request again. */
  isRepeatable: boolean
}

/** What happened, what to do next, and the code and reference to report. */
export function ErrorPage(props: ErrorPageProps) {
  const { code, text, messages, reference, problems } = props
  const [primaryAction, ...otherActions] = nextActions(props)
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
      <a class="primary" href={primaryAction.href}>
        {primaryAction.label}
      </a>
      {otherActions.map(({ href, label }) => (
        <a href={href}>{label}</a>
      ))}
      <dl>
        <dt>{messages.errorPage.code}</dt>
        <dd>{code}</dd>
        <dt>{messages.errorPage.reference}</dt>
        <dd id="reference">{reference}</dd>
      </dl>
    </>
  )
}

interface Action {
  href: string
  label: string
}

/** The address of this page: browsers send the request again. */
const SAME_PAGE = ''

/** The links of the page, the most useful one first. */
function nextActions({
  code,
  messages,
  recovery,
  isRepeatable,
}: ErrorPageProps): [Action, ...Action[]] {
  const { actions } = messages
  return recovery
    ? actionsOfSignIn(code, actions, recovery)
    : actionsElsewhere(code, messages, isRepeatable)
}

/** For an error of a sign-in that was started. */
function actionsOfSignIn(
  code: SignInErrorCode,
  actions: Messages['actions'],
  recovery: Recovery,
): [Action, ...Action[]] {
  const { app, goBackUrl } = recovery
  const goBack = {
    href: goBackUrl,
    label: app ? actions.goBackTo(isolateTextDirection(app)) : actions.goBack,
  }
  const chooseAccount = signInUrl(recovery, 'select_account')
  const { otherProvidersUrl } = recovery
  const chooseProvider = otherProvidersUrl && {
    href: otherProvidersUrl,
    label: actions.chooseProvider,
  }
  switch (code) {
    case 'already_signed_in':
      return [
        { href: recovery.returnTo, label: actions.keepCurrentAccount },
        { href: chooseAccount, label: actions.switchAccount },
      ]
    case 'not_allowed':
    case 'not_eligible':
    case 'user_blocked':
      return [{ href: chooseAccount, label: actions.useDifferentAccount }, goBack]
    // Another attempt would fail in the same way.
    case 'provider_misconfigured':
    case 'provider_refused':
      return chooseProvider ? [chooseProvider, goBack] : [goBack]
    case 'account_taken':
    case 'configuration':
      return [goBack]
    case 'provider_invalid':
    case 'provider_unavailable':
      return [tryAgain(recovery, actions), ...(chooseProvider ? [chooseProvider] : []), goBack]
    default:
      return [tryAgain(recovery, actions), goBack]
  }
}

/** The provider must prompt again; otherwise it may repeat its last response. */
function tryAgain(recovery: Recovery, actions: Messages['actions']): Action {
  return { href: signInUrl(recovery, 'consent'), label: actions.tryAgain }
}

/** For an error of any other request. */
function actionsElsewhere(
  code: SignInErrorCode,
  { actions, signOut }: Messages,
  isRepeatable: boolean,
): [Action, ...Action[]] {
  const goToSignIn = { href: '/api/auth/signin', label: actions.goToSignIn }
  const goToAccount = { href: '/account', label: actions.goToAccount }
  switch (code) {
    case 'sign_in_again': {
      const params = new URLSearchParams({ callbackUrl: '/account', prompt: 'login' })
      return [{ href: `/api/auth/signin?${params}`, label: actions.goToSignIn }, goToAccount]
    }
    case 'id_token_hint_refused':
    case 'post_logout_redirect_uri_refused':
      return [{ href: '/api/auth/signout', label: signOut.confirm }]
    case 'cross_site':
    case 'not_found':
    case 'method_not_allowed':
      return [goToSignIn, goToAccount]
    case 'configuration':
      // All other pages have the same problem.
      return [{ href: isRepeatable ? SAME_PAGE : '/', label: actions.checkAgain }]
    case 'internal':
    case 'too_many_requests':
    case 'unavailable':
      if (!isRepeatable) return [goToSignIn, goToAccount]
      return [{ href: SAME_PAGE, label: actions.tryAgain }]
    default:
      return [goToSignIn]
  }
}

function signInUrl({ provider, returnParams }: Recovery, prompt: string): string {
  return `/api/auth/signin/${provider}?${new URLSearchParams({ ...returnParams, prompt })}`
}
