import type { SignInErrorCode } from '../../src/errors/sign-in-error.ts'
import { findErrorPages } from '../platform-error-pages.ts'
import type { LogLine } from './log-lines.ts'

/** What operators can do about each error. Errors that are not listed need no action. */
const ADVICE_BY_CODE: Partial<Record<SignInErrorCode, string>> = {
  access_denied:
    'Nothing: the user cancelled, or the platform refused. If the user did not cancel, the account may be too young or restricted; the platform tells the user more than it tells this service.',
  account_taken:
    'Nothing: that account already belongs to another user of this service, who can unlink it.',
  already_signed_in: 'Nothing: the user is asked which account this browser should use.',
  attempt_missing:
    'Nothing, if it is rare: more than ten minutes passed, the page was reloaded, or the user returned in another browser, as happens on phones when the app opens. If it happens to everyone, check that cookies reach the service: npx vestibule-auth doctor <url>',
  code_expired:
    'Nothing, if it is rare: the page was reloaded, or the user took too long. If it happens to everyone, the callback may be called twice: look for something that opens links in advance.',
  configuration: 'Correct the settings that are named: npx vestibule-auth doctor',
  credentials_rejected:
    'Nothing: the user entered a wrong code or wrong credentials. If it happens to everyone, check authorize of the credentials provider.',
  internal: 'This is a bug in the service. Please report it with the error above.',
  not_allowed:
    'Nothing, unless the rule is wrong: callbacks.signIn of this deployment rejected the account.',
  not_eligible: findErrorPages('non_sandbox_target')[0]?.fix ?? '',
  provider_invalid:
    'The platform sent an invalid response. If it keeps happening, compare the hint above with the documentation of the platform, and contact its support.',
  provider_misconfigured:
    "Correct the callback of the provider in the deployment's own code: the stack is in cause of the same log line.",
  provider_refused:
    'The platform rejects the app. If its error does not explain why, contact its support with the log id.',
  provider_unavailable:
    'Wait: the platform was slow or unavailable. Its status page may have details.',
  return_url_refused:
    'Register the app that sent the user: its origin is not in the redirect_uris of any client in CLIENTS.',
  scope_missing:
    'Nothing, if it is rare: the user did not grant a required scope. Otherwise request fewer scopes in upstream_scope of the client.',
  too_many_guesses:
    'Nothing, if it is rare: someone entered wrong codes or credentials too often, and has to wait. Otherwise someone may be guessing: look for many lines with one network.',
  too_many_requests:
    'Nothing, unless many users share one address: then raise the limit of USER_RATE_LIMIT in wrangler.toml.',
  unavailable:
    "Wait: D1 or a Durable Object could not be reached. Cloudflare's status page may have details.",
  user_blocked:
    'Nothing, unless the user was blocked by mistake: an administrator has blocked them, and can unblock them.',
}

/** The platform's own errors are more specific than ours. */
const ADVICE_BY_PLATFORM_ERROR: Readonly<Record<string, string>> = {
  invalid_client:
    'Compare AUTH_TIKTOK_ID and AUTH_TIKTOK_SECRET with the portal; both must be from the same sandbox or app: npx vestibule-auth doctor',
  rate_limit_exceeded: 'Wait a minute. If it happens often, ask the platform for a higher limit.',
}

/** Advises what to do about a sign-in, given its last step. */
export function adviceFor(lines: readonly LogLine[]): string[] {
  const last = lines.findLast(({ route }) => route !== undefined)
  if (!last) return []
  if (last.event === 'callback_failed') {
    return ['Correct the callback of this deployment that is named above, and deploy it again.']
  }
  if (last.event === 'email_failed') {
    return [
      'Correct the sender of email: its error is named above. Check its key, its domain and its status page, and request a message yourself.',
    ]
  }
  if (last.event === 'email_rejected') {
    return [
      'Nothing, if it is rare: the sender delivers no messages to this recipient. Remove the address from its list of suppressed recipients if it is correct.',
    ]
  }
  if (last.code !== undefined) return [adviceForFailure(last.code, last)]
  if (last.event !== undefined) return ['Nothing: the sign-in succeeded.']
  return [
    "Check whether a later log has more: the user has not returned yet. Users who end on the platform's error page never return; ask for the error it shows, and run npx vestibule-auth doctor --page <error>",
  ]
}

/** Advises what to do about an error, given what else the log has about it. */
export function adviceForFailure(
  code: string,
  {
    upstreamError = '',
    upstreamErrorType = '',
    hint = '',
  }: Pick<LogLine, 'upstreamError' | 'upstreamErrorType' | 'hint'> = {},
): string {
  // The hint names the command; waiting would not help.
  if (hint.startsWith('migrations were not applied')) return `${hint}.`
  const [page] = findErrorPages(upstreamErrorType)
  return (
    page?.fix ??
    findAdvice(ADVICE_BY_PLATFORM_ERROR, upstreamError) ??
    findAdvice(ADVICE_BY_CODE, code) ??
    'Nothing: the error page told the user what to do.'
  )
}

/** The key comes from a log, so inherited properties such as `toString` must not match. */
function findAdvice(advice: Partial<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(advice, key) ? advice[key] : undefined
}
