import type { Messages } from './messages/en.ts'

/** Chinese and Japanese have no spaces between sentences. */
export function joinSentences(sentences: readonly string[], { language }: Messages): string {
  return sentences.join(/^(?:ja|zh)\b/.test(language) ? '' : ' ')
}
