import type { Messages } from '../messages/messages.ts'
import { isolateTextDirection } from '../values/isolate-text-direction.ts'

/** Arabic writes "and" as a part of the next word, which is hard to read before a name in another script. */
const ARABIC_AND_BEFORE_OTHER_SCRIPT = /و(?=\u2068\P{Script=Arabic})/gu

/** Such as "TikTok, Google and GitHub". */
export function formatNames(names: readonly string[], messages: Messages): string {
  return formatList(names, messages, 'conjunction')
}

/** Such as "TikTok, Google or GitHub". */
export function formatChoice(names: readonly string[], messages: Messages): string {
  return formatList(names, messages, 'disjunction')
}

/** The texts are in British English, so the lists are too. */
function formatList(
  names: readonly string[],
  { language }: Messages,
  type: Intl.ListFormatType,
): string {
  const locale = language === 'en' ? 'en-GB' : language
  // In Spanish, the word between two names depends on the first letter of the second.
  const parts = new Intl.ListFormat(locale, { type }).formatToParts(names)
  const list = parts.map((part) =>
    part.type === 'element' ? isolateTextDirection(part.value) : part.value,
  )
  return list.join('').replaceAll(ARABIC_AND_BEFORE_OTHER_SCRIPT, 'و\u00a0')
}
