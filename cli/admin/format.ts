import { jsonForTerminal, sanitizeForTerminal } from '../sanitize-for-terminal.ts'

type Resource = Record<string, unknown>

/** Prints one JSON document. Values from the service cannot control the terminal. */
export function printJson(value: unknown): void {
  process.stdout.write(`${jsonForTerminal(value, 2)}\n`)
}

/** Prints a line. Values from the service cannot control the terminal. */
export function printLine(line: string): void {
  process.stdout.write(`${sanitizeForTerminal(line)}\n`)
}

/** Prints names and values in two columns; absent values are omitted. */
export function printFields(fields: Resource): void {
  const rows = Object.entries(withTimes(fields)).filter(([, value]) => !isEmpty(value))
  const width = Math.max(0, ...rows.map(([name]) => name.length))
  for (const [name, value] of rows) printLine(`  ${name.padEnd(width)}  ${formatValue(value)}`)
}

/** A resource of the API with its times in UTC. They are named `at`, `…_at` or `since`. */
function withTimes(resource: Resource): Resource {
  return Object.fromEntries(
    Object.entries(resource).map(([name, value]) => [
      name,
      typeof value === 'number' && /(^|_)(at|since)$/.test(name) ? formatTime(value) : value,
    ]),
  )
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

function formatValue(value: unknown): string {
  if (isEmpty(value)) return ''
  if (Array.isArray(value)) return value.map(formatValue).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
