import { lastWrites } from './check-final-state.ts'
import {
  type AuditRecord,
  isAcknowledged,
  latestEnd,
  mayHaveHappened,
  type OfKind,
} from './history.ts'
import type { HistoryIndex } from './history-index.ts'
import { type Violation, violation } from './violation.ts'

/** The changes that are acknowledged only after their entry was written. */
const RECORDED = {
  'sign-in': 'sign_in',
  block: 'user_blocked',
  unblock: 'user_unblocked',
  'end-sessions': 'sessions_ended',
  'give-role': 'roles_given',
  'take-role': 'roles_taken',
  'disable-client': 'client_disabled',
  'enable-client': 'client_enabled',
  'rename-client': 'client_updated',
} as const

const KINDS = Object.keys(RECORDED) as (keyof typeof RECORDED)[]
const EVENTS: readonly string[] = Object.values(RECORDED)

type Change = OfKind<keyof typeof RECORDED>

/** Every change is recorded exactly once; if its answer was lost, at most once. */
export function* checkAuditLog(history: HistoryIndex): Iterable<Violation> {
  const entries = history.of('audit').filter(isSuccess)
  if (entries.length === 0) return
  const atEnd = { start: history.end, end: history.end }
  const byKey = Map.groupBy(entries, keyOfEntry)
  for (const [key, { length }] of byKey) {
    if (length > 1) yield wrong(atEnd, `recorded ${length} times: ${key}`)
  }
  const changes = history.of(...KINDS)
  for (const change of changes.filter(isAcknowledged)) {
    if (byKey.has(keyOfChange(history, change)) || mayHaveDoneNothing(history, change)) continue
    yield wrong(change, `not recorded: ${keyOfChange(history, change)}`)
  }
  yield* checkUnexplained(history, entries, changes)
}

/** An entry whose request is unknown belongs to an answer that was lost. */
function* checkUnexplained(
  history: HistoryIndex,
  entries: readonly AuditRecord[],
  changes: readonly Change[],
): Iterable<Violation> {
  const known = new Set(changes.map((change) => keyOfChange(history, change)))
  const unexplained = entries.filter(
    (entry) =>
      EVENTS.includes(entry.event) && !isOfPlatform(entry) && !known.has(keyOfEntry(entry)),
  )
  const lostAnswers = changes.filter(({ request }) => request === undefined)
  for (const [name, { length }] of Map.groupBy(unexplained, nameOfEntry)) {
    const possible = lostAnswers.filter((change) => nameOfChange(history, change) === name)
    if (length > possible.length)
      yield wrong(
        { start: history.end, end: history.end },
        `${name}: ${length} entries, and ${possible.length} requests without an answer`,
      )
  }
}

/** What webhooks are notified of. */
const NOTIFIED: readonly string[] = [
  ...['sign_in', 'sign_out', 'sessions_ended', 'user_blocked', 'user_unblocked', 'user_deleted'],
  ...['account_linked', 'account_unlinked', 'consent_granted', 'consent_withdrawn'],
]

/** Every entry is delivered at least once, and nothing else. */
export function* checkWebhook(history: HistoryIndex): Iterable<Violation> {
  const atEnd = { start: history.end, end: history.end }
  const deliveries = history.of('delivery')
  const accepted = new Set(deliveries.filter(({ isAccepted }) => isAccepted).map(({ id }) => id))
  for (const { id, event, subject } of history.of('audit')) {
    if (NOTIFIED.includes(event) && !accepted.has(id))
      yield violation('the webhook was not notified', atEnd, `${event} of ${subject}: ${id}`)
  }
  const recorded = new Set(history.of('audit').map(({ id }) => id))
  for (const id of new Set(deliveries.map((delivery) => delivery.id))) {
    if (!recorded.has(id)) yield wrong(atEnd, `delivered, but not recorded: ${id}`)
  }
}

/** A role that the user already has, and a client that is already disabled, change nothing. */
function mayHaveDoneNothing(history: HistoryIndex, change: Change): boolean {
  if (change.kind === 'give-role' || change.kind === 'take-role') {
    const others = history
      .of('give-role', 'take-role')
      .filter(({ person, role }) => person === change.person && role === change.role)
    return mayBeSoBefore(others, change, 'take-role')
  }
  if (change.kind === 'disable-client' || change.kind === 'enable-client') {
    const others = history
      .of('disable-client', 'enable-client')
      .filter(({ client }) => client === change.client)
    return mayBeSoBefore(others, change, 'enable-client')
  }
  // The user of a sign-in whose answers were all lost is unknown.
  return 'person' in change && !history.subjects.has(change.person)
}

/** Whether the last change before this one, or one at the same time, may have been the same. */
function mayBeSoBefore(
  others: readonly Change[],
  change: Change,
  initial: Change['kind'],
): boolean {
  const before = others.filter((other) => other.end < change.start)
  const together = others.filter(
    (other) => other !== change && latestEnd(other) >= change.start && other.start < change.end,
  )
  const possible = lastWrites(before, initial, ({ kind }) => kind)
  for (const other of together.filter(mayHaveHappened)) possible.add(other.kind)
  return possible.has(change.kind)
}

function keyOfEntry(entry: AuditRecord): string {
  return `${nameOfEntry(entry)} ${entry.request_id ?? entry.id}`
}

function keyOfChange(history: HistoryIndex, change: Change): string {
  return `${nameOfChange(history, change)} ${change.request ?? ''}`
}

function nameOfEntry({ event, subject }: AuditRecord): string {
  return `${event} ${subject}`
}

function nameOfChange(history: HistoryIndex, change: Change): string {
  const subject = 'person' in change ? history.subjects.get(change.person) : change.client
  return `${RECORDED[change.kind]} ${subject}`
}

function isSuccess({ outcome }: AuditRecord): boolean {
  return outcome === 'ok'
}

/** A disconnection by the platform is recorded after its answer, as sessions that have ended. */
function isOfPlatform({ detail }: AuditRecord): boolean {
  return detail === 'authorization removed at the provider'
}

function wrong(at: { start: number; end: number }, message: string): Violation {
  return violation('the audit log is wrong', at, message)
}
