import { type Exchange, isAcknowledged, latestEnd, mayHaveHappened } from './history.ts'
import type { HistoryIndex } from './history-index.ts'
import { lost, type Violation } from './violation.ts'

/** What the last changes have written is there at the end. */
export function* checkFinalState(history: HistoryIndex): Iterable<Violation> {
  const atEnd = { start: history.end, end: history.end }
  for (const user of history.of('final-user')) {
    for (const text of wrongFieldsOfUser(history, user)) yield lost(atEnd, text)
  }
  for (const { client, name, isDisabled } of history.of('final-client')) {
    const isOfClient = (change: { client: string }) => change.client === client
    const names = history.of('rename-client').filter(isOfClient)
    if (names.length > 0 && !lastWrites(names, undefined, (change) => change.name).has(name))
      yield lost(atEnd, `the name of client ${client}`)
    const states = history.of('disable-client', 'enable-client').filter(isOfClient)
    const possible = lastWrites(states, false, ({ kind }) => kind === 'disable-client')
    if (!possible.has(isDisabled))
      yield lost(atEnd, `client ${client} is ${isDisabled ? '' : 'not '}disabled`)
  }
}

function* wrongFieldsOfUser(
  history: HistoryIndex,
  { person, isBlocked, roles }: { person: string; isBlocked: boolean; roles: readonly string[] },
): Iterable<string> {
  const isOfPerson = (change: { person: string }) => change.person === person
  const blocks = history.of('block', 'unblock').filter(isOfPerson)
  if (!lastWrites(blocks, false, ({ kind }) => kind === 'block').has(isBlocked))
    yield `${person} is ${isBlocked ? '' : 'not '}blocked`
  const changes = history.of('give-role', 'take-role').filter(isOfPerson)
  for (const [role, group] of Map.groupBy(changes, (change) => change.role)) {
    const possible = lastWrites(group, false, ({ kind }) => kind === 'give-role')
    if (!possible.has(roles.includes(role))) yield `the role ${role} of ${person}`
  }
}

/** What a value can be after these writes: that of one that no acknowledged write came after. */
export function lastWrites<Write extends Exchange, Value>(
  writes: readonly Write[],
  initial: Value,
  read: (write: Write) => Value,
): Set<Value> {
  const isReplaced = (end: number) =>
    writes.some((other) => isAcknowledged(other) && other.start > end)
  const possible = writes.filter((write) => mayHaveHappened(write) && !isReplaced(latestEnd(write)))
  const values = new Set(possible.map(read))
  if (!isReplaced(Number.NEGATIVE_INFINITY)) values.add(initial)
  return values
}
