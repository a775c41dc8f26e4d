import { styleText } from 'node:util'
import { sanitizeForTerminal } from '../sanitize-for-terminal.ts'
import type { Resource } from './admin-api.ts'
import { formatTime } from './format.ts'

/** Prints an entry of the audit log. */
export function printEntry(entry: Resource): void {
  process.stdout.write(`${formatEntry(entry)}\n`)
}

/**
 * An entry in two lines: when and what has happened, as the console says it, and then the values by
 * which it is found. Values from the service cannot control the terminal.
 */
export function formatEntry(entry: Resource): string {
  const { at, event, outcome, actor, subject, client, provider } = entry
  const { network, request_id, detail } = entry
  // A service that is older than this command sends no sentences.
  const { sentence = event, reason } = entry
  const isFailure = outcome !== 'ok'
  const text = sanitizeForTerminal(String(sentence))
  const why = reason === undefined ? '' : `: ${lowerFirst(sanitizeForTerminal(String(reason)))}`
  const ids = new Set([actor, subject, client].filter((id) => id !== 'anonymous'))
  const values = [event, isFailure && outcome, ...ids, provider, network, request_id, detail]
  const known = values.filter((value) => typeof value === 'string').map(sanitizeForTerminal)
  const time = formatTime(at)
  const line = isFailure ? styleText('red', `✗ ${text}${why}`) : `${markOf(entry)} ${text}`
  return `${time}  ${line}\n${' '.repeat(time.length + 4)}${styleText('gray', known.join('  '))}`
}

function markOf({ event, is_warning: isWarning }: Resource): string {
  if (isWarning === true) return styleText('yellow', '!')
  return event === 'sign_in' ? styleText('green', '✓') : '·'
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
