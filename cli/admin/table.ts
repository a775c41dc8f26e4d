import { styleText } from 'node:util'
import type { ShownFields, ShownValue } from '../../src/administration/shown-fields.ts'
import { sanitizeForTerminal } from '../sanitize-for-terminal.ts'
import { formatTime, printJson, printLine } from './format.ts'
import { type CutList, reportIfCut } from './limit.ts'

/** Longer texts are shortened, also if the output is not a terminal; `--json` has them in full. */
const MAX_CELL_WIDTH = 48

/** A column of texts is not made narrower than this. */
const MIN_COLUMN_WIDTH = 10

const GAP = '  '

interface Cell {
  text: string
  /** A shortened id, time or state would be of no use. */
  isWhole?: boolean
  color?: 'green' | 'red'
}

interface Column {
  cells: Cell[]
  width: number
  minWidth: number
}

/**
 * Prints a table with these columns, or the text if it has no rows. On a terminal, the columns fit
 * its width: long texts are shortened, and if that is not enough, the last columns are left out.
 */
export function printTable<Item>(
  items: readonly Item[],
  columns: ShownFields<Item>,
  emptyText: string,
): void {
  if (items.length === 0) {
    printLine(emptyText)
    return
  }
  const all = Object.entries(columns).map(([heading, show]) =>
    createColumn([{ text: heading.toLowerCase() }, ...items.map((item) => toCell(show(item)))]),
  )
  const shown = fitColumns(all, process.stdout.columns ?? Infinity)
  for (const index of [-1, ...items.keys()]) {
    const row = shown.map(({ cells, width }) => formatCell(cells[index + 1], width))
    process.stdout.write(`${GAP}${row.join(GAP)}`.trimEnd().concat('\n'))
  }
  const omitted = Object.keys(columns).slice(shown.length)
  if (omitted.length > 0) {
    const names = omitted.join(', ').toLowerCase()
    process.stderr.write(`${GAP}Not shown on this narrow terminal: ${names}\n`)
  }
}

/** Prints the items of a list as a table or as JSON, and below it whether there are more. */
export function printList<Item>(
  list: CutList<Item>,
  { json }: { json?: boolean | undefined },
  columns: ShownFields<Item>,
  emptyText: string,
): void {
  if (json) printJson(list.items)
  else printTable(list.items, columns, emptyText)
  reportIfCut(list)
}

function createColumn(cells: Cell[]): Column {
  const width = Math.max(...cells.map(({ text }) => textWidth(text)))
  const wholeWidth = Math.max(
    0,
    ...cells.map(({ text, isWhole }) => (isWhole ? textWidth(text) : 0)),
  )
  return { cells, width, minWidth: Math.max(wholeWidth, Math.min(width, MIN_COLUMN_WIDTH)) }
}

/** The columns that fit, of which the widest ones become narrower. The first one always stays. */
function fitColumns(columns: readonly Column[], terminalWidth: number): Column[] {
  const shown = [...columns]
  const total = (widths: readonly number[]) =>
    widths.reduce((sum, width) => sum + GAP.length + width, 0)
  while (shown.length > 1 && total(shown.map(({ minWidth }) => minWidth)) > terminalWidth) {
    shown.pop()
  }
  let widths = shown.map(({ width }) => width)
  while (total(widths) > terminalWidth) {
    const reducible = widths.map((width, index) =>
      width > (shown[index]?.minWidth ?? 0) ? width : 0,
    )
    const widest = Math.max(...reducible)
    if (widest === 0) break
    const reduced = reducible.indexOf(widest)
    widths = widths.map((width, index) => (index === reduced ? width - 1 : width))
  }
  return shown.map((column, index) => ({ ...column, width: widths[index] ?? column.width }))
}

function formatCell({ text, color }: Cell = { text: '' }, width: number): string {
  const shown = shorten(text, width)
  const padding = ' '.repeat(width - textWidth(shown))
  return `${color ? styleText(color, shown) : shown}${padding}`
}

function toCell(value: ShownValue): Cell {
  if (typeof value !== 'object') return { text: clean(value) }
  if ('time' in value) return { text: formatTime(value.time), isWhole: true }
  if ('problem' in value) {
    const since = value.since === undefined ? '' : ` since ${formatTime(value.since).slice(0, 10)}`
    return { text: clean(`${value.problem}${since}`), isWhole: true, color: 'red' }
  }
  if ('good' in value) return { text: clean(value.good), isWhole: true, color: 'green' }
  if ('name' in value) return { text: clean(value.name) }
  return { text: clean('id' in value ? value.id : value.code), isWhole: true }
}

function clean(value: string | number | undefined): string {
  return shorten(sanitizeForTerminal(String(value ?? '')), MAX_CELL_WIDTH)
}

function shorten(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  let shown = ''
  for (const character of splitCharacters(text)) {
    if (textWidth(shown + character) >= width) break
    shown += character
  }
  return `${shown}…`
}

/** How many cells of a terminal a text takes: East Asian characters and emoji take two. */
function textWidth(text: string): number {
  return splitCharacters(text).reduce((sum, character) => sum + (WIDE.test(character) ? 2 : 1), 0)
}

const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u

const SEGMENTER = new Intl.Segmenter('en')

function splitCharacters(text: string): string[] {
  return Array.from(SEGMENTER.segment(text), ({ segment }) => segment)
}
