import { isolateTextDirection } from './isolate-text-direction.ts'
import type { Messages } from './messages/en.ts'

/** Arabic writes "and" as a part of the next word, which is hard to read before a name in another script. */
const ARABIC_AND_BEFORE_OTHER_SCRIPT = /و(?=\u2068\P{Script=Arabic})/gu

/** Such as "TikTok, Google and GitHub". The texts are in British English, so the list is too. */
export function formatNames(names: readonly string[], { language }: Messages): string {
  const locale = language === 'en' ? 'en-GB' : language
  const list = new Intl.ListFormat(locale).format(names.map(isolateTextDirection))
  return list.replaceAll(ARABIC_AND_BEFORE_OTHER_SCRIPT, 'و\u00a0')
}
