/** The scripts of living languages that are written from right to left. */
const RIGHT_TO_LEFT_SCRIPTS = ['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Syrc', 'Thaa']

/** Whether a language is written from right to left. */
export function isRightToLeft(tag: string): boolean {
  const { script } = new Intl.Locale(tag).maximize()
  return script !== undefined && RIGHT_TO_LEFT_SCRIPTS.includes(script)
}
