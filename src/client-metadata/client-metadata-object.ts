import { DurableObject } from 'cloudflare:workers'
import type { Jwks } from '../config/public-keys.ts'
import { mayRead } from '../fetch/public-url.ts'
import { countUse } from '../limits/count-in-guards.ts'
import type { Requester } from '../limits/network.ts'
import { database } from '../storage/database.ts'
import { namedObject } from '../storage/object-location.ts'
import { nowInSeconds } from '../values/clock.ts'
import type { MetadataFailure } from './client-metadata-error.ts'
import { fetchJson } from './fetch-json.ts'
import { parseKeys } from './parse-keys.ts'
import { type ClientMetadata, consentedPart, parseMetadata } from './parse-metadata.ts'

/** The recommended size (draft-ietf-oauth-client-id-metadata-document §8.7). */
const MAX_DOCUMENT_SIZE = 5 * 1024 // bytes

/** Room for a dozen keys with certificates. */
const MAX_KEYS_SIZE = 16 * 1024 // bytes

/** A key that is not in the copy may be new. The keys are fetched again, at most this often. */
const MIN_KEYS_AGE = 60 // seconds

/** While a server does not respond, the copy is used until it has this age. */
const MAX_OUTAGE_AGE = 24 * 3600 // seconds

/** After a failed fetch, there is no other one for this long. */
const RETRY_INTERVAL = 60 // seconds

/** Longer than a refresh token can stay unused. Whoever returns later is asked for consent again. */
const UNUSED_LIFETIME = 60 * 24 * 3600 // seconds

/** Of a client that no user has allowed, used or not: anonymous requests must not fill storage. */
const UNALLOWED_LIFETIME = 24 * 3600 // seconds

/** An approval that is younger may be of a user who waits for the app right now. */
const MIN_APPROVAL_AGE = 60 // seconds

/** After a failed deletion, there is another attempt. */
const ALARM_RETRY_DELAY = 3_600_000 // milliseconds

/** How often the use of an object is recorded. */
const USE_INTERVAL = 24 * 3600 // seconds

/** What was fetched from a URL. Times are in seconds since 1970. */
interface Copy<Value> {
  url: string
  value: Value
  fetchedAt: number
  expiresAt: number
}

interface DocumentCopy extends Copy<ClientMetadata> {
  /** Since when what users consent to is unchanged. */
  changedAt: number
  /** Of a client that has registered itself and got a secret: the SHA-256 in hex. */
  secretDigest?: string | undefined
}

/** Who reads: the deployment. */
export interface Reader {
  issuer: string
  isDevelopment: boolean
}

/** An unregistered client. */
export interface KnownClient extends Pick<DocumentCopy, 'changedAt' | 'secretDigest'> {
  metadata: ClientMetadata
  /** Its keys at `jwks_uri`, if they were read recently. */
  keys: Jwks | undefined
}

/**
 * What one client says about itself: its metadata document or what it has registered, and its keys
 * at `jwks_uri`. The object is named after the client. Of simultaneous requests, one fetches. Errors
 * are only kept in memory, for a minute.
 */
export class ClientMetadataObject extends DurableObject<Env> {
  /** The fetches that are under way. */
  readonly #fetches = new Map<string, Promise<MetadataFailure | undefined>>()

  /** Why the last fetch has failed, and when the next one may start. */
  readonly #failures = new Map<string, { failure: MetadataFailure; retryAt: number }>()

  /** Responds, and stores nothing. */
  ping(): void {}

  /** Stores a client that has registered itself. */
  async register(metadata: ClientMetadata, secretDigest: string | undefined): Promise<void> {
    const now = nowInSeconds()
    this.ctx.storage.kv.put<DocumentCopy>('document', {
      url: '',
      value: metadata,
      fetchedAt: now,
      expiresAt: Number.POSITIVE_INFINITY,
      changedAt: now,
      secretDigest,
    })
    await this.#recordUse(false)
  }

