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

/** Such as "30 seconds", "15 minutes" or "5 hours". */
export function formatDuration(seconds: number, language: string): string {
  if (seconds < 60) return formatUnit(seconds, 'second', language)
  const minutes = Math.ceil(seconds / 60)
  if (minutes <= 90) return formatUnit(minutes, 'minute', language)
  return formatUnit(Math.ceil(minutes / 60), 'hour', language)
}
