import { checkAuditLog, checkWebhook } from './check-audit-log.ts'
import { checkFinalState } from './check-final-state.ts'
import {
  isAcknowledged,
  isInvalidGrant,
  isUnknown,
  type Line,
  latestEnd,
  mayHaveHappened,
  type OfKind,
  type Span,
  type TokenRequest,
} from './history.ts'
import { type End, type Grant, HistoryIndex, type Place, toEnd } from './history-index.ts'
import {
  CHANGE_SPREADS,
  CLOCK_SLACK,
  CLOCK_TOLERANCE,
  CODE_LIFETIME,
  DISPLAY,
  GRACE_PERIOD,
  PUBLISHED_KEYS,
  REGISTRATIONS,
} from './promises.ts'
import { lost, type Violation, violation } from './violation.ts'

/**
 * Returns everything in a history that must not happen, and nothing that could have been right: an
 * answer that was lost may have been carried out or not. It knows nothing but the history.
 */
export function checkHistory(lines: readonly Line[]): Violation[] {
  const history = new HistoryIndex(lines)
  return [
    ...checkCodes(history),
    ...checkAuthorizations(history),
    ...checkGrants(history),
    ...checkDisabledClients(history),
    ...checkSessions(history),
    ...checkTokens(history),
    ...checkKeys(history),
    ...checkBlocks(history),
    ...checkUsers(history),
    ...checkFinalState(history),
    ...checkAuditLog(history),
    ...checkWebhook(history),
  ].toSorted((a, b) => a.at - b.at)
}

function* checkCodes(history: HistoryIndex): Iterable<Violation> {
  for (const [code, requests] of Map.groupBy(history.of('redeem'), ({ sent }) => sent)) {
    const [, second] = requests.filter(isAcknowledged)
    if (second) yield violation('a code was redeemed twice', second, `code ${code}`)
    const opened = history.of('authorize').find((request) => request.code === code)
    if (opened) yield* checkRefusedCode(history, opened, requests)
  }
}

/** A new code is accepted, unless something has ended it. */
function* checkRefusedCode(
  history: HistoryIndex,
  opened: OfKind<'authorize'>,
  requests: readonly TokenRequest[],
): Iterable<Violation> {
  const { session, person, client, code } = opened
  for (const refused of requests.filter(isInvalidGrant)) {
    const isExplained =
      requests.some((other) => other !== refused && other.start < refused.end) ||
      refused.end - opened.start > CODE_LIFETIME - CLOCK_SLACK ||
      isExplainedBy(history.endsOfSession(session, opened, person), refused) ||
      mayBeDisabled(history, client, refused)
    if (!isExplained) yield lost(refused, `code ${code} was refused`)
  }
}

/** A session that has ended gets no codes. */
function* checkAuthorizations(history: HistoryIndex): Iterable<Violation> {
  for (const request of history.of('authorize')) {
    if (!isAcknowledged(request) || request.code === undefined) continue
    const created = history.signIns.get(request.session)
    const ends = history.endsOfSession(request.session, created, request.person)
    yield* checkAccepted(history, request, { ends, created, place: 'session' })
  }
}

function* checkGrants(history: HistoryIndex): Iterable<Violation> {
  for (const grant of history.grants.values()) {
    const ends = history.endsOfGrant(grant)
    for (const request of [...grant.redemptions, ...grant.refreshes].filter(isAcknowledged)) {
      yield* checkAccepted(history, request, { ends, created: grant.opened, place: 'session' })
    }
    for (const request of grant.refreshes) {
      if (isAcknowledged(request)) yield* checkAcceptedRefresh(history, grant, request)
      if (isInvalidGrant(request)) yield* checkRefusedRefresh(history, grant, request)
    }
  }
}

