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
  const { title, text } = messages.errors[code]
  return (
    <>
      <h1>{title}</h1>
      <p>{text}</p>
      {problems.length > 0 && (
        <ul class="problems">
          {problems.map((problem) => (
            <li>{problem}</li>
          ))}
        </ul>
      )}
      <ul>
        {waysOn(code, messages, wayOut).map(({ href, label }, index) => (
          <li>
            <a class={index === 0 ? 'button main' : 'button'} href={href}>
              {label}
            </a>
          </li>
        ))}
      </ul>
      <dl>
        <dt>{messages.error.code}</dt>
        <dd>{code}</dd>
        <dt>{messages.error.reference}</dt>
        <dd id="reference">{reference}</dd>
      </dl>
    </>
  )
}

function waysOn(code: SignInErrorCode, { error }: Messages, wayOut: WayOut | undefined) {
  if (code === 'sign_in_again')
    return [{ href: '/api/auth/signin?callbackUrl=%2Faccount&prompt=login', label: error.toSignIn }]
  if (!wayOut) return [{ href: '/api/auth/signin', label: error.toSignIn }]
  const { provider, returnTo, again } = wayOut
  const start = (prompt: string) =>
    `/api/auth/signin/${provider}?${new URLSearchParams({ ...again, prompt })}`
  if (code === 'already_signed_in') {
    return [
      { href: returnTo, label: error.stay },
      { href: start('select_account'), label: error.switchAccount },
    ]
  }
  return [
    // The platform must show its page again, or it would repeat the answer it has just given.
    { href: start('consent'), label: error.tryAgain },
    { href: wayBack(returnTo), label: error.backTo },
  ]
}

/** An app that asked is told that nobody signed in: its request alone would lead to the sign-in page again. */
function wayBack(returnTo: string): string {
  const url = new URL(returnTo)
  if (url.pathname === '/oidc/authorize') url.searchParams.set('prompt', 'none')
  return url.href
}
