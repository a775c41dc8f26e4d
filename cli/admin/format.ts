import { jsonForTerminal, sanitizeForTerminal } from '../sanitize-for-terminal.ts'

/** Longer values are shortened in tables; `--json` has them in full. */
const MAX_CELL_LENGTH = 48 // characters

/** Prints one JSON document. Values from the service cannot control the terminal. */
export function printJson(value: unknown): void {
  process.stdout.write(`${jsonForTerminal(value, 2)}\n`)
}

/** Prints a line. Values from the service cannot control the terminal. */
export function printLine(line: string): void {
  process.stdout.write(`${sanitizeForTerminal(line)}\n`)
}

/** Prints names and values in two columns; absent values are omitted. */
export function printFields(fields: Record<string, unknown>): void {
  const rows = Object.entries(fields).filter(([, value]) => !isEmpty(value))
  const width = Math.max(0, ...rows.map(([name]) => name.length))
  for (const [name, value] of rows) printLine(`  ${name.padEnd(width)}  ${formatValue(value)}`)
}

/** Prints a table, or the text if it has no rows. */
export function printTable(
  headings: readonly string[],
  rows: readonly (readonly unknown[])[],
  emptyText: string,
): void {
  if (rows.length === 0) {
    printLine(emptyText)
    return
  }
  const cells = rows.map((row) => row.map((value) => sanitizeForTerminal(formatCell(value))))
  const widths = headings.map((heading, index) =>
    Math.max(heading.length, ...cells.map((row) => row[index]?.length ?? 0)),
  )
  for (const row of [headings, ...cells]) {
    printLine(`  ${row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('  ')}`.trimEnd())
  }
}

/** Seconds since 1970 as a time in UTC, such as `2026-11-14 09:30:12`. */
export function formatTime(seconds: unknown): string {
  if (typeof seconds !== 'number') return ''
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
}

/** Breaks a text into lines of at most this many characters. */
export function wrap(text: string, width = 76): string {
  return text.replaceAll(new RegExp(`(.{1,${width}})(?: |$)`, 'g'), '$1\n').trimEnd()
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || value === '' || (Array.isArray(value) && !value.length)
  )
}

function formatCell(value: unknown): string {
  const text = formatValue(value)
  return text.length > MAX_CELL_LENGTH ? `${text.slice(0, MAX_CELL_LENGTH - 1)}…` : text
}

function formatValue(value: unknown): string {
  if (isEmpty(value)) return ''
  if (Array.isArray(value)) return value.map(formatValue).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