/** A refresh token is accepted again only for a while, and not after its successor was used. */
function* checkAcceptedRefresh(
  history: HistoryIndex,
  { id, refreshes }: Grant,
  request: TokenRequest,
): Iterable<Violation> {
  const generation = history.generationOf(request)
  const earlier = refreshes.filter((other) => other.end < request.start)
  const isSuccessorUsed = earlier.some(
    (other) => isAcknowledged(other) && history.generationOf(other) > generation,
  )
  const same = earlier.filter((other) => history.generationOf(other) === generation)
  const firstSuccess = Math.min(...same.filter(isAcknowledged).map(({ end }) => end))
  // After a response that failed, the client can try again for as long.
  const lastFailure = Math.max(...same.filter(isUnknown).map(({ end }) => end))
  const acceptedUntil = Math.max(firstSuccess, lastFailure) + GRACE_PERIOD + CLOCK_SLACK
  const isTooLate = Number.isFinite(firstSuccess) && request.start > acceptedUntil
  if (isSuccessorUsed || isTooLate) {
    const text = `refresh token ${generation} of grant ${id} was accepted again`
    yield violation('a refresh token lived on after reuse', request, text)
  }
}

/** The newest refresh token is accepted, unless something has ended its grant. */
function* checkRefusedRefresh(
  history: HistoryIndex,
  grant: Grant,
  refused: TokenRequest,
): Iterable<Violation> {
  const generation = history.generationOf(refused)
  const others = grant.refreshes.filter((other) => other !== refused && other.start < refused.end)
  const isReused = others.some((other) => {
    const difference = history.generationOf(other) - generation
    const isLate = refused.end - other.start > GRACE_PERIOD - CLOCK_SLACK
    // An older one that was sent again may have ended the grant, although the answer was lost.
    return difference > 0 || (difference === 0 ? isLate : !isAcknowledged(other))
  })
  const ends = history.endsOfGrant(grant).filter((end) => end.start !== refused.start)
  const isExplained =
    isReused || isExplainedBy(ends, refused) || mayBeDisabled(history, grant.client, refused)
  if (!isExplained) yield lost(refused, `refresh token ${generation} of grant ${grant.id}`)
}

function* checkDisabledClients(history: HistoryIndex): Iterable<Violation> {
  for (const request of history.of('redeem', 'refresh').filter(isAcknowledged)) {
    const isOfClient = ({ client }: { client: string }) => client === request.client
    const disabled = history
      .of('disable-client')
      .filter((change) => isOfClient(change) && isAcknowledged(change))
      .findLast((change) => change.end < request.start)
    if (!disabled) continue
    const isEnabled = history
      .of('enable-client')
      .filter((change) => isOfClient(change) && mayHaveHappened(change))
      .some((change) => latestEnd(change) > disabled.start && change.start < request.end)
    const deadline = history.deadline(disabled, REGISTRATIONS, ['DIRECTORY'])
    if (!isEnabled && request.start > deadline) {
      const text = `${request.kind}: client ${request.client} is disabled`
      yield violation('accepted after its end', request, text)
    }
  }
}

function mayBeDisabled(history: HistoryIndex, client: string, { end }: Span): boolean {
  return history
    .of('disable-client')
    .some((change) => change.client === client && mayHaveHappened(change) && change.start < end)
}

function* checkSessions(history: HistoryIndex): Iterable<Violation> {
  for (const check of history.of('session', 'displayed-session')) {
    const created = history.signIns.get(check.session)
    if (!created || check.isAccepted === undefined) continue
    const promise = { session: check.kind === 'session' ? 0 : DISPLAY }
    const ends = history
      .endsOfSession(check.session, created, check.person)
      .map((end) => ({ ...end, promise }))
    if (check.isAccepted) yield* checkAccepted(history, check, { ends, created, place: 'session' })
    else if (!isExplainedBy(ends, check)) yield lost(check, `session ${check.session}`)
  }
}

