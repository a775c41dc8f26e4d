import type { SignInErrorCode } from '../errors/sign-in-error.ts'
import type { MessageKey, Messages } from '../messages/messages.ts'

/** The title and the text of an error. They name the provider of the sign-in if it is known. */
export function errorTexts(
  messages: Messages,
  code: SignInErrorCode,
  provider: string | undefined,
): { title: string; text: string } {
  const find = (part: 'title' | 'text') => {
    const nameKey = `errors.${code}.${part}For`
    return provider !== undefined && hasNameKey(messages, nameKey)
      ? messages.t(nameKey, { provider })
      : messages.t(`errors.${code}.${part}`)
  }
  return { title: find('title'), text: find('text') }
}

/** Whether there is such a text, with the name of the provider. */
function hasNameKey(
  messages: Messages,
  key: string,
): key is Extract<MessageKey, `errors.${string}For`> {
  return messages.has(key)
}
