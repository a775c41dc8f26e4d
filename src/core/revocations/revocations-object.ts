import { DurableObject } from 'cloudflare:workers'
import { sha256 } from '../../foundation/crypto/digest.ts'
import { earliest, nowInSeconds } from '../../foundation/values/clock.ts'
import { namedObject } from '../storage/object-location.ts'
import { requireStorage, withStorageDeadline } from '../storage/unavailable-error.ts'
import {
  clientSessionId,
  type PublishedRevocation,
  type Revocation,
  revocationDigest,
} from './revocation.ts'

/** With ten thousand sign-outs a minute, each object is called 20 times a second to add entries. */
const OBJECTS = 8

/**
 * Ten times as many as a user has sessions. Beyond this number, the entries of a user or client
 * become fewer that cover them all, so that nobody can fill the memory of an object alone.
 */
const MAX_OWNER_ENTRIES = 1000

/** Expired entries are deleted together, at most this often. */
const CLEAN_UP_INTERVAL = 60 // seconds

/** Whom the entries belong to that version 0.1.0 stored. It is no digest. */
const WITHOUT_OWNER = ''

/** A revocation, and the digest of the id of the user or client that it belongs to. */
interface OwnedRevocation extends PublishedRevocation {
  owner: string
  /** For a grant, the digest of the id that its tokens share with others of the client in its session. */
  part?: string | undefined
}

/** An entry of an object, and when it was added, in seconds since 1970. */
export interface RevocationEntry extends PublishedRevocation {
  addedAt: number
}

/**
 * A part of the revocations that are published. Users and clients are distributed over a few
 * objects. Entries are read from memory; storage is only read when the object starts. An entry stays
 * until it expires, unless another one covers it.
 */
