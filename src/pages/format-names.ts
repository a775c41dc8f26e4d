import { isolateTextDirection } from './isolate-text-direction.ts'
import type { Messages } from './messages/en.ts'

/** Such as "TikTok, Google and GitHub". The texts are in British English, so the list is too. */
export function formatNames(names: readonly string[], { language }: Messages): string {
  const locale = language === 'en' ? 'en-GB' : language
  return new Intl.ListFormat(locale).format(names.map(isolateTextDirection))
}
