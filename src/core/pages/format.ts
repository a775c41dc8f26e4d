import { isolateTextDirection } from '../../foundation/values/isolate-text-direction.ts'
import type { AppContext } from '../http/app-env.ts'
import type { Messages } from '../messages/messages.ts'

/**
 * Arabic writes "and" as a part of the next word, which is hard to read before a name in another
 * script.
 */
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

/** Chinese and Japanese have no spaces between sentences. */
export function joinSentences(sentences: readonly string[], messages: Messages): string {
  return sentences.join(isWide(messages) ? '' : ' ')
}

/**
 * A text in parentheses, after another one. Those of Chinese and Japanese are as wide as their
 * letters.
 */
export function inParentheses(text: string, messages: Messages): string {
  return isWide(messages) ? `（${text}）` : ` (${text})`
}

function isWide({ language }: Messages): boolean {
  return /^(?:ja|zh)\b/.test(language)
}

/** Such as "10 minutes" or "10分". */
export function formatUnit(
  value: number,
  unit: 'second' | 'minute' | 'hour' | 'day',
  language: string,
): string {
  const options = { style: 'unit', unit, unitDisplay: 'long' } as const
  const text = new Intl.NumberFormat(language, options).format(value)
  // Intl writes a space here, which the other texts in Japanese do not have next to digits.
  return language === 'ja' ? text.replaceAll(/\s/g, '') : text
}

/** How a page writes dates. */
export interface DateFormat {
  locale: string
  /** The time zone of the user, if it is known. */
  timeZone: string | undefined
}

/** Such as "16 November 2026". */
export function formatDate(seconds: number, { locale, timeZone = 'UTC' }: DateFormat): string {
  return new Date(seconds * 1000).toLocaleDateString(locale, { dateStyle: 'long', timeZone })
}

/**
 * Such as "16 November 2026 at 14:47". The time says that it is UTC, unless it is the user's own.
 */
export function formatDateTime(seconds: number, { locale, timeZone }: DateFormat): string {
  const text = new Date(seconds * 1000).toLocaleString(locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: timeZone ?? 'UTC',
  })
  const complete = timeZone === undefined ? `${text} UTC` : text
  // The time is not left alone on a line.
  return complete.replaceAll(/ (?=\S+(?: UTC)?$)/g, '\u00a0')
}

/** How this user writes dates: in the language of the page and the time zone of the request. */
export function dateFormat(c: AppContext, { language }: Messages): DateFormat {
  const { timezone } = (c.req.raw.cf ?? {}) as { timezone?: unknown }
  return {
    locale: language === 'en' ? englishLocale(c.req.header('Accept-Language')) : language,
    timeZone: isTimeZone(timezone) ? timezone : undefined,
  }
}

/**
 * The texts are in British English, so the dates are too, except for users who prefer American
 * English.
 */
function englishLocale(acceptLanguage = ''): string {
  const preferred = acceptLanguage.match(/\ben\b[\w-]*/i)?.[0]
  return preferred?.toLowerCase() === 'en-us' ? 'en-US' : 'en-GB'
}

/** Intl throws an error for a name that it does not know. */
export function isTimeZone(name: unknown): name is string {
  if (typeof name !== 'string') return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
