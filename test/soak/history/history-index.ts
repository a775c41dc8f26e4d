import {
  type Authorization,
  type Exchange,
  type IssuedToken,
  isAcknowledged,
  isInvalidGrant,
  isUnknown,
  type Line,
  latestEnd,
  mayHaveHappened,
  type OfKind,
  type SignIn,
  type Span,
  type TokenCheck,
  type TokenRequest,
} from './history.ts'
import { CHANGE_SPREADS, CLOCK_SLACK, FEED, REGISTRATIONS, RETRY_DELAY } from './promises.ts'

/** Where something can be presented. */
export type Place = TokenCheck['kind'] | 'session'

/** Something that ends a session, a grant or a token, if it was carried out. */
export interface End extends Span {
  what: string
  isAcknowledged: boolean
  /** For how long it may still be accepted, by where it is presented. At once if absent. */
  promise?: Partial<Record<Place, number>>
}

/** A grant, as far as responses show it. */
export interface Grant {
  id: string
  person: string
  client: string
  /** The session that it was made in, and the request that made it. */
  session?: string
  opened?: Authorization
  /** Every request with its code, and with one of its refresh tokens. */
  redemptions: TokenRequest[]
  refreshes: TokenRequest[]
}

export interface KnownToken extends IssuedToken, Span {
  person: string
}

/** The lines of a history, and how they belong together. */
export class HistoryIndex {
  readonly #byKind: Map<string, Line[]>
  readonly grants = new Map<string, Grant>()
  readonly tokens = new Map<string, KnownToken>()
  readonly signIns = new Map<string, SignIn>()
  /** The id of each person at the service. */
  readonly subjects = new Map<string, string>()
  /** When the last request has ended. */
  readonly end: number
  readonly #grantOf = new Map<string, Grant>()
  readonly #generations = new Map<string, number>()
  readonly #sessionOfSid = new Map<string, string>()
  readonly #keysSeenAt = new Map<string, number>()

  constructor(lines: readonly Line[]) {
    this.#byKind = Map.groupBy(lines, ({ kind }) => kind)
    this.end = lines.reduce((last, line) => Math.max(last, 'end' in line ? line.end : 0), 0)
    for (const { person, sub } of this.of('final-user')) this.subjects.set(person, sub)
    for (const signIn of this.of('sign-in')) this.signIns.set(signIn.session, signIn)
    for (const request of this.of('redeem')) this.#addRedemption(request)
    for (const request of this.of('redeem')) {
      this.#grantOf.get(request.sent)?.redemptions.push(request)
    }
    for (const request of this.of('refresh')) this.#addRefresh(request)
    for (const request of this.of('authorize')) {
      const grant = this.#grantOf.get(request.code ?? '')
      if (grant) Object.assign(grant, { session: request.session, opened: request })
    }
    for (const { issued, session, ...request } of this.of('session')) {
      if (!issued) continue
      this.#addToken(request, issued)
      this.#sessionOfSid.set(issued.sid, session)
    }
    this.#seeKeys()
  }

  of<Kind extends Line['kind']>(...kinds: Kind[]): OfKind<Kind>[] {
    const [only = ''] = kinds
    const lines =
      kinds.length === 1
        ? (this.#byKind.get(only) ?? [])
        : kinds
            .flatMap((kind) => this.#byKind.get(kind) ?? [])
            .toSorted((a, b) => startOf(a) - startOf(b))
    return lines as unknown as OfKind<Kind>[]
  }

  /** How often the refresh token of a request had been replaced, as far as responses show it. */
  generationOf({ sent }: TokenRequest): number {
    return this.#generations.get(sent) ?? 0
  }

  #addRedemption(request: TokenRequest): void {
    const { person, client, sent, issued, refreshToken } = request
    if (!issued?.grant) return
    const id = issued.grant
    const grant = this.grants.get(id) ?? { id, person, client, redemptions: [], refreshes: [] }
    this.grants.set(id, grant)
    this.#grantOf.set(sent, grant)
    this.#addToken(request, issued)
    if (refreshToken !== undefined) this.#addRefreshToken(grant, refreshToken, 1)
  }

  #addRefresh(request: TokenRequest): void {
    const grant = this.#grantOf.get(request.sent)
    if (!grant) return
    grant.refreshes.push(request)
    if (request.issued) this.#addToken(request, request.issued)
    const { refreshToken } = request
    if (refreshToken === undefined) return
    this.#addRefreshToken(grant, refreshToken, this.generationOf(request) + 1)
  }

