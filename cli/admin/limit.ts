/** The option of commands that print a list. */
export const LIMIT_OPTION = {
  limit: { type: 'string', value: 'NUMBER', help: 'print at most this many' },
} as const

/** Reads the value of `--limit`, if it was given. */
export function parseLimit(
  text: string | undefined,
  rejectUsage: (message: string) => never,
): number | undefined {
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,5}$/.test(text)) rejectUsage(`--limit takes a number, not ${text}.`)
  return Number(text)
}

/** Says that a list is not complete, apart from the output, which programs may read. */
export function reportIfCut({ isCut }: { isCut: boolean }): void {
  if (isCut) process.stderr.write('… and more: use --limit NUMBER\n')
}
