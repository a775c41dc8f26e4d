/** Enough to find a mistake in a log line. */
const MAX_LISTED = 5
const MAX_LENGTH = 200 // characters

/** A URI as the log may have it: its query, its fragment and its user may be secrets. */
export function describeUri(uri: string): string {
  const [, scheme = '', rest = ''] = /^([a-z][\w+.-]*:)([^?#]*)/i.exec(uri) ?? []
  if (!scheme) return 'no URL'
  const addition = /[?#]/.exec(uri)?.[0]
  const shown = describeText(`${scheme}${rest.replace(/^\/\/.*@/, '//…@')}`)
  return shown + (addition ? `${addition}…` : '')
}

/** A text that was sent, as the log may have it. */
export function describeText(text: string): string {
  return text.replace(/[^!-~…]/g, '�').slice(0, MAX_LENGTH)
}

/** What is registered, as far as a log line has room for it. */
export function listRegistered(values: readonly string[]): string {
  if (values.length === 0) return 'none'
  const others = values.length - MAX_LISTED
  return values.slice(0, MAX_LISTED).join(', ') + (others > 0 ? ` and ${others} more` : '')
}
