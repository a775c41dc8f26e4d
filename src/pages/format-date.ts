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

/** Such as "16 November 2026 at 14:47". The time says that it is UTC, unless it is the user's own. */
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
