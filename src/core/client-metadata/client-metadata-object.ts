import { DurableObject } from 'cloudflare:workers'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import { mayRead } from '../fetch/public-url.ts'
import type { Jwks } from '../registration-schemas/public-keys.ts'
import { namedObject } from '../storage/object-location.ts'
import type { MetadataFailure } from './client-metadata-error.ts'
import { type FetchedJson, fetchJson } from './fetch-json.ts'
import { parseKeys } from './parse-keys.ts'

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

/** After a failed deletion, there is another attempt. */
const ALARM_RETRY_DELAY = 3_600_000 // milliseconds

/** How often the use of an object is recorded. */
const USE_INTERVAL = 24 * 3600 // seconds

/** What was fetched from a URL. Times are in seconds since 1970. */
export interface Copy<Value> {
  url: string
  value: Value
  fetchedAt: number
  expiresAt: number
}

/** Who reads: the deployment. */
export interface Reader {
  issuer: string
  isDevelopment: boolean
}

declare module '../storage/extensible-objects.ts' {
  interface ExtensibleObjects {
    ClientMetadataObject: typeof ClientMetadataObject
  }
}

/**
 * What one client publishes about itself: its keys at `jwks_uri`. The object is named after the
 * client. Of simultaneous requests, one fetches. Errors are only kept in memory, for a minute.
 */
export class ClientMetadataObject extends DurableObject<Env> {
  /** The fetches that are under way. */
  readonly #fetches = new Map<string, Promise<MetadataFailure | undefined>>()

  /** Why the last fetch has failed, and when the next one may start. */
  readonly #failures = new Map<string, { failure: MetadataFailure; retryAt: number }>()

  /** Responds, and stores nothing. */
  ping(): void {}

  /** The client's keys. Those of a copy that does not have the required key are read again. */
  async readKeys(
    url: string,
    reader: Reader,
    missingKey: boolean,
  ): Promise<Jwks | MetadataFailure | undefined> {
    const stored = this.ctx.storage.kv.get<Copy<Jwks>>('keys')
    const former = stored?.url === url ? stored : undefined
    const isOutdated = missingKey && nowInSeconds() >= Number(former?.fetchedAt) + MIN_KEYS_AGE
    const failure = await this.refresh(
      `keys at ${url}`,
      former && isOutdated ? { ...former, expiresAt: 0 } : former,
      async () => {
        const fetched = await this.fetchPublic(url, reader, MAX_KEYS_SIZE)
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
    await this.recordUse()
    // While they are fetched from two URLs, the last ones are stored.
    const keys = this.ctx.storage.kv.get<Copy<Jwks>>('keys')
    return keys?.url === url ? keys.value : undefined
  }

  /** It was not used for a long time, or not allowed for a day. */
  override async alarm(): Promise<void> {
    try {
      await this.deleteRecords()
      await this.ctx.storage.deleteAll()
    } catch (error) {
      console.error(JSON.stringify({ event: 'client_cleanup_failed', cause: String(error) }))
      await this.ctx.storage.setAlarm(Date.now() + ALARM_RETRY_DELAY)
    }
  }

  /** Whether it is kept while it is used, and not for a day only. */
  protected isKept(): boolean {
    return true
  }

  /** Deletes what other storage has about the client. */
  protected async deleteRecords(): Promise<void> {}

  /** Replaces a copy that has expired. Returns why there is none that can be used. */
  protected async refresh(
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
  protected mayFetch(name: string): boolean {
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

  /** Fetches JSON from a public URL. */
  protected async fetchPublic(
    url: string,
    { issuer, isDevelopment }: Reader,
    maxSize: number,
  ): Promise<FetchedJson | MetadataFailure> {
    if (!mayRead(url, isDevelopment) || new URL(url).origin === issuer) {
      return { reason: 'invalid', detail: `${url} is not a public https URL.` }
    }
    return fetchJson(url, maxSize)
  }

  /** Sets the time of its deletion, which only the use of an object that is kept for long changes. */
  protected async recordUse(): Promise<void> {
    const isKept = this.isKept()
    const due = nowInSeconds() + (isKept ? UNUSED_LIFETIME : UNALLOWED_LIFETIME)
    const alarm = await this.ctx.storage.getAlarm()
    const isOutdated = isKept && Number(alarm) < (due - USE_INTERVAL) * 1000
    if (alarm === null || isOutdated) await this.ctx.storage.setAlarm(due * 1000)
  }
}

/** The object of a client. */
export function clientMetadataObject(
  env: Env,
  clientId: string,
): DurableObjectStub<ClientMetadataObject> {
  return namedObject(env, env.CLIENT_METADATA, clientId)
}
