import type { SignInErrorCode } from '../errors.ts'
import type { ErrorText, Messages } from './messages/en.ts'

/** The title and the text of an error. They name the provider of the sign-in if it is known. */
export function errorTexts(
  { errors }: Messages,
  code: SignInErrorCode,
  provider: string | undefined,
): { title: string; text: string } {
  const complete = (text: ErrorText) => (typeof text === 'string' ? text : text(provider))
  const { title, text } = errors[code]
  return { title: complete(title), text: complete(text) }
}
