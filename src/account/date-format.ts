import type { AppContext } from '../http/app-env.ts'
import type { Messages } from '../messages/messages.ts'
import type { DateFormat } from '../pages/format.ts'

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
function isTimeZone(name: unknown): name is string {
  if (typeof name !== 'string') return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
