import { setTimeout } from 'node:timers/promises'
import { FAILED } from '../src/core/audit/audit-entry.ts'
import { nowInSeconds } from '../src/foundation/values/clock.ts'
import { AdminApi, type Resource } from './admin/admin-api.ts'
import { printEntry } from './admin/audit-entries.ts'
import { CONNECTION_OPTIONS } from './admin/connection.ts'
import { printJson, printLine } from './admin/format.ts'
import { LIMIT_OPTION, parseLimit, reportIfCut } from './admin/limit.ts'
import { operationHelp } from './admin/operation-help.ts'
import { defineCommand } from './command.ts'
import { jsonForTerminal } from './sanitize-for-terminal.ts'

/** What fits on a screen. */
const DEFAULT_LIMIT = 50 // entries

const FOLLOW_INTERVAL = 3000 // milliseconds

const SECONDS = { s: 1, m: 60, h: 3600, d: 24 * 3600 } as const

/** Prints entries of the audit log. */
export const audit = defineCommand({
  summary: `${operationHelp('listAuditEntries').summary}, the newest last`,
  details: `Each entry has the time in UTC and a sentence: ✓ a sign-in, ✗ one that failed and why, ! what may be an attack.
Below it are the values by which entries are found: the event and its outcome, who caused it and what it is about, the
client, the network, the reference in the log, and details.`,
  options: {
    since: {
      type: 'string',
      value: 'TIME',
      help: `everything since 30m, 1h, 7d or 2026-11-14T09:30Z; without it, the last ${DEFAULT_LIMIT} entries`,
    },
    until: { type: 'string', value: 'TIME', help: 'nothing later than this' },
    subject: {
      type: 'string',
      value: 'ID',
      help: 'only entries about usr_…, a client_id, the identifier of an API, or a key',
    },
    event: {
      type: 'string',
      value: 'EVENT',
      help: 'only this event, such as sign_in, or changes of administrators',
    },
    outcome: {
      type: 'string',
      value: 'OUTCOME',
      help: 'only this outcome: ok, or an error code such as access_denied',
    },
    failed: { type: 'boolean', help: 'only outcomes other than ok' },
    actor: {
      type: 'string',
      value: 'ID',
      help: 'only what usr_…, client:<client_id>, anonymous or service did',
    },
    client: { type: 'string', value: 'CLIENT_ID', help: 'only entries with this client' },
    provider: { type: 'string', value: 'ID', help: 'only entries with this provider' },
    network: {
      type: 'string',
      value: 'IP',
      help: 'only entries from the network of this IP address, or from this network',
    },
    reference: { type: 'string', value: 'REFERENCE', help: 'only entries with this reference' },
    ...LIMIT_OPTION,
    follow: {
      type: 'boolean',
      help: 'continue to print new entries until Ctrl-C; with --json, one object per line',
    },
    ...CONNECTION_OPTIONS,
  },
  async run({ values, rejectUsage }) {
    const { subject, event, failed, actor, client, provider, network, follow } = values
    if (failed && values.outcome !== undefined)
      rejectUsage('--failed and --outcome exclude each other.')
    const outcome = failed ? FAILED : values.outcome
    if (follow && values.until !== undefined)
      rejectUsage('--follow and --until exclude each other.')
    const since = parseTime(values.since, rejectUsage)
    const until = parseTime(values.until, rejectUsage)
    const limit =
      parseLimit(values.limit, rejectUsage) ?? (since === undefined ? DEFAULT_LIMIT : Infinity)
    const api = await AdminApi.open(values)
    const request_id = values.reference
    const filter = { subject, event, outcome, actor, client, provider, network, request_id }
    const list = await api.listUpTo(limit, 'listAuditEntries', { ...filter, since, until })
    const entries = list.items.reverse() // the API returns the newest first
    if (!follow) {
      if (values.json) printJson(entries)
      else if (entries.length === 0) printLine('No entries.')
      else entries.forEach(printEntry)
      return reportIfCut(list)
    }
    const print = values.json ? printEntryAsJson : printEntry
    entries.forEach(print)
    reportIfCut(list)
    await followEntries(api, filter, entries, print)
  },
})

/** Runs until the process is ended. */
async function followEntries(
  api: AdminApi,
  filter: Record<string, string | undefined>,
  printed: readonly Resource[],
  print: (entry: Resource) => void,
): Promise<void> {
  // Entries of one second may be written after one of them was read, so each second is read twice.
  let since = Number(printed.at(-1)?.['at'] ?? nowInSeconds())
  let known = new Set(printed.map(({ id }) => id))
  while (true) {
    await setTimeout(FOLLOW_INTERVAL)
    const entries = await api.list('listAuditEntries', { ...filter, since })
    entries.reverse()
    for (const entry of entries.filter(({ id }) => !known.has(id))) print(entry)
    known = new Set(entries.map(({ id }) => id))
    since = Number(entries.at(-1)?.['at'] ?? since)
  }
}

function printEntryAsJson(entry: Resource): void {
  process.stdout.write(`${jsonForTerminal(entry)}\n`)
}

/** Seconds since 1970, from a duration before now or a date. */
function parseTime(
  text: string | undefined,
  rejectUsage: (message: string) => never,
): number | undefined {
  if (text === undefined) return undefined
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (count !== undefined && unit !== undefined) {
    return nowInSeconds() - Number(count) * SECONDS[unit as keyof typeof SECONDS]
  }
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) {
    rejectUsage(`${text} is not a time: use 30m, 1h, 7d, or a date such as 2026-11-14T09:30Z.`)
  }
  return Math.floor(time / 1000)
}
