import type { RecordedEntry } from '../../../core/audit/audit-entry.ts'

/** The headings of the columns, and the properties of the entries in them. */
const COLUMNS = {
  time: 'at',
  event: 'event',
  outcome: 'outcome',
  actor: 'actor',
  subject: 'subject',
  client: 'client',
  provider: 'provider',
  network: 'network',
  reference: 'requestId',
  detail: 'detail',
} as const

/** One line per entry (RFC 4180), with the time in UTC. */
export function formatCsv(entries: readonly RecordedEntry[]): string {
  const lines = entries.map((entry) =>
    Object.values(COLUMNS)
      .map((name) =>
        name === 'at' ? new Date(entry.at * 1000).toISOString() : formatCell(entry[name] ?? ''),
      )
      .join(),
  )
  return [Object.keys(COLUMNS).join(), ...lines, ''].join('\r\n')
}

/** Requests choose some texts, and spreadsheets run those that begin like a formula. */
function formatCell(text: string): string {
  const inert = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return `"${inert.replaceAll('"', '""')}"`
}
