import type { SignInErrorCode } from '../../src/errors.ts'
import { findPages } from '../platform-page.ts'
import type { LogLine } from './log-lines.ts'

/** What an operator can do about a failure; where nothing is said, nothing has to be done. */
const BY_CODE: Partial<Record<SignInErrorCode, string>> = {
  access_denied:
    'Nothing: the person, or the platform, said no. If nobody pressed cancel, the account may be too young or restricted; the platform tells them more than us.',
  account_taken:
    'Nothing here: that account already belongs to another person of this service, who can unlink it.',
  already_signed_in: 'Nothing: the person is asked which account the browser should use.',
  attempt_missing:
    'Nothing, if it is rare: more than ten minutes passed, the page was loaded again, or the browser changed on the way, as phones do when the app opens. If it happens to everybody, see that cookies reach the service: npx vestibule doctor <url>',
  code_expired:
    'Nothing, if it is rare: the page was loaded again, or the person took too long. If it happens to everybody, the callback may be called twice: look for something that opens links in advance.',
  configuration: 'Correct the settings that are named: npx vestibule doctor',
  internal: 'This is a bug of the service. Please report it, with the trouble that is noted.',
  not_eligible: findPages('non_sandbox_target')[0]?.fix ?? '',
  provider_invalid:
    'The platform answered something that it should not. If it lasts, compare what is noted with its documentation, and ask its support.',
  provider_refused:
    'The platform refuses the app. If its words do not help, its support asks for the log id.',
  provider_unavailable: 'Wait: the platform was slow or down. Its status page may tell more.',
  return_url_refused:
    'Register the app that sent the person: its origin is in no redirect_uris of CLIENTS.',
  scope_missing:
    'Nothing, if it is rare: the person switched off what is needed. Otherwise ask for less in upstream_scope of the client.',
  too_many_requests:
    'Nothing, unless many people share one address: then raise the limit of VISITS in wrangler.toml.',
  unavailable:
    "Wait: D1 or a Durable Object could not be reached. Cloudflare's status page may tell more.",
}

/** By the platform's words, which are finer than ours. */
const BY_WORD: Readonly<Record<string, string>> = {
  invalid_client:
    'Compare AUTH_TIKTOK_ID and AUTH_TIKTOK_SECRET with the portal; both must be of the same sandbox or app: npx vestibule doctor',
  rate_limit_exceeded: 'Wait a minute. If it happens often, ask the platform for a higher limit.',
}

/** What to do about a sign-in, by the last thing that happened to it. */
export function adviceFor(lines: readonly LogLine[]): string[] {
  const last = lines.findLast(({ route }) => route !== undefined)
  if (!last) return []
  if (last.code !== undefined) return [adviceForFailure(last)]
  if (last.event !== undefined) return ['Nothing: it went well.']
  return [
    'See whether a later log has more: it has not come back. Who ends on a page of the platform itself never does; ask which word that page shows, and run npx vestibule doctor --page <word>',
  ]
}

function adviceForFailure({ code = '', upstreamError, upstreamErrorType }: LogLine): string {
  const [page] = upstreamErrorType === undefined ? [] : findPages(upstreamErrorType)
  const byWord = upstreamError !== undefined && Object.hasOwn(BY_WORD, upstreamError)
  if (page) return page.fix
  if (byWord) return BY_WORD[upstreamError] ?? ''
  return new Map(Object.entries(BY_CODE)).get(code) ?? 'Nothing: the person was told what to do.'
}
