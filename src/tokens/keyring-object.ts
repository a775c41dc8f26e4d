import { DurableObject } from 'cloudflare:workers'
import { seconds } from '../clock.ts'
import { readConfig } from '../config/config.ts'
import { ALGORITHMS, type Algorithm, makeKeyPair, type PublicJwk } from './jwk.ts'

/** A key signs for a month. Its successor has been published for as long when it takes over. */
const ROTATION = 30 * 24 * 3600
/** An ID token is good as a logout hint for as long as its session may live: a month, and a day to spare. */
const RETIREMENT = 31 * 24 * 3600
/** Before an alarm that failed tries again. */
const ONE_HOUR = 3_600_000 // milliseconds

/** A key as the keyring hands it out: the private part sealed, and what everybody may know. */
export interface SealedKey {
  kid: string
  alg: Algorithm
  publicJwk: PublicJwk
  sealedPrivateJwk: string
  /** Only the active key of an algorithm signs. */
  state: 'next' | 'active' | 'retired'
}

/** All keys, and when to ask again. */
export interface KeyringState {
  keys: SealedKey[]
  /** In seconds since 1970. */
  rotatesAt: number
}

/**
 * Our signing keys, made by one actor: however many requests come first, there is one set. Each
 * algorithm has an active key and a next one, which is published long before it signs; a retired key
 * stays published until the last token it signed has expired.
 */
export class KeyringObject extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    ctx.storage.sql.exec(SCHEMA)
    ctx.blockConcurrencyWhile(async () => {
      if (this.#all().length === 0) await this.#replace()
      if ((await ctx.storage.getAlarm()) === null) await this.#wake()
    })
  }

  /** The keys of this moment. A keyring that no secret opens any more starts anew. */
  async read(): Promise<KeyringState> {
    if (await this.#isLost()) {
      await this.#replace()
      console.warn(
        JSON.stringify({
          event: 'keyring_replaced',
          trouble: 'No configured secret opens the former keys.',
        }),
      )
    }
    return { keys: this.#all(), rotatesAt: this.#rotatesAt() }
  }

  /** Time has come: the next keys sign, new next ones are published, the oldest go. */
  override async alarm(): Promise<void> {
    try {
      await this.#sweep()
      await this.#wake()
    } catch (error) {
      // The platform gives an alarm up after six failures; a deployment may be wrong for longer.
      console.error(JSON.stringify({ event: 'keyring_stuck', trouble: String(error) }))
      await this.ctx.storage.setAlarm(Date.now() + ONE_HOUR)
    }
  }

  async #sweep(): Promise<void> {
    const now = seconds()
    this.ctx.storage.sql.exec('DELETE FROM keys WHERE removed_at <= ?', now)
    if (this.#rotatesAt() > now) return
    const former = this.#kids()
    const successors = await this.#generate()
    // Nothing waits between this check and the change, so a rotation happens once.
    if (this.#kids() !== former) return
    this.#rotate(successors, now)
    console.log(JSON.stringify({ event: 'keyring_rotated', rotatesAt: this.#rotatesAt() }))
  }

  #rotate(successors: NewKey[], now: number): void {
    const { sql } = this.ctx.storage
    sql.exec(
      "UPDATE keys SET state = 'retired', sealed_private_jwk = '', removed_at = ? WHERE state = 'active'",
      now + RETIREMENT,
    )
    sql.exec(
      "UPDATE keys SET state = 'active', rotates_at = ? WHERE state = 'next'",
      now + ROTATION,
    )
    this.#insert(successors, 'next', now)
  }

  /** Whether an algorithm has no key to sign with, or one that no configured secret opens. */
  async #isLost(): Promise<boolean> {
    const { seal } = readConfig(this.env)
    const active = this.#all().filter((key) => key.state === 'active')
    if (active.length < ALGORITHMS.length) return true
    const opened = await Promise.all(
      active.map(({ kid, sealedPrivateJwk }) => seal.open('keyring', kid, sealedPrivateJwk)),
    )
    return opened.includes(undefined)
  }

  /** A new set of keys. Whoever verifies still finds the former ones, for as long as their tokens live. */
  async #replace(): Promise<void> {
    const former = this.#kids()
    const [active, next] = await Promise.all([this.#generate(), this.#generate()])
    // Nothing waits from here on, so of many who find the keys lost one replaces them.
    if (this.#kids() !== former) return
    const now = seconds()
    this.ctx.storage.sql.exec(
      "UPDATE keys SET state = 'retired', sealed_private_jwk = '', removed_at = ? WHERE state <> 'retired'",
      now + RETIREMENT,
    )
    this.#insert(active, 'active', now)
    this.#insert(next, 'next', now)
    await this.#wake()
  }

  async #generate(): Promise<NewKey[]> {
    const { seal } = readConfig(this.env)
    return Promise.all(
      ALGORITHMS.map(async (alg) => {
        const { publicJwk, privateJwk } = await makeKeyPair(alg)
        const { kid } = publicJwk
        const sealedPrivateJwk = await seal.seal('keyring', kid, JSON.stringify(privateJwk))
        return { kid, alg, publicJwk, sealedPrivateJwk }
      }),
    )
  }

  #insert(keys: NewKey[], state: 'active' | 'next', now: number): void {
    for (const { kid, alg, publicJwk, sealedPrivateJwk } of keys) {
      this.ctx.storage.sql.exec(
        'INSERT INTO keys (kid, alg, public_jwk, sealed_private_jwk, state, rotates_at) VALUES (?, ?, ?, ?, ?, ?)',
        kid,
        alg,
        JSON.stringify(publicJwk),
        sealedPrivateJwk,
        state,
        now + ROTATION,
      )
    }
  }

  #all(): SealedKey[] {
    const rows = this.ctx.storage.sql.exec<KeyRow>('SELECT * FROM keys ORDER BY alg, rowid')
    return Array.from(rows, (row) => ({
      kid: row.kid,
      alg: row.alg,
      publicJwk: JSON.parse(row.public_jwk) as PublicJwk,
      sealedPrivateJwk: row.sealed_private_jwk,
      state: row.state,
    }))
  }

  /** All there is, to see whether it has changed meanwhile. */
  #kids(): string {
    return this.#all()
      .map(({ kid }) => kid)
      .join()
  }

  #rotatesAt(): number {
    const query = "SELECT min(rotates_at) AS due FROM keys WHERE state = 'active'"
    return this.ctx.storage.sql.exec<{ due: number | null }>(query).one().due ?? seconds()
  }

  async #wake(): Promise<void> {
    const query =
      "SELECT min(coalesce(removed_at, rotates_at)) AS due FROM keys WHERE state <> 'next'"
    const { due } = this.ctx.storage.sql.exec<{ due: number }>(query).one()
    await this.ctx.storage.setAlarm(due * 1000)
  }
}

type NewKey = Omit<SealedKey, 'state'>

type KeyRow = {
  kid: string
  alg: Algorithm
  public_jwk: string
  sealed_private_jwk: string
  state: SealedKey['state']
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS keys (
    kid TEXT PRIMARY KEY,
    alg TEXT NOT NULL,
    public_jwk TEXT NOT NULL,
    sealed_private_jwk TEXT NOT NULL,
    state TEXT NOT NULL,
    rotates_at INTEGER NOT NULL,
    removed_at INTEGER
  ) STRICT`