export class RevocationsObject extends DurableObject<Env> {
  /** By digest. */
  readonly #entries = new Map<string, RevocationEntry>()
  /** The digests of the entries of each user or client, with their parts, by the digest of its id. */
  readonly #owned = new Map<string, Map<string, string | undefined>>()

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    ctx.storage.sql.exec(SCHEMA)
    addColumns(ctx.storage.sql)
    const rows = ctx.storage.sql.exec<EntryRow>('SELECT * FROM revocations ORDER BY added_at')
    for (const { digest, before, expires_at, added_at, owner, part } of rows) {
      const entry = { digest, expiresAt: expires_at, addedAt: added_at }
      this.#entries.set(digest, before === null ? entry : { ...entry, before })
      this.#own(owner ?? WITHOUT_OWNER, digest, part ?? undefined)
    }
  }

  /** Responds, and stores nothing. */
  ping(): void {}

  /**
   * Adds revocations. One with the same digest is replaced. If an owner has too many, all tokens of a
   * client in a session are revoked instead of many grants. Returns true if there were still so many
   * that all tokens of an owner are revoked.
   */
  async add(revocations: readonly OwnedRevocation[]): Promise<boolean> {
    for (const revocation of revocations) this.#put(revocation)
    const owners = new Set(revocations.map(({ owner }) => owner))
    for (const owner of owners) this.#combineParts(owner)
    const crowded = [...owners].filter((owner) => this.#isCrowded(owner))
    for (const owner of crowded) this.#replaceOwned(owner)
    if ((await this.ctx.storage.getAlarm()) === null) await this.#scheduleAlarm()
    return crowded.length > 0
  }

  /** The entries that were added at this time or later, in seconds since 1970. */
  read(since: number): RevocationEntry[] {
    const now = nowInSeconds()
    return [...this.#entries.values()].filter(
      ({ addedAt, expiresAt }) => addedAt >= since && expiresAt > now,
    )
  }

  /** The entries that belong to a user or client. */
  readOf(owner: string): PublishedRevocation[] {
    const digests = [owner, WITHOUT_OWNER].flatMap((each) => this.#digestsOf(each))
    return digests.flatMap((digest) => this.#entries.get(digest) ?? [])
  }

  override async alarm(): Promise<void> {
    const now = nowInSeconds()
    this.ctx.storage.sql.exec('DELETE FROM revocations WHERE expires_at <= ?', now)
    for (const { digest, expiresAt } of this.#entries.values()) {
      if (expiresAt <= now) this.#entries.delete(digest)
    }
    for (const [owner, parts] of this.#owned) {
      const remaining = [...parts].filter(([digest]) => this.#entries.has(digest))
      if (remaining.length > 0) this.#owned.set(owner, new Map(remaining))
      else this.#owned.delete(owner)
    }
    await this.#scheduleAlarm()
  }

  /** A replaced entry keeps its expiry if that is later: tokens that it covered are still valid. */
  #put({ digest, before, expiresAt, owner, part }: OwnedRevocation): void {
    const former = this.#entries.get(digest)
    const entry = {
      digest,
      expiresAt: Math.max(expiresAt, former?.expiresAt ?? 0),
      addedAt: nowInSeconds(),
    }
    this.#entries.set(digest, before === undefined ? entry : { ...entry, before })
    this.#own(owner, digest, part)
    this.ctx.storage.sql.exec(
      'INSERT OR REPLACE INTO revocations (digest, before, expires_at, added_at, owner, part) VALUES (?, ?, ?, ?, ?, ?)',
      digest,
      before ?? null,
      entry.expiresAt,
      entry.addedAt,
      owner,
      part ?? null,
    )
  }

  /**
   * Until an owner has few enough entries, replaces the grants of the client and session that have
   * most of them: any website can make browsers open grants, which then displace each other.
   */
  #combineParts(owner: string): void {
    while (this.#isCrowded(owner)) {
      const ofParts = [...(this.#owned.get(owner) ?? [])].filter(([, part]) => part !== undefined)
      const groups = Map.groupBy(ofParts, ([, part]) => part)
      const [largest] = [...groups].sort(([, a], [, b]) => b.length - a.length)
      const [part, grants] = largest ?? []
      if (part === undefined || !grants || grants.length < 2) return
      const digests = grants.map(([digest]) => digest)
      this.#replace(digests, part, owner)
    }
  }

  /** Replaces all entries of an owner by one. */
  #replaceOwned(owner: string): void {
    this.#replace(this.#digestsOf(owner), owner, owner)
  }

  /** Replaces entries of an owner by one that revokes the tokens that were issued until now. */
  #replace(digests: readonly string[], digest: string, owner: string): void {
    const entries = digests.flatMap((each) => this.#entries.get(each) ?? [])
    const expiresAt = Math.max(...entries.map((entry) => entry.expiresAt))
    // A client that was disabled a moment ago has a later time.
    const before = Math.max(nowInSeconds(), this.#entries.get(digest)?.before ?? 0)
    for (const each of digests) {
      this.#entries.delete(each)
      this.#owned.get(owner)?.delete(each)
      this.ctx.storage.sql.exec('DELETE FROM revocations WHERE digest = ?', each)
    }
    this.#put({ digest, before, expiresAt, owner })
  }

  #isCrowded(owner: string): boolean {
    return (this.#owned.get(owner)?.size ?? 0) > MAX_OWNER_ENTRIES
  }

  #digestsOf(owner: string): string[] {
    return [...(this.#owned.get(owner)?.keys() ?? [])]
  }

  #own(owner: string, digest: string, part: string | undefined): void {
    const digests = this.#owned.get(owner) ?? new Map()
    this.#owned.set(owner, digests.set(digest, part))
  }

  async #scheduleAlarm(): Promise<void> {
    const next = earliest(Array.from(this.#entries.values(), ({ expiresAt }) => expiresAt))
    if (next === undefined) return
    await this.ctx.storage.setAlarm(Math.max(next, nowInSeconds() + CLEAN_UP_INTERVAL) * 1000)
  }
}

/**
 * Publishes revocations, with at most one call of each object. They belong to this user or client;
 * without an owner, each belongs to the client that it names. Returns true if an owner had so many
 * that all tokens that it got until now are revoked instead.
 */
export async function publishRevocations(
  env: Env,
  revocations: readonly Revocation[],
  owner?: string,
): Promise<boolean> {
  const located = revocations.map(async ({ id, part, ...revocation }) => ({
    index: await objectIndex(owner ?? id),
    revocation: {
      ...revocation,
      digest: await revocationDigest(id),
      owner: await revocationDigest(owner ?? id),
      part: part && (await revocationDigest(await clientSessionId(part))),
    },
  }))
  const groups = Map.groupBy(await Promise.all(located), ({ index }) => index)
  const calls = Array.from(groups, ([index, group]) =>
    revocationsObject(env, index).add(group.map(({ revocation }) => revocation)),
  )
  return (await withStorageDeadline(Promise.all(calls))).includes(true)
}

/** What is revoked of a client: all its tokens until a time, or those of a credential. */
export async function readRevocationsOf(
  env: Env,
  clientId: string,
): Promise<readonly PublishedRevocation[]> {
  const [index, digest] = await Promise.all([objectIndex(clientId), revocationDigest(clientId)])
  return requireStorage(() => revocationsObject(env, index).readOf(digest))
}

async function objectIndex(owner: string): Promise<number> {
  const [firstByte = 0] = await sha256(owner)
  return firstByte % OBJECTS
}

/** The entries of all objects that were added at this time or later. */
export async function readAllObjects(env: Env, since: number): Promise<RevocationEntry[]> {
  const parts = Array.from({ length: OBJECTS }, async (_, index) =>
    revocationsObject(env, index).read(since),
  )
  return (await Promise.all(parts)).flat()
}

/** Throws if an object of this class does not respond. */
export async function pingRevocations(env: Env): Promise<void> {
  await revocationsObject(env, 0).ping()
}

function revocationsObject(env: Env, index: number): DurableObjectStub<RevocationsObject> {
  return namedObject(env, env.REVOCATIONS, String(index))
}

type EntryRow = {
  digest: string
  before: number | null
  expires_at: number
  added_at: number
  owner: string | null
  part: string | null
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS revocations (
    digest TEXT PRIMARY KEY,
    before INTEGER,
    expires_at INTEGER NOT NULL,
    added_at INTEGER NOT NULL,
    owner TEXT,
    part TEXT
  ) STRICT, WITHOUT ROWID`

/** Version 0.1.0 created the table without `owner`, and version 0.2.0 without `part`. */
function addColumns(sql: SqlStorage): void {
  const columns = sql.exec("SELECT name FROM pragma_table_info('revocations')").toArray()
  for (const column of ['owner', 'part']) {
    if (columns.some(({ name }) => name === column)) continue
    sql.exec(`ALTER TABLE revocations ADD COLUMN ${column} TEXT`)
  }
}
