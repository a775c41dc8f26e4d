import type { StorageReport } from './storage-report.ts'

/** What was stored at several times. */
export interface Growth {
  users: number
  /** Days after the last visit, for each report of `later`. */
  days: readonly number[]
  empty: StorageReport
  before: StorageReport
  after: StorageReport
  later: readonly StorageReport[]
}

/** Something that is stored, and what removes it. */
interface GrowthItem {
  name: string
  count: (report: StorageReport) => number
  /** What the day adds, if it is not what is there at its end. */
  added?: (report: StorageReport) => number
  /** It depends on the hours that have passed, and not on the number of users. */
  isConstant?: boolean
  /** It stays when nobody comes any more. */
  isLeft?: boolean
  removedBy: string
}

const MILLION = 1_000_000

export const GROWTH_ITEMS: readonly GrowthItem[] = [
  {
    name: 'D1: rows of `users` and `accounts`',
    count: ({ tables }) => (tables['users'] ?? 0) + (tables['accounts'] ?? 0),
    isLeft: true,
    removedBy: 'the user, an administrator or the platform',
  },
  {
    name: 'D1: rows of `audit`',
    count: ({ tables }) => tables['audit'] ?? 0,
    removedBy: 'later entries, after `AUTH_AUDIT_DAYS` and above five million',
  },
  {
    name: 'D1: rows of `counters` and `audit_marks`',
    count: ({ tables }) => (tables['counters'] ?? 0) + (tables['audit_marks'] ?? 0),
    isConstant: true,
    isLeft: true,
    removedBy: 'later entries, as in `audit`',
  },
  {
    name: 'KV: copies of sessions',
    count: ({ copies }) => copies.present,
    added: ({ copies }) => copies.written,
    removedBy: 'KV, after an hour',
  },
  {
    name: '`UserObject`: objects',
    count: ({ objects }) => objects['USERS']?.objects ?? 0,
    removedBy: 'its alarm, when nothing is left in it',
  },
  {
    name: '`UserObject`: records',
    count: ({ objects }) => objects['USERS']?.records ?? 0,
    removedBy: 'its alarm, when they expire',
  },
  {
    name: '`RevocationsObject`: entries',
    count: ({ objects }) => objects['REVOCATIONS']?.records ?? 0,
    removedBy: 'its alarm, when the last token has expired',
  },
  {
    name: '`KeyringObject`: keys',
    count: ({ objects }) => objects['KEYRING']?.records ?? 0,
    isConstant: true,
    isLeft: true,
    removedBy: 'its alarm, a month after they have signed last',
  },
]

/** A table for docs/storage.md. */
export function describeGrowth(growth: Growth): string {
  const { users, days, empty, before, after, later } = growth
  const header = [
    '',
    'a million users have',
    'a day adds',
    ...days.map((day) => `after ${day} day${day === 1 ? '' : 's'}`),
    'removed by',
  ]
  const rows = GROWTH_ITEMS.map(({ name, count, added = count, isConstant, removedBy }) => {
    const factor = isConstant ? 1 : MILLION / users
    const amount = (report: StorageReport) => round((count(report) - count(empty)) * factor)
    const ofDay = round((added(after) - added(before)) * factor)
    return [name, amount(before), ofDay, ...later.map(amount), removedBy]
  })
  const perEntry = growthPerEntry(growth)
  const perUser = (before.directoryBytes - empty.directoryBytes) / users - perEntry
  const objects = before.objects['USERS']
  const bytesPerObject = (objects?.bytes ?? 0) / Math.max(1, objects?.objects ?? 0)
  return [
    row(header),
    row(header.map((_, index) => (index === 0 || index === header.length - 1 ? '---' : '---:'))),
    ...rows.map(row),
    '',
    `A user takes ${kilobytes(perUser)} in D1 and ${kilobytes(bytesPerObject)} in their object, an entry of the audit log ${kilobytes(perEntry)}, and the copy of a session ${kilobytes(after.copies.bytesWritten / after.copies.written)}.`,
    '',
  ].join('\n')
}

/** The day adds hardly anything else to D1. */
function growthPerEntry({ before, after }: Growth): number {
  const entries = (after.tables['audit'] ?? 0) - (before.tables['audit'] ?? 0)
  return (after.directoryBytes - before.directoryBytes) / Math.max(1, entries)
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

/** To three digits. */
function round(count: number): string {
  return Number(count.toPrecision(3)).toLocaleString('en-US')
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}
