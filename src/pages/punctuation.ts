import type { Messages } from '../messages/messages.ts'

/** Chinese and Japanese have no spaces between sentences. */
export function joinSentences(sentences: readonly string[], messages: Messages): string {
  return sentences.join(isWide(messages) ? '' : ' ')
}

/** A text in parentheses, after another one. Those of Chinese and Japanese are as wide as their letters. */
export function inParentheses(text: string, messages: Messages): string {
  return isWide(messages) ? `（${text}）` : ` (${text})`
}

function isWide({ language }: Messages): boolean {
  return /^(?:ja|zh)\b/.test(language)
}
