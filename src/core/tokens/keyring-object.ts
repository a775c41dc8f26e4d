import { DurableObject } from 'cloudflare:workers'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import type { AuditOrigin } from '../audit/audit-entry.ts'
import { recordAuditEntry } from '../audit/audit-log.ts'
import { runEvent } from '../callbacks/run-callbacks.ts'
import type { Config, ReadConfig } from '../config/config.ts'
import type { EventPayloads } from '../config/events.ts'
import { recordObjectLocation } from '../storage/object-location.ts'

/** ES256 for tokens that are signed often, RS256 for clients that support nothing else. */
export const ALGORITHMS = ['ES256', 'RS256'] as const
export type Algorithm = (typeof ALGORITHMS)[number]

/**
 * A key signs for a month, and its successor is published for the same month before it takes over.
 */
const ROTATION_INTERVAL = 30 * 24 * 3600 // seconds
/** How much longer a retired key is published than the tokens it signed can be used. */
const RETIREMENT_MARGIN = 24 * 3600 // seconds
const ALARM_RETRY_DELAY = 3_600_000 // milliseconds
/**
 * For how long the next key must have been published before it may sign: the JWKS may be cached for
 * five minutes, and some verifiers cache it for ten (jose by default); one more for our own copies.
 */
const MIN_PUBLICATION_PERIOD = 11 * 60 // seconds

/**
 * How many retired keys of an algorithm a planned rotation may leave, because every verifier
 * downloads all of them. The schedule alone leaves at most four: sessions last up to 90 days, and
 * keys sign for 30.
 */
const MAX_RETIRED_KEYS = 10

/** A public key as it is published in the JWKS. */
export interface PublicJwk extends JWK {
  kty: string
  kid: string
  alg: Algorithm
  use: 'sig'
}

/** A signing key, with its private part sealed. */
export interface SealedKey {
  kid: string
  alg: Algorithm
  publicJwk: PublicJwk
  sealedPrivateJwk: string
  /** Only the active key of an algorithm signs. */
  state: 'next' | 'active' | 'retired'
}

/** A signing key as operators see it. Times are in seconds since 1970. */
export interface KeyRecord {
  kid: string
  alg: Algorithm
  state: SealedKey['state']
  /** Since when it has been published. Not known of a key that an earlier version has activated. */
  createdAt?: number
  activeSince?: number
  /** When a retired key is removed from the JWKS. */
  removedAt?: number
}

/** The keys without their content, and when the next rotation is due. */
export interface KeyList {
  keys: KeyRecord[]
  rotatesAt: number
}

/** What a rotation that was requested has done. */
type RotationResult =
  | { kind: 'rotated'; keys: KeyRecord[] }
  /** The next keys have not been published for long enough. */
  | { kind: 'too_early'; possibleAt: number }
  /** As many retired keys are published as may be; the oldest is removed then. */
  | { kind: 'too_many_keys'; possibleAt: number }

type RotationReason = EventPayloads['keysRotated']['reason']

/**
 * Our signing keys. One object creates them, so there is one set no matter how many requests arrive
 * first. Each algorithm has an active key and a next one that is published long before it signs; a
 * retired key stays published until the last token it signed has expired.
 */
export class KeyringObject extends DurableObject<Env> {
  readonly #readConfig: () => Config

  constructor(ctx: DurableObjectState, env: Env, readConfig: ReadConfig) {
    super(ctx, env)
    this.#readConfig = () => readConfig(this.env)
    ctx.storage.sql.exec(SCHEMA)
    addMissingColumn(ctx.storage.sql)
    void ctx.blockConcurrencyWhile(async () => {
      if (this.#allKeys().length === 0) {
        await recordObjectLocation(env)
        await this.#replaceAllKeys()
      }
      if ((await ctx.storage.getAlarm()) === null) await this.#scheduleAlarm()
    })
  }