  #addRefreshToken(grant: Grant, refreshToken: string, generation: number): void {
    this.#grantOf.set(refreshToken, grant)
    this.#generations.set(refreshToken, generation)
  }

  #addToken({ start, end, person }: Span & { person: string }, issued: IssuedToken): void {
    this.tokens.set(issued.id, { ...issued, start, end, person })
    if (!this.subjects.has(person)) this.subjects.set(person, issued.sub)
  }

  #seeKeys(): void {
    const published = this.of('jwks').flatMap(({ kids, end }) => kids.map((kid) => ({ kid, end })))
    for (const { kid, end } of [...published, ...this.tokens.values()]) {
      this.#keysSeenAt.set(kid, Math.min(end, this.#keysSeenAt.get(kid) ?? end))
    }
  }

  /**
   * Whatever may have ended a session, or what was made in it by a request. What was over before that
   * cannot have, unless clocks differ.
   */
  endsOfSession(session: string, opened: Span | undefined, person: string): End[] {
    const signOuts = this.of('sign-out').filter((request) => request.session === session)
    const endsOfPerson = this.of('block', 'end-sessions', 'disconnect').filter(
      (request) =>
        request.person === person && latestEnd(request) + CLOCK_SLACK > (opened?.start ?? 0),
    )
    return [...signOuts, ...endsOfPerson].filter(mayHaveHappened).map(toEnd)
  }

  endsOfGrant({ id, person, session, opened, redemptions, refreshes }: Grant): End[] {
    const revocations = this.of('revoke').filter((request) => request.grant === id)
    return [
      ...this.endsOfSession(session ?? '', opened, person),
      ...revocations.filter(mayHaveHappened).map(toEnd),
      ...redemptions.filter(isInvalidGrant).map(toReuse),
      ...refreshes.filter(isInvalidGrant).map(toReuse),
      // A second use of the code may have ended the grant, although the answer was lost.
      ...redemptions.filter(isUnknown).map(toEnd),
    ]
  }

  /** Whatever may have ended a token: its grant or session, its key, its client, or a role. */
  endsOfToken(token: KnownToken): End[] {
    const grant = this.grants.get(token.grant ?? '')
    const session = this.#sessionOfSid.get(token.sid) ?? ''
    const ends = [
      ...(grant
        ? this.endsOfGrant(grant)
        : this.endsOfSession(session, this.signIns.get(session), token.person)),
      ...this.#keyRevocations(token),
      ...this.#clientChanges(token),
      ...this.#takenRoles(token),
    ]
    return ends.map((end) => ({ ...end, promise: { api: FEED, ...end.promise } }))
  }

  /** A key that was seen before a revocation is revoked by it. */
  #keyRevocations({ kid }: KnownToken): End[] {
    const seenAt = this.#keysSeenAt.get(kid) ?? Number.POSITIVE_INFINITY
    return this.of('revoke-keys')
      .filter((request) => mayHaveHappened(request) && seenAt < request.start)
      .map((request) => ({ ...toEnd(request), promise: OWN_ENDPOINTS }))
  }

  /** Tokens from before are revoked; those that are issued meanwhile may be. */
  #clientChanges({ client, start, end }: KnownToken): End[] {
    return this.of('disable-client', 'enable-client')
      .filter((request) => request.client === client && mayHaveHappened(request))
      .filter((request) => latestEnd(request) + CHANGE_SPREADS > start)
      .map((request) => ({
        ...toEnd(request),
        isAcknowledged:
          request.kind === 'disable-client' && isAcknowledged(request) && request.start > end,
        promise: OWN_ENDPOINTS,
      }))
  }

  /** Only APIs reject the tokens: the grants continue. */
  #takenRoles({ person, start, end }: KnownToken): End[] {
    return this.of('take-role')
      .filter((request) => request.person === person && mayHaveHappened(request))
      .filter((request) => latestEnd(request) + CLOCK_SLACK > start)
      .map((request) => ({
        ...toEnd(request),
        isAcknowledged: isAcknowledged(request) && request.start > end,
        promise: { userinfo: Number.POSITIVE_INFINITY, introspect: Number.POSITIVE_INFINITY },
      }))
  }

  /**
   * When an end must have taken effect. While the service is down or one of these bindings fails,
   * nobody may learn of it, so the time begins again afterwards.
   */
  deadline(end: Span, promise: number, bindings: readonly string[]): number {
    if (promise === 0) return end.end
    const faults = this.of('fault').filter(({ binding }) => bindings.includes(binding))
    const outages = [...this.of('kill'), ...faults].toSorted((a, b) => a.start - b.start)
    return outages.reduce((deadline, outage) => {
      const isInTheWay = outage.start < deadline && outage.end > end.start
      return isInTheWay ? Math.max(deadline, outage.end + RETRY_DELAY + promise) : deadline
    }, end.end + promise)
  }
}

const OWN_ENDPOINTS = { userinfo: REGISTRATIONS, introspect: REGISTRATIONS }

function startOf(line: Line): number {
  return 'start' in line ? line.start : 0
}

export function toEnd(request: Exchange & { kind: string }): End {
  const { start, end, kind } = request
  return { start, end, what: kind, isAcknowledged: isAcknowledged(request) }
}

/** A refusal means that the grant has ended, at the latest by this request. */
function toReuse(request: TokenRequest): End {
  const what = request.kind === 'redeem' ? 'its code was used again' : 'a refresh token was refused'
  return { ...toEnd(request), what, isAcknowledged: true }
}
