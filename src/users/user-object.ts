import { DurableObject } from 'cloudflare:workers'
import { seconds } from '../clock.ts'
import { Consents } from '../grants/consents.ts'
import type { GrantTerms } from '../grants/grant.ts'
import {
  GrantLedger,
  type Redeemed,
  type Redemption,
  type Rotated,
  type Rotation,
} from '../grants/grants.ts'
import { tellClient } from './back-channel-logout.ts'
import { LogoutOutbox } from './logout-outbox.ts'
import { migrate } from './migrate.ts'
import { freshTokens, giveBack, type PlatformToken } from './platform-token.ts'
import { SCHEMA, type Tables } from './schema.ts'
import {
  type AccountName,
  type Belongings,
  type Consent,
  type Demand,
  type Granting,
  nameOfAccount,
  type Session,
  type SessionOpening,
  type Upstream,
} from './session.ts'
import { dropCopy } from './session-cache.ts'
import { type Ended, SessionLedger } from './sessions.ts'
import type { UserRecord } from './user.ts'

/** As long as a sign-in may take. */
const TEN_MINUTES = 600 // seconds

/** Before an alarm that failed tries again. */
const ONE_HOUR = 3_600_000 // milliseconds

/**
 * One person's sessions, grants and consents, on one thread: each decision is made here, in one breath.
 * Whatever stands elsewhere is a copy.
 */