  /** Returns all keys. If no configured secret opens them any more, they are replaced first. */
  async read(): Promise<SealedKey[]> {
    if (await this.#isUnreadable()) {
      const isReplaced = await this.#replaceAllKeys()
      if (isReplaced) this.ctx.waitUntil(this.#recordRotation('secret_changed', SERVICE))
      console.warn(
        JSON.stringify({
          event: 'keyring_replaced',
          cause: 'No configured secret opens the former keys.',
        }),
      )
    }
    return this.#allKeys()
  }

  /** Returns what operators may see of the keys. */
  list(): KeyList {
    return { keys: Array.from(this.#rows(), toKeyRecord), rotatesAt: this.#rotationDue() }
  }

  /**
   * Rotates the keys at the request of an operator. A planned rotation retires the active keys as
   * usual. A revocation removes all keys at once, published ones and retired ones too: whoever has
   * one of them may have the others, and nothing that any of them signed is accepted afterwards.
   */
  async rotate(request: { isRevocation: boolean; origin: AuditOrigin }): Promise<RotationResult> {
    const { isRevocation, origin } = request
    if (isRevocation) {
      await this.#replaceAllKeys({ isRevocation: true })
    } else {
      const successors = await this.#generateKeys()
      // There is no await between this check and the change, so concurrent requests rotate once.
      const possibleAt = this.#manualRotationPossibleAt()
      const now = nowInSeconds()
      if (now < possibleAt) return { kind: 'too_early', possibleAt }
      const retiredUntil = this.#tooManyRetiredUntil(now)
      if (retiredUntil !== undefined) return { kind: 'too_many_keys', possibleAt: retiredUntil }
      this.#rotate(successors, now)
      await this.#scheduleAlarm()
    }
    await this.#recordRotation(isRevocation ? 'revoked' : 'manual', origin)
    return { kind: 'rotated', keys: this.list().keys }
  }

  /** Rotates the keys when it is time, and removes retired keys that have expired. */
  override async alarm(): Promise<void> {
    try {
      await this.#removeExpiredAndRotate()
      await this.#scheduleAlarm()
    } catch (error) {
      // The runtime gives up on an alarm after six failures, but a misconfiguration may last
      // longer.
      console.error(JSON.stringify({ event: 'keyring_rotation_failed', cause: String(error) }))
      await this.ctx.storage.setAlarm(Date.now() + ALARM_RETRY_DELAY)
    }
  }

  async #removeExpiredAndRotate(): Promise<void> {
    const now = nowInSeconds()
    this.ctx.storage.sql.exec('DELETE FROM keys WHERE removed_at <= ?', now)
    if (this.#rotationDue() > now) return
    const before = this.#fingerprint()
    const successors = await this.#generateKeys()
    // There is no await between this check and the change, so a rotation happens once.
    if (this.#fingerprint() !== before) return
    this.#rotate(successors, now)
    await this.#recordRotation('scheduled', SERVICE)
  }

  /**
   * Records a rotation in the log and the audit log, and reports it to the deployment, without
   * waiting for the latter. The rotation stands if the database is unavailable: a leaked key is
   * revoked in any case.
   */
  async #recordRotation(reason: RotationReason, origin: AuditOrigin): Promise<void> {
    const config = this.#readConfig()
    const active = this.#allKeys().filter(({ state }) => state === 'active')
    const activeKeys = active.map(({ kid }) => kid)
    this.ctx.waitUntil(runEvent(config, 'keysRotated', { reason, activeKeys }))
    const event = reason === 'revoked' ? 'keyring_revoked' : 'keyring_rotated'
    console.log(JSON.stringify({ event, rotatesAt: this.#rotationDue() }))
    try {
      await recordAuditEntry(this.env, config, {
        ...origin,
        event: reason === 'revoked' ? 'keys_revoked' : 'keys_rotated',
        subject: activeKeys.join(' '),
        detail: reason,
      })
    } catch (error) {
      console.error(JSON.stringify({ event: 'audit_failed', cause: String(error) }))
    }
  }

  /**
   * An ID token is a valid logout hint for as long as its session can last, so its key is published
   * for as long.
   */
  #retirementPeriod(): number {
    return this.#readConfig().lifetimes.sessionAbsolute + RETIREMENT_MARGIN
  }

  #rotate(successors: NewKey[], now: number): void {
    const { storage } = this.ctx
    storage.transactionSync(() => {
      storage.sql.exec(
        "UPDATE keys SET state = 'retired', sealed_private_jwk = '', removed_at = ? WHERE state = 'active'",
        now + this.#retirementPeriod(),
      )
      storage.sql.exec(
        "UPDATE keys SET state = 'active', rotates_at = ? WHERE state = 'next'",
        now + ROTATION_INTERVAL,
      )
      this.#insert(successors, 'next', now)
    })
  }

  /** When all next keys will have been published for long enough, in seconds since 1970. */
  #manualRotationPossibleAt(): number {
    const query = "SELECT max(rotates_at) AS newest FROM keys WHERE state = 'next'"
    const { newest } = this.ctx.storage.sql.exec<{ newest: number }>(query).one()
    return newest - ROTATION_INTERVAL + MIN_PUBLICATION_PERIOD
  }

  /** When another key may be retired, in seconds since 1970; undefined if that is possible now. */
  #tooManyRetiredUntil(now: number): number | undefined {
    const query = `
      SELECT removed_at FROM (
        SELECT removed_at, row_number() OVER (PARTITION BY alg ORDER BY removed_at DESC) AS position
        FROM keys WHERE removed_at > ?)
      WHERE position = ? ORDER BY removed_at DESC LIMIT 1`
    const rows = this.ctx.storage.sql.exec<{ removed_at: number }>(query, now, MAX_RETIRED_KEYS)
    return rows.toArray()[0]?.removed_at
  }

  /** Whether an algorithm has no active key, or one that no configured secret opens. */
  async #isUnreadable(): Promise<boolean> {
    const { seal } = this.#readConfig()
    const active = this.#allKeys().filter((key) => key.state === 'active')
    if (active.length < ALGORITHMS.length) return true
    const opened = await Promise.all(
      active.map(({ kid, sealedPrivateJwk }) => seal.open('keyring', kid, sealedPrivateJwk)),
    )
    return opened.includes(undefined)
  }

  /**
   * Creates a new set of keys. A revocation keeps nothing of the former ones. Otherwise they stay
   * published for as long as their tokens are valid, and a call that finds them replaced by another
   * one returns false.
   */
  async #replaceAllKeys({ isRevocation = false } = {}): Promise<boolean> {
    const before = this.#fingerprint()
    const [active, next] = await Promise.all([this.#generateKeys(), this.#generateKeys()])
    if (!isRevocation && this.#fingerprint() !== before) return false
    const { storage } = this.ctx
    const now = nowInSeconds()
    // The object never has fewer keys than it needs, also if they cannot be stored.
    storage.transactionSync(() => {
      if (isRevocation) {
        storage.sql.exec('DELETE FROM keys')
      } else {
        storage.sql.exec(
          "UPDATE keys SET state = 'retired', sealed_private_jwk = '', removed_at = ? WHERE state <> 'retired'",
          now + this.#retirementPeriod(),
        )
      }
      this.#insert(active, 'active', now)
      this.#insert(next, 'next', now)
    })
    await this.#scheduleAlarm()
    return true
  }

  async #generateKeys(): Promise<NewKey[]> {
    const { seal } = this.#readConfig()
    return Promise.all(
      ALGORITHMS.map(async (alg) => {
        const { publicJwk, privateJwk } = await generateKey(alg)
        const { kid } = publicJwk
        const sealedPrivateJwk = await seal.seal('keyring', kid, JSON.stringify(privateJwk))
        return { kid, alg, publicJwk, sealedPrivateJwk }
      }),
    )
  }

  #insert(keys: NewKey[], state: 'active' | 'next', now: number): void {
    for (const { kid, alg, publicJwk, sealedPrivateJwk } of keys) {
      this.ctx.storage.sql.exec(
        'INSERT INTO keys (kid, alg, public_jwk, sealed_private_jwk, state, rotates_at, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
        kid,
        alg,
        JSON.stringify(publicJwk),
        sealedPrivateJwk,
        state,
        now + ROTATION_INTERVAL,
        now,
      )
    }
  }

  #rows(): SqlStorageCursor<KeyRow> {
    return this.ctx.storage.sql.exec<KeyRow>('SELECT * FROM keys ORDER BY alg, rowid')
  }

