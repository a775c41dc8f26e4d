import { settingName } from '../../core/config/providers.ts'
import type { Messages } from '../../core/messages/messages.ts'
import { errorTexts } from '../../core/pages/error-texts.ts'
import { CLOCK_HINT } from '../../foundation/errors/failure-detail.ts'
import { SIGN_IN_ERRORS, type SignInErrorCode } from '../../foundation/errors/sign-in-error.ts'
import { subjectOfError } from '../../provider-interface/provider-errors.ts'
import { adviceForTikTokError, SANDBOX_ADVICE } from '../../providers/tiktok/error-pages.ts'

/*
 * The console and the command `explain` use these texts, so this file must not import anything of
 * the Worker.
 */

/** Why a request failed, and what operators can do, in a few words and with the details. */
interface Explanation {
  reason: string
  /** By default, nothing. */
  summary?: string
  advice: string
}

const NO_ACTION = 'No action needed.'
const NONE_IF_RARE = 'No action needed if it is rare.'

const BY_CODE: Readonly<Record<SignInErrorCode, Explanation>> = {
  access_denied: {
    reason: 'Cancelled, or refused by the provider',
    advice:
      'No action needed: the user cancelled, or the provider refused. If the user did not cancel, the account may be too young or restricted; the provider tells the user more than it tells this service.',
  },
  account_rejected: {
    reason: 'The provider does not let this account sign in',
    advice:
      'No action needed: the provider does not let this account sign in to apps. It may be banned, or its owner too young; the provider tells the user more than it tells this service.',
  },
  account_taken: {
    reason: 'The account belongs to another user',
    summary: 'No action needed: the other user can unlink it.',
    advice:
      'No action needed: that account already belongs to another user of this service, who can unlink it.',
  },
  already_signed_in: {
    reason: 'Someone else was signed in in this browser',
    advice: 'No action needed: the user is asked which account this browser should use.',
  },
  attempt_missing: {
    reason: 'Returned in another browser, or too late',
    summary: 'No action needed if it is rare. Otherwise check the cookies.',
    advice:
      'No action needed, if it is rare: more than ten minutes passed, the page was reloaded, or the user returned in another browser, as happens on phones when the app opens. If it happens to everyone, check that cookies reach the service: npx vestibule-auth doctor <url>',
  },
  client_unknown: {
    reason: 'Came from an app that is not registered',
    summary: 'Register the app, or correct its client_id.',
    advice:
      'Register the app, or correct the client_id that it sends: npx vestibule-auth clients list. If CLIENTS has the client, /readyz says why it is disabled.',
  },
  client_unreadable: {
    reason: 'What the app publishes about itself cannot be read',
    summary: 'Inform its developers.',
    advice:
      'Inform the developers of the app: the metadata at its client_id cannot be read, or are invalid. The error is in cause of the same log line. Wait, if their server was unavailable.',
  },
  code_expired: {
    reason: 'Reloaded the page, or took too long at the provider',
    summary: NONE_IF_RARE,
    advice:
      'No action needed, if it is rare: the page was reloaded, or the user took too long. If it happens to everyone, the callback may be called twice: look for something that opens links in advance.',
  },
  configuration: {
    reason: 'The settings of this service are invalid',
    summary: 'Correct the settings.',
    advice: 'Correct the settings that are named: npx vestibule-auth doctor',
  },
  credentials_rejected: {
    reason: 'Entered a wrong code or wrong credentials',
    advice:
      'No action needed: the user entered a wrong code or wrong credentials. If it happens to everyone, check authorize of the credentials provider.',
  },
  cross_site: {
    reason: 'Sent by a page of another site',
    summary: 'No action needed if it is rare. Otherwise register the origin.',
    advice:
      'No action needed, if it is rare: a page of another site sent the request. If it is the page of an app of yours, its origin must be that of one of its redirect_uris. If it happens on our own pages, check that a proxy does not change the headers Origin and Sec-Fetch-Site.',
  },
  id_token_hint_missing: {
    reason: 'The app did not say who it is at a sign-out',
    summary: 'Correct the app.',
    advice:
      'Correct the app: its logout request has a post_logout_redirect_uri, but neither an id_token_hint nor a client_id.',
  },
  id_token_hint_refused: {
    reason: 'The app sent an invalid ID token at a sign-out',
    summary: 'Correct the app.',
    advice:
      'Correct the app: the id_token_hint of its logout request must be an ID token that this service has issued to the same client.',
  },
  internal: {
    reason: 'An error in this service',
    summary: 'Please report it.',
    advice: 'This is a bug in the service. Please report it with the error above.',
  },
  method_not_allowed: {
    reason: 'The URL does not accept the method',
    advice:
      'No action needed, unless an app of yours sent the request: the header Allow of the response lists the methods of this URL.',
  },
  not_allowed: {
    reason: 'Rejected by a rule of this deployment',
    summary: 'No action needed, unless the rule is wrong.',
    advice:
      'No action needed, unless the rule is wrong: callbacks.signIn of this deployment rejected the account.',
  },
  not_eligible: {
    reason: 'Not a target user of the sandbox',
    summary: 'Add the account in the developer portal.',
    advice: SANDBOX_ADVICE,
  },
  not_found: {
    reason: 'No page has this URL',
    advice: 'No action needed, unless a page or an app of yours has the link: correct it there.',
  },
  post_logout_redirect_uri_refused: {
    reason: 'The app wanted to return users to an unregistered URL',
    summary: 'Register the URL, or correct the app.',
    advice:
      'Add the URL to post_logout_redirect_uris of the client, in exactly the spelling that the app sends, or correct the app. The hint has both.',
  },
  provider_invalid: {
    reason: 'The provider sent an invalid response',
    summary: 'Contact its support if it keeps happening.',
    advice:
      'The provider sent an invalid response. If it keeps happening, compare the reason above with the documentation of the provider, and contact its support.',
  },
  provider_misconfigured: {
    reason: 'A callback of the provider failed',
    summary: "Correct the callback in the deployment's code.",
    advice:
      "Correct the callback of the provider in the deployment's own code: the stack is in cause of the same log line.",
  },
  provider_refused: {
    reason: 'The provider rejected the app',
    summary: 'Compare the settings with its portal.',
    advice:
      'The provider rejects the app. If the error that it reported does not explain why, contact its support, at TikTok with the log id.',
  },
  provider_unavailable: {
    reason: 'The provider was slow or unavailable',
    summary: 'Wait, or see its status page.',
    advice: 'Wait: the provider was slow or unavailable. Its status page may have details.',
  },
  provider_unknown: {
    reason: 'The provider is not enabled',
    summary: 'Correct the link, or enable the provider.',
    advice:
      'Correct the app or the link that names the provider, or enable the provider with its settings: npx vestibule-auth doctor',
  },
  redirect_uri_missing: {
    reason: 'The app sent no redirect URI',
    summary: 'Correct the app.',
    advice: 'Correct the app: its authorization request has no redirect_uri.',
  },
  redirect_uri_refused: {
    reason: 'The app wanted its answer at an unregistered URI',
    summary: 'Register the URI, or correct the app.',
    advice:
      'Add the redirect URI to redirect_uris of the client, in exactly the spelling that the app sends, or correct the app. The hint has both. All of them at once: npx vestibule-auth clients update <client_id> --redirect <uri> --redirect <uri>',
  },
  request_invalid: {
    reason: 'A parameter of the request is invalid',
    summary: 'Correct the app that sent it.',
    advice:
      'No action needed, unless an app of yours sent the request: the error page names the parameter that is malformed, repeated or too long.',
  },
  request_too_large: {
    reason: 'The request is too large',
    advice:
      'No action needed, if it is rare: the body, the URL or the cookies are too large. Cookies of other services on the same domain count, too.',
  },
  request_uri_invalid: {
    reason: 'The pushed request of the app has expired',
    summary: NONE_IF_RARE,
    advice:
      'No action needed, if it is rare: the user opened an old link. Otherwise correct the app: a request_uri works once, for a short time, and for the client that pushed the request.',
  },
  return_url_refused: {
    reason: 'Came from an app that is not registered',
    summary: 'Register the app.',
    advice:
      'Register the app that sent the user: its origin is not in the redirect_uris of any client.',
  },
  scope_missing: {
    reason: 'Did not grant a required scope',
    summary: NONE_IF_RARE,
    advice:
      'No action needed, if it is rare: the user did not grant a required scope. Otherwise request fewer scopes in upstream_scope of the client.',
  },
  sign_in_again: {
    reason: 'Signed in too long ago for this',
    advice: 'No action needed: the user is asked to sign in again.',
  },
  too_many_guesses: {
    reason: 'Entered wrong codes too often',
    summary: NONE_IF_RARE,
    advice:
      'No action needed, if it is rare: someone entered wrong codes or credentials too often, and has to wait. Otherwise someone may be guessing: look for many lines with one network.',
  },
  too_many_requests: {
    reason: 'Too many requests from one network',
    summary: NONE_IF_RARE,
    advice:
      'No action needed, unless many users share one address: then raise the limit of USER_RATE_LIMIT in wrangler.toml.',
  },
  unavailable: {
    reason: "This service's storage could not be reached",
    summary: 'Wait, or see the status page.',
    advice:
      "Wait: D1 or a Durable Object could not be reached. Cloudflare's status page may have details.",
  },
  user_blocked: {
    reason: 'The user is blocked',
    summary: 'No action needed, unless it was a mistake.',
    advice:
      'No action needed, unless the user was blocked by mistake: an administrator has blocked them, and can unblock them. If the database was restored to a time before that, it does not have the block: block or unblock the user once more.',
  },
}

