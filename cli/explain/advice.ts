import { adviceForFailure, callbackUrl } from '../../src/features/admin/explain-outcome.ts'
import type { LogLine } from './log-lines.ts'

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
  if (last.code !== undefined) return [adviceForFailure({ ...last, outcome: last.code })]
  if (last.event !== undefined) return ['No action needed: the sign-in succeeded.']
  const { provider } = last
  const remedy =
    provider === undefined || provider === 'tiktok'
      ? 'ask for the error it shows, and run npx vestibule-auth doctor --page <error>'
      : `ask for the error it shows. If it is about the redirect URI, register ${callbackUrl(provider)} at ${provider}, in exactly this spelling`
  return [
    `Check whether a later log has more: the user has not returned yet. Users who end on an error page of the provider never return; ${remedy}`,
  ]
}