  #allKeys(): SealedKey[] {
    return Array.from(this.#rows(), (row) => ({
      kid: row.kid,
      alg: row.alg,
      publicJwk: JSON.parse(row.public_jwk) as PublicJwk,
      sealedPrivateJwk: row.sealed_private_jwk,
      state: row.state,
    }))
  }

  /** Changes whenever a key is added or removed. */
  #fingerprint(): string {
    return this.#allKeys()
      .map(({ kid }) => kid)
      .join()
  }

  #rotationDue(): number {
    const query = "SELECT min(rotates_at) AS due FROM keys WHERE state = 'active'"
    return this.ctx.storage.sql.exec<{ due: number | null }>(query).one().due ?? nowInSeconds()
  }

  async #scheduleAlarm(): Promise<void> {
    const query =
      "SELECT min(coalesce(removed_at, rotates_at)) AS due FROM keys WHERE state <> 'next'"
    const { due } = this.ctx.storage.sql.exec<{ due: number }>(query).one()
    await this.ctx.storage.setAlarm(due * 1000)
  }
}

/** `rotates_at` of a key is a month after it was created (`next`) or began to sign. */
function toKeyRecord({ kid, alg, state, created_at, rotates_at, removed_at }: KeyRow): KeyRecord {
  const since = rotates_at - ROTATION_INTERVAL
  const createdAt = created_at ?? (state === 'next' ? since : undefined)
  return {
    kid,
    alg,
    state,
    ...(createdAt !== undefined && { createdAt }),
    ...(state !== 'next' && { activeSince: since }),
    ...(removed_at !== null && { removedAt: removed_at }),
  }
}

