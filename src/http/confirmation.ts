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