/** Explains any outcome. What a feature declares is named by the title of its error page. */
export function explainShortly(
  messages: Messages,
  outcome: string,
): { reason: string; advice: string } {
  const known = isErrorCode(outcome) ? BY_CODE[outcome] : undefined
  const reason = known?.reason ?? messages.find(`errors.${outcome}.title`) ?? outcome
  return { reason, advice: known?.summary ?? NO_ACTION }
}

/** What is known about a failure, from the audit log or the request log. */
interface Failure {
  outcome: string
  provider?: string | undefined
  upstreamError?: string | undefined
  upstreamErrorType?: string | undefined
  hint?: string | undefined
}

/** The failure in an entry of the audit log, whose detail is what the provider reported, or a hint. */
export function failureOfEntry(entry: {
  outcome: string
  provider?: string | undefined
  detail?: string | undefined
}): Failure {
  const { outcome, provider, detail = '' } = entry
  if (!/^[a-z_]+( [a-z_]+)?$/.test(detail)) return { outcome, provider, hint: detail }
  const [upstreamError, upstreamErrorType] = detail.split(' ')
  return { outcome, provider, upstreamError, upstreamErrorType }
}

/** Advises what to do about a failure. What the provider reported is more specific than our error. */
export function adviceForFailure(failure: Failure): string {
  const { outcome, hint = '' } = failure
  // The hint says what to do; waiting would not help.
  if (/^migrations were not applied|^the table \w+ of a feature/.test(hint)) return `${hint}.`
  if (outcome === 'provider_invalid' && hint.includes(CLOCK_HINT)) return CLOCK_ADVICE
  return (
    adviceForProviderError(failure) ??
    (isErrorCode(outcome) ? BY_CODE[outcome].advice : adviceForClientError(outcome))
  )
}

