import type { MetadataFailure } from '../../core/client-metadata/client-metadata-error.ts'
import type {
  ClientMetadataObject,
  Copy,
  Reader,
} from '../../core/client-metadata/client-metadata-object.ts'
import { clientMetadataObject } from '../../core/client-metadata/client-metadata-object.ts'
import type { Requester } from '../../core/limits/network.ts'
import type { Jwks } from '../../core/registration-schemas/public-keys.ts'
import { database } from '../../core/storage/database.ts'
import { countUse } from '../../define-feature/count-in-guards.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import { USE_LIMITS } from './limits.ts'
import { type ClientMetadata, consentedPart, parseMetadata } from './parse-metadata.ts'

/** The recommended size (draft-ietf-oauth-client-id-metadata-document §8.7). */
const MAX_DOCUMENT_SIZE = 5 * 1024 // bytes

/** An approval that is younger may be of a user who waits for the app right now. */
const MIN_APPROVAL_AGE = 60 // seconds

interface DocumentCopy extends Copy<ClientMetadata> {
  /** Since when what users consent to is unchanged. */
  changedAt: number
  /** Of a client that has registered itself and got a secret: the SHA-256 in hex. */
  secretDigest?: string | undefined
}

/** An unregistered client. */
export interface KnownClient extends Pick<DocumentCopy, 'changedAt' | 'secretDigest'> {
  metadata: ClientMetadata
  /** Its keys at `jwks_uri`, if they were read recently. */
  keys: Jwks | undefined
}

/** What the object of an unregistered client does. */
export interface UnregisteredClientObject {
  /** Stores a client that has registered itself. */
  register(metadata: ClientMetadata, secretDigest: string | undefined): Promise<void>
  /** A user has allowed the client. From now on, it is kept while it is used. */
  recordApproval(): Promise<void>
  /** The client as it was last read, or as it has registered itself. */
  readCopy(): Promise<KnownClient | undefined>
  /**
   * The client as its document describes it now. One that was never read is unknown, unless it is
   * introduced. Introductions are limited; afterwards, the document is read at most once a minute.
   */
  readDocument(
    url: string,
    reader: Reader,
    introduction: { requester: Requester } | undefined,
  ): Promise<KnownClient | MetadataFailure | undefined>
}

/** The object of an unregistered client. */
export function unregisteredClientObject(env: Env, clientId: string) {
  return clientMetadataObject(env, clientId) as unknown as UnregisteredClientObject
}

/** Adds the metadata document of a client, or what it has registered. */
export function withUnregisteredClient(
  Base: typeof ClientMetadataObject,
): typeof ClientMetadataObject {
  return class extends Base implements UnregisteredClientObject {
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
      await this.recordUse()
    }

    async recordApproval(): Promise<void> {
      if (!this.ctx.storage.kv.get<DocumentCopy>('document')) return
      if (!this.isKept()) this.ctx.storage.kv.put('isAllowed', true)
      await this.recordUse()
    }

    async readCopy(): Promise<KnownClient | undefined> {
      const copy = this.ctx.storage.kv.get<DocumentCopy>('document')
      if (!copy) return undefined
      await this.recordUse()
      const keys = this.ctx.storage.kv.get<Copy<Jwks>>('keys')
      const isCurrent =
        keys?.url === copy.value.jwks_uri && nowInSeconds() < Number(keys?.expiresAt)
      return {
        metadata: copy.value,
        changedAt: copy.changedAt,
        secretDigest: copy.secretDigest,
        keys: isCurrent ? keys?.value : undefined,
      }
    }

    async readDocument(
      url: string,
      reader: Reader,
      introduction: { requester: Requester } | undefined,
    ): Promise<KnownClient | MetadataFailure | undefined> {
      const former = this.ctx.storage.kv.get<DocumentCopy>('document')
      if (!former && !introduction) return undefined
      if (!former && introduction && this.mayFetch('document')) {
        const wait = await countUse(
          this.env,
          { limits: USE_LIMITS, name: 'new documents' },
          introduction.requester,
        )
        // Not remembered, because it does not concern others.
        if (wait > 0)
          return { reason: 'limited', detail: 'Too many new clients from this network.' }
      }
      const failure = await this.refresh('document', former, async () => {
        const fetched = await this.fetchPublic(url, reader, MAX_DOCUMENT_SIZE)
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

    /** An unregistered client is kept if a user has allowed it. */
    protected override isKept(): boolean {
      const { kv } = this.ctx.storage
      return kv.get<DocumentCopy>('document') === undefined || kv.get('isAllowed') === true
    }

    /**
     * Operators no longer see the client, because its users have to allow it again; blocks are kept.
     */
    protected override async deleteRecords(): Promise<void> {
      await database(this.env)
        .prepare(FORGET_APPROVALS)
        .bind(this.ctx.id.name ?? '', nowInSeconds() - MIN_APPROVAL_AGE)
        .run()
    }
  }
}

const FORGET_APPROVALS =
  'DELETE FROM unregistered_clients WHERE id = ?1 AND approved_at < ?2 AND blocked_at IS NULL'
