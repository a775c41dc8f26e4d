import type { AppContext } from '../http/app-env.ts'
import type { Messages } from '../messages/messages.ts'

/** The sign-in page, which leads to the account page. */
export const ACCOUNT_SIGN_IN_PATH = '/api/auth/signin?callbackUrl=%2Faccount'

/** What the account page confirms. */
const CONFIRMED_CHANGES = [
  'linked',
  'alreadyLinked',
  'passkeyAdded',
  'passkeyRenamed',
  'methodConfirmed',
  'sessionEnded',
  'otherSessionsEnded',
  'consentWithdrawn',
  'confirmed',
] as const

type ConfirmedChange = (typeof CONFIRMED_CHANGES)[number]

/** The account page that confirms a change. */
export function confirmedAccountPath(
  done: ConfirmedChange,
  params: Record<string, string> = {},
): string {
  return `/account?${new URLSearchParams({ done, ...params })}`
}

/** The account page that shows what has changed before the user continues. */
export function changesPath({ id }: { id: string }): string {
  return `/account?${new URLSearchParams({ interaction: id })}`
}

/** The change that the parameter `done` selects. What the URL contains is never shown. */
export function confirmedChange(c: AppContext): ConfirmedChange | undefined {
  const done = c.req.query('done')
  return CONFIRMED_CHANGES.find((change) => change === done)
}

/**
 * The changes that the account page offers once more after a new sign-in. Others have a page of
 * their own.
 */
type RepeatedChange = 'download' | 'endOtherSessions'

/** The account page that offers a change to a user who has signed in again. */
export function repeatedChangePath(change: RepeatedChange): string {
  return confirmedAccountPath('confirmed', { change })
}

/** What the account page calls the change that the parameter `change` selects. */
export function repeatedChangeLabel(
  messages: Messages,
  params: URLSearchParams,
): string | undefined {
  switch (params.get('change')) {
    case 'download':
      return messages.t('account.downloadData')
    case 'endOtherSessions':
      return messages.t('account.endOtherSessions')
    default:
      return undefined
  }
}