/** The same about an outcome of which nothing else is known. */
export function adviceForOutcome(outcome: string): string {
  return adviceForFailure({ outcome })
}

/** About an error of OAuth, which the app has received, or one of a feature, which users have seen. */
function adviceForClientError(code: string): string {
  return code === 'temporarily_unavailable'
    ? 'Wait: this service was unavailable, or the app sent too many requests.'
    : 'No action needed, unless an app of yours sent the request: the response that it got, or the error page, says what is wrong with it.'
}

const CLOCK_ADVICE =
  "Compare the clock of the provider with the time: the times in its ID tokens are too far from it. If the provider is yours, synchronise its server's clock; otherwise contact its support."

/** The same about the error that a provider reported. Undefined if it says nothing about the settings. */
export function adviceForProviderError({
  provider,
  upstreamError = '',
  upstreamErrorType = '',
}: Omit<Failure, 'outcome'>): string | undefined {
  if (provider === 'tiktok') {
    const advice = adviceForTikTokError(upstreamError, upstreamErrorType)
    if (advice !== undefined) return advice
  }
  const [id, secret, scope] = (['ID', 'SECRET', 'SCOPE'] as const).map((name) =>
    provider === undefined ? `AUTH_<ID>_${name}` : settingName(provider, name),
  )
  switch (subjectOfError(upstreamErrorType) ?? subjectOfError(upstreamError)) {
    case 'credentials':
      return `Compare ${id} and ${secret} with the provider's portal: it rejects them. One is wrong, has expired, or belongs to another app.`
    case 'redirect_uri':
      return `Register ${callbackUrl(provider)} at the provider, in exactly this spelling, for the app whose id is ${id}.`
    case 'scope':
      return `Request fewer scopes in ${scope} and in upstream_scope of your clients, or have the scopes approved in the provider's portal for the app whose id is ${id}.`
    case 'app':
      return `Check in the provider's portal that the app whose id is ${id} is live, may sign users in with an authorization code, and that ${secret} belongs to it.`
    case undefined:
      return undefined
  }
}

/** The redirect URI that a provider must know. */
export function callbackUrl(provider = '<id>'): string {
  return `<AUTH_URL>/api/auth/callback/${provider}`
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
