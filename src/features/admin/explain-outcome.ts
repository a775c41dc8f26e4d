import type { Messages } from '../../core/messages/messages.ts'
import { errorTexts } from '../../core/pages/error-texts.ts'
import { SIGN_IN_ERRORS, type SignInErrorCode } from '../../foundation/errors/sign-in-error.ts'

/*
 * The console and the command `explain` use these texts, so this file must not import anything of
 * the Worker.
 */

export const SANDBOX_ADVICE =
  'Add the account in the portal under the target users of the sandbox; this may take an hour to work. For everyone else, use the key of the production app once it is live.'

/** What operators can do about each error. Errors that are not listed need no action. */
const ADVICE_BY_CODE: Partial<Record<SignInErrorCode, string>> = {
  access_denied:
    'No action needed: the user cancelled, or the platform refused. If the user did not cancel, the account may be too young or restricted; the platform tells the user more than it tells this service.',
  account_rejected:
    'No action needed: the provider does not let this account sign in to apps. It may be banned, or its owner too young; the provider tells the user more than it tells this service.',
  account_taken:
    'No action needed: that account already belongs to another user of this service, who can unlink it.',
  already_signed_in: 'No action needed: the user is asked which account this browser should use.',
  attempt_missing:
    'No action needed, if it is rare: more than ten minutes passed, the page was reloaded, or the user returned in another browser, as happens on phones when the app opens. If it happens to everyone, check that cookies reach the service: npx vestibule-auth doctor <url>',
  code_expired:
    'No action needed, if it is rare: the page was reloaded, or the user took too long. If it happens to everyone, the callback may be called twice: look for something that opens links in advance.',
  configuration: 'Correct the settings that are named: npx vestibule-auth doctor',
  credentials_rejected:
    'No action needed: the user entered a wrong code or wrong credentials. If it happens to everyone, check authorize of the credentials provider.',
  internal: 'This is a bug in the service. Please report it with the error above.',
  not_allowed:
    'No action needed, unless the rule is wrong: callbacks.signIn of this deployment rejected the account.',
  not_eligible: SANDBOX_ADVICE,
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
    'No action needed, if it is rare: the user did not grant a required scope. Otherwise request fewer scopes in upstream_scope of the client.',
  too_many_guesses:
    'No action needed, if it is rare: someone entered wrong codes or credentials too often, and has to wait. Otherwise someone may be guessing: look for many lines with one network.',
  too_many_requests:
    'No action needed, unless many users share one address: then raise the limit of USER_RATE_LIMIT in wrangler.toml.',
  unavailable:
    "Wait: D1 or a Durable Object could not be reached. Cloudflare's status page may have details.",
  user_blocked:
    'No action needed, unless the user was blocked by mistake: an administrator has blocked them, and can unblock them.',
}

/** Why a sign-in failed, and what to do, in a few words; `ADVICE_BY_CODE` has the details. */
const SHORT_BY_CODE: Partial<Record<SignInErrorCode, readonly [reason: string, advice: string]>> = {
  access_denied: ['Cancelled, or refused by the provider', 'No action needed.'],
  account_rejected: ['The provider does not let this account sign in', 'No action needed.'],
  account_taken: [
    'The account belongs to another user',
    'No action needed: the other user can unlink it.',
  ],
  already_signed_in: ['Someone else was signed in in this browser', 'No action needed.'],
  attempt_missing: [
    'Returned in another browser, or too late',
    'No action needed if it is rare. Otherwise check the cookies.',
  ],
  code_expired: [
    'Reloaded the page, or took too long at the provider',
    'No action needed if it is rare.',
  ],
  configuration: ['The settings of this service are invalid', 'Correct the settings.'],
  credentials_rejected: ['Entered a wrong code or wrong credentials', 'No action needed.'],
  internal: ['An error in this service', 'Please report it.'],
  not_allowed: [
    'Rejected by a rule of this deployment',
    'No action needed, unless the rule is wrong.',
  ],
  not_eligible: ['Not a target user of the sandbox', 'Add the account in the developer portal.'],
  provider_invalid: [
    'The provider sent an invalid response',
    'Contact its support if it keeps happening.',
  ],
  provider_misconfigured: [
    'A callback of the provider failed',
    "Correct the callback in the deployment's code.",
  ],
  provider_refused: ['The provider rejected the app', 'Compare the settings with its portal.'],
  provider_unavailable: ['The provider was slow or unavailable', 'Wait, or see its status page.'],
  return_url_refused: ['Came from an app that is not registered', 'Register the app.'],
  scope_missing: ['Did not grant a required scope', 'No action needed if it is rare.'],
  too_many_guesses: ['Entered wrong codes too often', 'No action needed if it is rare.'],
  too_many_requests: ['Too many requests from one network', 'No action needed if it is rare.'],
  unavailable: ["This service's storage could not be reached", 'Wait, or see the status page.'],
  user_blocked: ['The user is blocked', 'No action needed, unless it was a mistake.'],
}

/** The same of any outcome. What a feature declares is named by the title of its error page. */
export function explainShortly(
  messages: Messages,
  outcome: string,
): { reason: string; advice: string } {
  const known = isErrorCode(outcome) ? SHORT_BY_CODE[outcome] : undefined
  const [
    reason = messages.find(`errors.${outcome}.title`) ?? outcome,
    advice = 'No action needed.',
  ] = known ?? []
  return { reason, advice }
}

/** Advises what to do about an outcome that the audit log or the request log has. */
export function adviceForOutcome(outcome: string): string {
  return (
    (isErrorCode(outcome) ? ADVICE_BY_CODE[outcome] : undefined) ??
    'No action needed: the error page told the user what to do.'
  )
}

/** The text of the error page in this language, whatever language the user saw it in. */
export function textOfErrorPage(
  messages: Messages,
  outcome: string,
  providerName?: string,
): string | undefined {
  if (messages.find(`errors.${outcome}.title`) === undefined) return undefined
  const { title, text } = errorTexts(messages, outcome, providerName)
  return `${title}. ${text}`
}

/** The outcome comes from a log, so inherited properties such as `toString` must not match. */
function isErrorCode(outcome: string): outcome is SignInErrorCode {
  return Object.hasOwn(SIGN_IN_ERRORS, outcome)
}
