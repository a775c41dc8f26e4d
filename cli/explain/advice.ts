import { adviceForOutcome } from '../../src/features/admin/explain-outcome.ts'
import { findErrorPages } from '../platform-error-pages.ts'
import type { LogLine } from './log-lines.ts'

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
      'No action needed, if it is rare: the sender delivers no messages to this recipient. Remove the address from its list of suppressed recipients if it is correct.',
    ]
  }
  if (last.code !== undefined) return [adviceForFailure(last.code, last)]
  if (last.event !== undefined) return ['No action needed: the sign-in succeeded.']
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
  // The hint says what to do; waiting would not help.
  if (/^migrations were not applied|^the table \w+ of a feature/.test(hint)) return `${hint}.`
  const [page] = findErrorPages(upstreamErrorType)
  // The key comes from a log, so inherited properties such as `toString` must not match.
  return (
    page?.fix ??
    (Object.hasOwn(ADVICE_BY_PLATFORM_ERROR, upstreamError)
      ? ADVICE_BY_PLATFORM_ERROR[upstreamError]
      : undefined) ??
    adviceForOutcome(code)
  )
}
