import type { Messages } from '../messages/messages.ts'

/** The sign-in page, which leads to the account page. */
export const ACCOUNT_SIGN_IN_PATH = '/api/auth/signin?callbackUrl=%2Faccount'

/** The account page that confirms a change with the text `account.done.<change>`. */
export function confirmedAccountPath(change: string, params: Record<string, string> = {}): string {
  return `/account?${new URLSearchParams({ done: change, ...params })}`
}

/** The account page that shows what has changed before the user continues. */
export function changesPath({ id }: { id: string }): string {
  return `/account?${new URLSearchParams({ interaction: id })}`
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
