import type { Messages } from '../pages/messages/en.ts'
import type { AppContext } from './app-env.ts'

/** The address of the account page that confirms a change. */
export function confirmedAccountPath(
  done: keyof Messages['account']['done'],
  params: Record<string, string> = {},
): string {
  return `/account?${new URLSearchParams({ done, ...params })}`
}

/** The text that the parameter `done` selects. What the address contains is never shown. */
export function confirmationText(c: AppContext, { account: { done: texts } }: Messages) {
  const done = c.req.query('done') ?? ''
  return Object.hasOwn(texts, done) ? texts[done as keyof typeof texts] : undefined
}

/** The changes that the account page offers once more after a new sign-in. Others have a page of their own. */
type RepeatedChange = 'download' | 'endOtherSessions'

/** The address of the account page that offers a change to a user who has signed in again. */
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
      return messages.account.downloadData
    case 'endOtherSessions':
      return messages.account.endOtherSessions
    default:
      return undefined
  }
}