  /** A user has allowed the client. From now on, it is kept while it is used. */
  async recordApproval(): Promise<void> {
    if (!this.ctx.storage.kv.get<DocumentCopy>('document')) return
    if (!this.#isAllowed()) this.ctx.storage.kv.put('isAllowed', true)
    await this.#recordUse(true)
  }

  /** The client as it was last read, or as it has registered itself. */
  async readCopy(): Promise<KnownClient | undefined> {
    const copy = this.ctx.storage.kv.get<DocumentCopy>('document')
    if (!copy) return undefined
    await this.#recordUse(this.#isAllowed())
    const keys = this.ctx.storage.kv.get<Copy<Jwks>>('keys')
    const isCurrent = keys?.url === copy.value.jwks_uri && nowInSeconds() < Number(keys?.expiresAt)
    return {
      metadata: copy.value,
      changedAt: copy.changedAt,
      secretDigest: copy.secretDigest,
      keys: isCurrent ? keys?.value : undefined,
    }
  }

  /**
   * The client as its document describes it now. One that was never read is unknown, unless it is
   * introduced. Introductions are limited; afterwards, the document is read at most once a minute.
   */
  async readDocument(
    url: string,
    reader: Reader,
    introduction: { requester: Requester } | undefined,
  ): Promise<KnownClient | MetadataFailure | undefined> {
    const former = this.ctx.storage.kv.get<DocumentCopy>('document')
    if (!former && !introduction) return undefined
    if (!former && introduction && this.#mayFetch('document')) {
      const wait = await countUse(this.env, 'new documents', introduction.requester)
      // Not remembered, because it does not concern others.
      if (wait > 0) return { reason: 'limited', detail: 'Too many new clients from this network.' }
    }
    const failure = await this.#refresh('document', former, async () => {
      const fetched = await this.#fetch(url, reader, MAX_DOCUMENT_SIZE)
      if ('reason' in fetched) return fetched
      const value = parseMetadata(fetched.json, { clientId: url, issuer: reader.issuer })
      if ('reason' in value) return value
      const fetchedAt = nowInSeconds()
      const isSame = former && consentedPart(former.value) === consentedPart(value)
      this.ctx.storage.kv.put<DocumentCopy>('document', {
        url,
        value,
        fetchedAt,
        expiresAt: fetchedAt + fetched.lifetime,
        changedAt: isSame ? former.changedAt : fetchedAt,
      })
      return undefined
    })
    return failure ?? this.readCopy()
  }

  /** The client's keys. Those of a copy that does not have the required key are read again. */
  async readKeys(
    url: string,
    reader: Reader,
    { isRegistered, missingKey }: { isRegistered: boolean; missingKey: boolean },
  ): Promise<Jwks | MetadataFailure | undefined> {
    const stored = this.ctx.storage.kv.get<Copy<Jwks>>('keys')
    const former = stored?.url === url ? stored : undefined
    const isOutdated = missingKey && nowInSeconds() >= Number(former?.fetchedAt) + MIN_KEYS_AGE
    const failure = await this.#refresh(
      `keys at ${url}`,
      former && isOutdated ? { ...former, expiresAt: 0 } : former,
      async () => {
        const fetched = await this.#fetch(url, reader, MAX_KEYS_SIZE)
        if ('reason' in fetched) return fetched
        const value = parseKeys(fetched.json, url)
        if ('reason' in value) return value
        const fetchedAt = nowInSeconds()
        const expiresAt = fetchedAt + fetched.lifetime
        this.ctx.storage.kv.put<Copy<Jwks>>('keys', { url, value, fetchedAt, expiresAt })
        return undefined
      },
    )
    if (failure) return failure
    await this.#recordUse(isRegistered || this.#isAllowed())
    // While they are fetched from two URLs, the last ones are stored.
    const keys = this.ctx.storage.kv.get<Copy<Jwks>>('keys')
    return keys?.url === url ? keys.value : undefined
  }

  /**
   * It was not used for a long time, or not allowed for a day. Operators no longer see the client,
   * because its users have to allow it again; blocks are kept.
   */
  override async alarm(): Promise<void> {
    try {
      await database(this.env)
        .prepare(FORGET_APPROVALS)
        .bind(this.ctx.id.name ?? '', nowInSeconds() - MIN_APPROVAL_AGE)
        .run()
      await this.ctx.storage.deleteAll()
    } catch (error) {
      console.error(JSON.stringify({ event: 'client_cleanup_failed', cause: String(error) }))
      await this.ctx.storage.setAlarm(Date.now() + ALARM_RETRY_DELAY)
    }
  }

  /** Replaces a copy that has expired. Returns why there is none that can be used. */
  async #refresh(
    name: string,
    copy: Copy<unknown> | undefined,
    load: () => Promise<MetadataFailure | undefined>,
  ): Promise<MetadataFailure | undefined> {
    const now = nowInSeconds()
    if (copy && now < copy.expiresAt) return undefined
    const failed = this.#failures.get(name)
    const failure =
      failed && now < failed.retryAt ? failed.failure : await this.#loadOnce(name, load)
    if (!failure || failure.reason === 'invalid') return failure
    return copy && now < copy.fetchedAt + MAX_OUTAGE_AGE ? undefined : failure
  }

  /** Whether something would be fetched: that is not under way, and has not just failed. */
  #mayFetch(name: string): boolean {
    const { retryAt = 0 } = this.#failures.get(name) ?? {}
    return nowInSeconds() >= retryAt && !this.#fetches.has(name)
  }

  /** Loads something, unless that is under way, and remembers a failure. */
  async #loadOnce(
    name: string,
    load: () => Promise<MetadataFailure | undefined>,
  ): Promise<MetadataFailure | undefined> {
    const fetching = this.#fetches.get(name) ?? load()
    this.#fetches.set(name, fetching)
    try {
      const failure = await fetching
      if (failure) this.#failures.set(name, { failure, retryAt: nowInSeconds() + RETRY_INTERVAL })
      else this.#failures.delete(name)
      return failure
    } finally {
      if (this.#fetches.get(name) === fetching) this.#fetches.delete(name)
    }
  }

  async #fetch(url: string, { issuer, isDevelopment }: Reader, maxSize: number) {
    if (!mayRead(url, isDevelopment) || new URL(url).origin === issuer) {
      return { reason: 'invalid', detail: `${url} is not a public https URL.` } as const
    }
    return fetchJson(url, maxSize)
  }

  #isAllowed(): boolean {
    return this.ctx.storage.kv.get<boolean>('isAllowed') ?? false
  }

  /** Sets the time of its deletion, which only the use of an object that is kept for long changes. */
  async #recordUse(isKept: boolean): Promise<void> {
    const due = nowInSeconds() + (isKept ? UNUSED_LIFETIME : UNALLOWED_LIFETIME)
    const alarm = await this.ctx.storage.getAlarm()
    const isOutdated = isKept && Number(alarm) < (due - USE_INTERVAL) * 1000
    if (alarm === null || isOutdated) await this.ctx.storage.setAlarm(due * 1000)
  }
}

const FORGET_APPROVALS =
  'DELETE FROM unregistered_clients WHERE id = ?1 AND approved_at < ?2 AND blocked_at IS NULL'

/** The object of a client. */
export function clientMetadataObject(
  env: Env,
  clientId: string,
): DurableObjectStub<ClientMetadataObject> {
  return namedObject(env, env.CLIENT_METADATA, clientId)
}
