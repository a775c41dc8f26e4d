import type { Messages } from '../messages/messages.ts'

/**
 * The title and the text of an error, which may be one of a feature. They name the provider of the
 * sign-in if it is known.
 */
export function errorTexts(
  messages: Messages,
  code: string,
  provider: string | undefined,
): { title: string; text: string } {
  const find = (part: 'title' | 'text') => {
    const key = `errors.${code}.${part}`
    const named = provider === undefined ? undefined : messages.find(`${key}For`, { provider })
    return named ?? messages.find(key) ?? messages.t(`errors.internal.${part}`)
  }
  return { title: find('title'), text: find('text') }
}