function* checkTokens(history: HistoryIndex): Iterable<Violation> {
  for (const check of history.of('userinfo', 'introspect', 'api')) {
    const token = history.tokens.get(check.token)
    if (!token || check.isAccepted === undefined) continue
    const ends = history.endsOfToken(token)
    const tolerance = Math.abs(check.clock ?? 0) * 1000 + CLOCK_SLACK + CLOCK_TOLERANCE
    const expiresAt = token.expiresAt * 1000
    if (check.isAccepted) {
      yield* checkAccepted(history, check, { ends, created: token, place: check.kind })
      const text = `${check.kind}: token ${token.id} has expired`
      if (check.start > expiresAt + tolerance)
        yield violation('accepted after its end', check, text)
      continue
    }
    const isExplained =
      isExplainedBy(ends, check) ||
      check.end > expiresAt - tolerance ||
      haveKeysChanged(history, check)
    if (!isExplained) yield lost(check, `${check.kind}: token ${token.id} was refused`)
  }
}

/** Until it has read them, a verifier does not know new keys. */
function haveKeysChanged(history: HistoryIndex, { start, end }: Span): boolean {
  return history
    .of('rotate-keys', 'revoke-keys')
    .some(
      (change) =>
        mayHaveHappened(change) && change.start < end && start < latestEnd(change) + CHANGE_SPREADS,
    )
}

/** The bindings without which nobody learns of an end. */
const NEEDED = ['REVOCATIONS', 'KEYRING', 'DIRECTORY']

/** What was created before an end must not be accepted after the deadline of the end. */
function* checkAccepted(
  history: HistoryIndex,
  accepted: Span & { kind: string },
  { ends, created, place }: { ends: readonly End[]; created: Span | undefined; place: Place },
): Iterable<Violation> {
  const end = ends.find(
    (each) =>
      each.isAcknowledged &&
      created !== undefined &&
      each.start > created.end &&
      accepted.start > history.deadline(each, each.promise?.[place] ?? 0, NEEDED),
  )
  if (!end) return
  const isReuse = end.what.startsWith('its code') || end.what.startsWith('a refresh token')
  const rule = isReuse ? 'a refresh token lived on after reuse' : 'accepted after its end'
  const seconds = ((accepted.start - end.end) / 1000).toFixed(1)
  yield violation(rule, accepted, `${accepted.kind}, ${seconds} s after: ${end.what}`)
}

/** A revoked key is not published. */
function* checkKeys(history: HistoryIndex): Iterable<Violation> {
  const lists = history.of('jwks')
  for (const revocation of history.of('revoke-keys').filter(isAcknowledged)) {
    const revoked = lists.filter(({ end }) => end < revocation.start).flatMap(({ kids }) => kids)
    const deadline = history.deadline(toEnd(revocation), PUBLISHED_KEYS, ['KEYRING'])
    for (const list of lists.filter(({ start }) => start > deadline)) {
      const kid = list.kids.find((published) => revoked.includes(published))
      const text = `the revoked key ${kid} is published`
      if (kid !== undefined) yield violation('accepted after its end', list, text)
    }
  }
}

/** A blocked user opens no session. */
function* checkBlocks(history: HistoryIndex): Iterable<Violation> {
  for (const signIn of history.of('sign-in').filter(isAcknowledged)) {
    const isOfPerson = ({ person }: { person: string }) => person === signIn.person
    const block = history
      .of('block')
      .filter((change) => isOfPerson(change) && isAcknowledged(change))
      .findLast((change) => change.end < signIn.start)
    if (!block) continue
    const isUnblocked = history
      .of('unblock')
      .filter((change) => isOfPerson(change) && mayHaveHappened(change))
      .some((change) => latestEnd(change) > block.start && change.start < signIn.end)
    const text = `${signIn.person} signed in while blocked`
    if (!isUnblocked) yield violation('accepted after its end', signIn, text)
  }
}

/** Every sign-in of a person leads to the same user, whom no other person has. */
function* checkUsers(history: HistoryIndex): Iterable<Violation> {
  const owners = new Map<string, string>()
  for (const token of history.tokens.values()) {
    const owner = owners.get(token.sub) ?? token.person
    owners.set(token.sub, owner)
    if (owner !== token.person || history.subjects.get(token.person) !== token.sub)
      yield lost(token, `${token.person} is another user`)
  }
}

function isExplainedBy(ends: readonly End[], { end }: Span): boolean {
  return ends.some((cause) => cause.start < end)
}