export class UserObject extends DurableObject<Env> {
  #hasTables = false
  readonly #sessions: SessionLedger
  readonly #grants: GrantLedger
  readonly #outbox: LogoutOutbox
  readonly #consents: Consents
  /** By provider: what one answers is no other's business. */
  readonly #refreshing = new Map<string, ReturnType<UserObject['platformToken']>>()

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    const { kv } = ctx.storage
    const sql = this.#tables()
    this.#sessions = new SessionLedger(sql)
    this.#grants = new GrantLedger(sql)
    this.#outbox = new LogoutOutbox(sql)
    this.#consents = new Consents(kv)
  }

  /** The tables, made when they are needed: an object that has been emptied may live on in memory. */
  #tables(): Tables {
    const { storage } = this.ctx
    const exec = (...statement: Parameters<SqlStorage['exec']>) => {
      if (!this.#hasTables) migrate(storage, SCHEMA)
      this.#hasTables = true
      return storage.sql.exec(...statement)
    }
    return { exec: exec as SqlStorage['exec'] }
  }

  /** Opens a session, unless its attempt has already led to one. */
  async openSession(opening: SessionOpening): Promise<Session | undefined> {
    if (this.#erasedUntil() !== undefined) return undefined
    const session = this.#sessions.open(opening)
    if (!session) return undefined
    const { user, upstream } = opening
    this.ctx.storage.kv.put('user', user)
    if (upstream) this.ctx.storage.kv.put<Upstream>(keyOf(nameOfAccount(upstream)), upstream)
    await this.#finishElsewhere(this.#sessions.endSurplus())
    return session
  }

  /** The session, if it is alive. Says whether it has been prolonged just now. */
  readSession(key: string): { session: Session; renewed: boolean } | undefined {
    const user = this.#user()
    return user && this.#sessions.read(key, user)
  }

  /** Ends a session and all that was granted in it, and has its apps told. */
  async endSession(key: string): Promise<void> {
    await this.#finish(this.#sessions.end('key = ?', key))
  }

  /** Ends every session but this one. */
  async endOtherSessions(key: string): Promise<void> {
    await this.#finishElsewhere(this.#sessions.end('key <> ?', key))
  }

  /** Ends the session of this name, with all that was granted in it. */
  async endSid(sid: string): Promise<void> {
    await this.#finishElsewhere(this.#sessions.end('sid = ?', sid))
  }

  /** Ends what was granted in a session that is gone itself, and has its apps told. One that is alive is not touched. */
  async endGone(sid: string): Promise<void> {
    if (!this.#sessions.has(sid)) await this.#finish([{ key: '', sid }])
  }

  /** Ends all sessions and all that was granted. What these accounts granted us is given back to their platforms. */
  async endEverything(givenBack: readonly AccountName[]): Promise<void> {
    const leaving = this.#upstream().filter(({ provider, accountId }) =>
      givenBack.some((one) => one.provider === provider && one.accountId === accountId),
    )
    this.#forgetUpstream()
    this.ctx.waitUntil(Promise.all(leaving.map((one) => giveBack(this.env, one))))
    const ended = this.#sessions.end('? = 1', 1)
    const others = this.#grants.sids().map((sid) => ({ key: '', sid }))
    await this.#finishElsewhere([...ended, ...others])
  }

  /** Forgets the person, but for the name by which apps are told of it. */
  async erase(givenBack: readonly AccountName[]): Promise<void> {
    await this.endEverything(givenBack)
    const user = this.#user()
    for (const { clientId } of this.#consents.list()) this.#consents.withdraw(clientId)
    if (user) this.ctx.storage.kv.put<UserRecord>('user', { id: user.id })
    // A sign-in that was under way finds nobody here; a later one makes a new person.
    this.ctx.storage.kv.put('erased', seconds() + TEN_MINUTES)
    await this.#wake()
  }

  /** What the person can see and end. */
  readBelongings(key: string): Belongings {
    const participants = this.#outbox.participants()
    const thisSid = this.readSession(key)?.session.sid
    return {
      sessions: this.#sessions.list().map((line) => ({
        ...line,
        isThis: line.sid === thisSid,
        clientIds: participants.filter(({ sid }) => sid === line.sid).map((one) => one.client_id),
      })),
      consents: this.#consents.list(),
    }
  }

  /** Answers an authorization request: the session is alive and recent enough, the person has agreed, a grant is open. */
  async grant(sessionKey: string, demand: Demand): Promise<Granting> {
    const session = this.readSession(sessionKey)?.session
    const isEnough =
      session &&
      session.authenticatedAt >= (demand.authenticatedSince ?? 0) &&
      session.forcedAt >= (demand.forcedSince ?? 0) &&
      (demand.subject ?? session.user.id) === session.user.id
    if (!isEnough) return 'login'
    const account = this.#sessions.accountOf(sessionKey)
    const granted = this.#upstreamOf(account)?.scope ?? []
    if (!demand.upstreamScope.every((one) => granted.includes(one))) return 'more'
    const { clientId } = demand.terms
    if (demand.asksAgain || (demand.consent && !this.#consents.cover(clientId, demand.consent)))
      return session

    const { sid, authenticatedAt } = session
    const terms = { ...demand.terms, sid, authenticatedAt, account }
    this.#grants.open(demand.grantId, demand.key, terms)
    this.#outbox.join(sid, clientId)
    await this.#wake()
    return 'granted'
  }

  /** Remembers what a person who is signed in has agreed to, besides what they had agreed to before. */
  agree(sessionKey: string, clientId: string, consent: Consent): boolean {
    if (!this.readSession(sessionKey)) return false
    this.#consents.add(clientId, consent)
    return true
  }

  /** The person wants no more of it. */
  disagree(clientId: string): void {
    this.#consents.withdraw(clientId)
  }

  /** The person takes back what a client was given, and it is told. */
  async shutOut(clientId: string): Promise<void> {
    this.#consents.withdraw(clientId)
    this.#grants.endClient(clientId)
    this.#outbox.announceTo(clientId)
    await this.#wake()
  }

  async redeemCode(redemption: Redemption): Promise<Redeemed & { user?: UserRecord | undefined }> {
    const redeemed = this.#grants.redeem(redemption)
    await this.#wake()
    return { ...redeemed, user: this.#user() }
  }

  async rotateRefreshToken(
    rotation: Rotation,
  ): Promise<Rotated & { user?: UserRecord | undefined }> {
    const rotated = this.#grants.rotate(rotation)
    await this.#wake()
    return { ...rotated, user: this.#user() }
  }

  /** What a grant allows, while it lives, and whose it is. */
  readGrant(
    grantId: string,
  ): { terms: GrantTerms; user: UserRecord; upstream: Upstream | undefined } | undefined {
    const terms = this.#grants.read(grantId)
    const user = this.#user()
    return terms && user && { terms, user, upstream: this.#upstreamOf(terms.account) }
  }

  /**
   * The platform's own token for the holder of a grant. If it has ended it is refreshed first, by one call
   * however many ask: the platform takes each refresh token once.
   */
  async platformToken(
    grantId: string,
    provider: string,
  ): Promise<PlatformToken | { refused: 'grant' | 'gone' | 'unavailable' }> {
    const terms = this.#grants.read(grantId)
    const upstream = this.#upstreamOf(terms?.account)
    if (!terms) return { refused: 'grant' }
    if (upstream?.provider !== provider) return { refused: 'gone' }
    const account = nameOfAccount(upstream)
    const refreshing =
      this.#refreshing.get(account) ??
      this.#refresh(upstream).finally(() => this.#refreshing.delete(account))
    this.#refreshing.set(account, refreshing)
    return refreshing
  }

  async #refresh(upstream: Upstream): Promise<PlatformToken | { refused: 'gone' | 'unavailable' }> {
    const fresh = await freshTokens(this.env, upstream)
    if (typeof fresh === 'string') return { refused: fresh }
    const now = this.#upstreamOf(nameOfAccount(upstream))
    if (!now) {
      // Who has left meanwhile has left: what came too late goes back.
      this.ctx.waitUntil(giveBack(this.env, fresh.upstream))
      return { refused: 'gone' }
    }
    // Who has signed in meanwhile has other tokens now, and these may be none any more.
    if (now.sealedTokens !== upstream.sealedTokens) return { refused: 'unavailable' }
    this.ctx.storage.kv.put(keyOf(nameOfAccount(upstream)), fresh.upstream)
    return fresh.token
  }

  /** Ends a grant of this client, and nobody else's. Says whether there was one. */
  endGrant(grantId: string, clientId: string): boolean {
    return this.#grants.end(grantId, clientId)
  }

  /** Sweeps what has expired. A person without sessions and grants leaves only what they agreed to. */
  override async alarm(): Promise<void> {
    try {
      await this.#sweep()
    } catch (error) {
      // The platform gives an alarm up after six failures; a deployment may be wrong for longer.
      console.error(JSON.stringify({ event: 'sweep_failed', trouble: String(error) }))
      await this.ctx.storage.setAlarm(Date.now() + ONE_HOUR)
    }
  }

  async #sweep(): Promise<void> {
    this.#sessions.sweep()
    this.#grants.sweep()
    this.#outbox.sweep()
    await this.#tellClients()
    if (this.#nextEnd() !== undefined) return this.#wake()
    const { kv } = this.ctx.storage
    this.#forgetUpstream()
    kv.delete('user')
    if (this.#consents.list().length > 0) return
    this.#hasTables = false
    await this.ctx.storage.deleteAll()
  }

  /** What was granted in these sessions ends, and their apps will be told. */
  async #finish(ended: Ended[]): Promise<void> {
    for (const { sid } of ended) {
      this.#grants.endSession(sid)
      this.#outbox.announce(sid)
    }
    await this.#wake()
  }

  /** The same for sessions of other browsers than the one that asks, which cannot drop their copies. */
  async #finishElsewhere(ended: Ended[]): Promise<void> {
    this.#dropCopies(ended.map(({ key }) => key).filter(Boolean))
    await this.#finish(ended)
  }

  /** Nobody waits for it: what issues something asks here, and a copy that stays is believed for an hour. */
  #dropCopies(keys: string[]): void {
    const dropped = Promise.all(keys.map((key) => dropCopy(this.env, key)))
    this.ctx.waitUntil(dropped.catch(() => undefined))
  }

  /** One slow client keeps neither the others nor the person waiting; who does not answer is asked again. */
  async #tellClients(): Promise<void> {
    const userId = this.#user()?.id ?? ''
    await Promise.all(
      this.#outbox.take().map(async (notice) => {
        if (await tellClient(this.env, userId, notice)) return this.#outbox.delivered(notice)
        const event = this.#outbox.failed(notice) ? 'logout_given_up' : 'logout_delayed'
        console.warn(
          JSON.stringify({ event, clientId: notice.client_id, attempts: notice.attempts + 1 }),
        )
      }),
    )
  }

  /** Until when nobody can sign in as who was erased. */
  #erasedUntil(): number | undefined {
    const until = this.ctx.storage.kv.get<number>('erased')
    return until !== undefined && until > seconds() ? until : undefined
  }

  #user(): UserRecord | undefined {
    return this.ctx.storage.kv.get<UserRecord>('user')
  }

  #upstream(): Upstream[] {
    const entries = this.ctx.storage.kv.list<Upstream>({ prefix: 'upstream:' })
    return Array.from(entries, ([, upstream]) => upstream)
  }

  #forgetUpstream(): void {
    for (const one of this.#upstream()) this.ctx.storage.kv.delete(keyOf(nameOfAccount(one)))
  }

  #upstreamOf(account: string | undefined): Upstream | undefined {
    return account === undefined ? undefined : this.ctx.storage.kv.get<Upstream>(keyOf(account))
  }

  /** One alarm, at the first moment at which something may have ended; at once if nothing is left to end. */
  async #wake(): Promise<void> {
    await this.ctx.storage.setAlarm((this.#nextEnd() ?? seconds()) * 1000)
  }

  #nextEnd(): number | undefined {
    const ends = [
      this.#sessions.nextEnd(),
      this.#grants.nextEnd(),
      this.#outbox.nextDue(),
      this.#erasedUntil(),
    ]
    const known = ends.filter((end) => end !== undefined)
    return known.length > 0 ? Math.min(...known) : undefined
  }
}

/** Under which an account's platform has a record. */
function keyOf(account: string): string {
  return `upstream:${account}`
}

/** The one thread that decides for this person. */
export function userObject(env: Env, userId: string): DurableObjectStub<UserObject> {
  return env.USERS.get(env.USERS.idFromName(userId))
}