/** A new key pair, identified by its thumbprint (RFC 7638). */
async function generateKey(alg: Algorithm): Promise<{ publicJwk: PublicJwk; privateJwk: JWK }> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  const publicMembers = (await exportJWK(publicKey)) as JWK & { kty: string }
  const kid = await calculateJwkThumbprint(publicMembers)
  return {
    publicJwk: { ...publicMembers, kid, alg, use: 'sig' },
    privateJwk: await exportJWK(privateKey),
  }
}

type NewKey = Omit<SealedKey, 'state'>

type KeyRow = {
  kid: string
  alg: Algorithm
  public_jwk: string
  sealed_private_jwk: string
  state: SealedKey['state']
  rotates_at: number
  removed_at: number | null
  created_at: number | null
}

/** Rotations without a request of an operator. */
const SERVICE: AuditOrigin = { actor: 'service' }

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS keys (
    kid TEXT PRIMARY KEY,
    alg TEXT NOT NULL,
    public_jwk TEXT NOT NULL,
    sealed_private_jwk TEXT NOT NULL,
    state TEXT NOT NULL,
    rotates_at INTEGER NOT NULL,
    removed_at INTEGER,
    created_at INTEGER
  ) STRICT`

/** Earlier versions created the table without it. */
function addMissingColumn(sql: SqlStorage): void {
  const columns = sql.exec<{ name: string }>("SELECT name FROM pragma_table_info('keys')").toArray()
  if (columns.some(({ name }) => name === 'created_at')) return
  sql.exec('ALTER TABLE keys ADD COLUMN created_at INTEGER')
}
