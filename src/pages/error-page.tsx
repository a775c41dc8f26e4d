import type { SignInErrorCode, WayOut } from '../errors.ts'
import type { Messages } from './messages/choose.ts'

interface ErrorPageProps {
  code: SignInErrorCode
  messages: Messages
  reference: string
  problems: readonly string[]
  wayOut: WayOut | undefined
}

/** What happened, whose turn it is, where to go, and what to report. Never a dead end. */
export function ErrorPage({ code, messages, reference, problems, wayOut }: ErrorPageProps) {
  const words = messages.error
  return (
    <>
      <p>{messages.errors[code][1]}</p>
      {problems.length > 0 && (
        <ul>
          {problems.map((problem) => (
            <li>{problem}</li>
          ))}
        </ul>
      )}
      {waysOn(code, messages, wayOut).map(([href, label], index) => (
        <a class={index ? undefined : 'main'} href={href}>
          {label}
        </a>
      ))}
      <dl>
        <dt>{words.code}</dt>
        <dd>{code}</dd>
        <dt>{words.reference}</dt>
        <dd id="reference">{reference}</dd>
      </dl>
    </>
  )
}

/** The best way on first. */
function waysOn(
  code: SignInErrorCode,
  { account, error }: Messages,
  wayOut: WayOut | undefined,
): [href: string, label: string][] {
  if (code === 'sign_in_again')
    return [['/api/auth/signin?callbackUrl=%2Faccount&prompt=login', error.toSignIn]]
  if (!wayOut) return [['/api/auth/signin', error.toSignIn]]
  const { provider, returnTo, again } = wayOut
  const start = (prompt: string) =>
    `/api/auth/signin/${provider}?${new URLSearchParams({ ...again, prompt })}`
  if (code === 'already_signed_in')
    return [
      [returnTo, account.keep],
      [start('select_account'), error.switchAccount],
    ]
  return [
    // The platform must show its page again, or it would repeat the answer it has just given.
    [start('consent'), error.tryAgain],
    [wayBack(returnTo), error.backTo],
  ]
}

/** An app that asked is told that nobody signed in: its request alone would lead to the sign-in page again. */
function wayBack(returnTo: string): string {
  const url = new URL(returnTo)
  if (url.pathname === '/oidc/authorize') url.searchParams.set('prompt', 'none')
  return url.href
}
