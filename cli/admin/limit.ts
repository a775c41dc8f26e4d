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

/** Items of a list, and what is known of how many more it has. */
export interface CutList<Item> {
  items: Item[]
  /** How many more were read. */
  rest: number
  /** Whether there are more than those. */
  isRestLonger: boolean
}

/** Says below a list that there are more, apart from the output, which programs may read. */
export function reportIfCut({ items, rest, isRestLonger }: CutList<unknown>): void {
  if (rest === 0) return
  const more = isRestLonger ? `more than ${rest}` : rest
  const limit = isRestLonger ? 'NUMBER' : items.length + rest
  process.stderr.write(`… and ${more} more: --limit ${limit}\n`)
}
