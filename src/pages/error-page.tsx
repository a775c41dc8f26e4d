import type { Child } from 'hono/jsx'
import type { Recovery, SignInErrorCode } from '../errors.ts'
import type { Messages } from './messages/en.ts'

interface ErrorPageProps {
  code: SignInErrorCode
  messages: Messages
  reference: string
  /** Configuration problems, shown only to developers on a loopback address. */
  problems: readonly string[]
  recovery: Recovery | undefined
  /** How the user can continue without leaving the page. */
  parts?: readonly Child[]
}

/** What happened, what to do next, and the code and reference to report. */
export function ErrorPage(props: ErrorPageProps) {
  const { code, messages, reference, problems, recovery, parts } = props
  const [primaryAction, ...otherActions] = nextActions(code, messages, recovery)
  return (
    <>
      <p>{messages.errors[code].text}</p>
      {problems.length > 0 && (
        <ul>
          {problems.map((problem) => (
            <li>{problem}</li>
          ))}
        </ul>
      )}
      {parts}
      <a class={parts?.length ? undefined : 'primary'} href={primaryAction.href}>
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

/** The links of the page, the most useful one first. */
function nextActions(
  code: SignInErrorCode,
  { actions }: Messages,
  recovery: Recovery | undefined,
): [Action, ...Action[]] {
  if (code === 'sign_in_again') {
    const href = '/api/auth/signin?callbackUrl=%2Faccount&prompt=login'
    return [{ href, label: actions.goToSignIn }]
  }
  if (!recovery) return [{ href: '/api/auth/signin', label: actions.goToSignIn }]

  const goBack = { href: recovery.goBackUrl, label: actions.goBack }
  const chooseAccount = signInUrl(recovery, 'select_account')
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
    case 'account_taken':
    case 'configuration':
    case 'provider_misconfigured':
    case 'provider_refused':
      return [goBack]
    default:
      // The provider must prompt again; otherwise it may repeat its last response.
      return [{ href: signInUrl(recovery, 'consent'), label: actions.tryAgain }, goBack]
  }
}

function signInUrl({ provider, returnParams }: Recovery, prompt: string): string {
  return `/api/auth/signin/${provider}?${new URLSearchParams({ ...returnParams, prompt })}`
}
