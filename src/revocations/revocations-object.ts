import { DurableObject } from 'cloudflare:workers'
import { sha256 } from '../crypto/digest.ts'
import { namedObject } from '../storage/object-location.ts'
import { requireStorage } from '../storage/unavailable-error.ts'
import { earliest, nowInSeconds } from '../values/clock.ts'
import { type PublishedRevocation, type Revocation, revocationDigest } from './revocation.ts'

/** With ten thousand sign-outs a minute, each object is called 20 times a second to add entries. */
const OBJECTS = 8

/**
 * A flood of sign-outs must not fill the memory of an object, nor make the list too long for
 * verifiers. Beyond this number the oldest entries are dropped.
 */
const MAX_ENTRIES = 50_000

/** Expired entries are deleted together, at most this often. */
const CLEAN_UP_INTERVAL = 60 // seconds

/** An entry of an object, and when it was added, in seconds since 1970. */
export interface RevocationEntry extends PublishedRevocation {
  addedAt: number
}

/**
 * A part of the revocations that are published. Users and clients are distributed over a few
 * objects. Entries are read from memory; storage is only read when the object starts.
 */
export class RevocationsObject extends DurableObject<Env> {
  /** By digest, the oldest first. */
  readonly #entries = new Map<string, RevocationEntry>()

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    ctx.storage.sql.exec(SCHEMA)
    const rows = ctx.storage.sql.exec<EntryRow>('SELECT * FROM revocations ORDER BY added_at')
    for (const { digest, before, expires_at, added_at } of rows) {
      const entry = { digest, expiresAt: expires_at, addedAt: added_at }
      this.#entries.set(digest, before === null ? entry : { ...entry, before })
    }
  }

  /** Responds, and stores nothing. */
  ping(): void {}

  /** Adds revocations. One with the same digest is replaced. */
  async add(revocations: readonly PublishedRevocation[]): Promise<void> {
    const addedAt = nowInSeconds()
    for (const revocation of revocations) {
      const { digest, before, expiresAt } = revocation
      this.#entries.delete(digest)
      this.#entries.set(digest, { ...revocation, addedAt })
      this.ctx.storage.sql.exec(
        'INSERT OR REPLACE INTO revocations (digest, before, expires_at, added_at) VALUES (?, ?, ?, ?)',
        digest,
        before ?? null,
        expiresAt,
        addedAt,
      )
    }
    this.#dropSurplus()
    if ((await this.ctx.storage.getAlarm()) === null) await this.#scheduleAlarm()
  }

  /** The entries that were added at this time or later, in seconds since 1970. */
  read(since: number): RevocationEntry[] {
    const now = nowInSeconds()
    return [...this.#entries.values()].filter(
      ({ addedAt, expiresAt }) => addedAt >= since && expiresAt > now,
    )
  }

  /** Whether tokens with the id of this digest that were issued at this time are revoked. */
  isRevoked(digest: string, issuedAt: number): boolean {
    const entry = this.#entries.get(digest)
    return entry !== undefined && issuedAt <= (entry.before ?? Number.POSITIVE_INFINITY)
  }

  override async alarm(): Promise<void> {
    const now = nowInSeconds()
    this.ctx.storage.sql.exec('DELETE FROM revocations WHERE expires_at <= ?', now)
    for (const { digest, expiresAt } of this.#entries.values()) {
      if (expiresAt <= now) this.#entries.delete(digest)
    }
    await this.#scheduleAlarm()
  }

  #dropSurplus(): void {
    if (this.#entries.size <= MAX_ENTRIES) return
    const surplus = [...this.#entries.keys()].slice(0, -MAX_ENTRIES)
    for (const digest of surplus) {
      this.#entries.delete(digest)
      this.ctx.storage.sql.exec('DELETE FROM revocations WHERE digest = ?', digest)
    }
    console.error(JSON.stringify({ event: 'revocations_dropped', count: surplus.length }))
  }

  async #scheduleAlarm(): Promise<void> {
    const next = earliest(Array.from(this.#entries.values(), ({ expiresAt }) => expiresAt))
    if (next === undefined) return
    await this.ctx.storage.setAlarm(Math.max(next, nowInSeconds() + CLEAN_UP_INTERVAL) * 1000)
  }
}

/**
 * Publishes revocations, with at most one call of each object. Those of a user are in the object of
 * that user; without an owner, each is in the object of its own id, such as that of a client.
 */
export async function publishRevocations(
  env: Env,
  revocations: readonly Revocation[],
  owner?: string,
): Promise<void> {
  const located = revocations.map(async ({ id, ...revocation }) => ({
    index: await objectIndex(owner ?? id),
    revocation: { ...revocation, digest: await revocationDigest(id) },
  }))
  const groups = Map.groupBy(await Promise.all(located), ({ index }) => index)
  const calls = Array.from(groups, ([index, group]) =>
    revocationsObject(env, index).add(group.map(({ revocation }) => revocation)),
  )
  await Promise.all(calls)
}

/** Whether the tokens that a client got at this time are revoked. */
export async function isClientRevoked(
  env: Env,
  clientId: string,
  issuedAt: number,
): Promise<boolean> {
  const [index, digest] = await Promise.all([objectIndex(clientId), revocationDigest(clientId)])
  return requireStorage(() => revocationsObject(env, index).isRevoked(digest, issuedAt))
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
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS revocations (
    digest TEXT PRIMARY KEY,
    before INTEGER,
    expires_at INTEGER NOT NULL,
    added_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`
