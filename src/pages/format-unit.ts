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
