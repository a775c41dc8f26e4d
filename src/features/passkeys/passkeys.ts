import type { JWK } from 'jose'
import { KvRecords } from '../../core/storage/kv-records.ts'
import { type AccountReference, accountKey } from '../../core/users/account-reference.ts'
import type { UserRecords } from '../../core/users/user-records.ts'

/** The provider of the accounts in the directory that map credential ids to users. */
export const PASSKEY_PROVIDER = 'passkey'

/** The account of a passkey in the directory. */
export function passkeyAccount(credentialId: string): AccountReference {
  return { provider: PASSKEY_PROVIDER, issuer: '', accountId: credentialId }
}

/** A passkey of one user. */
export interface Passkey {
  /** The credential id, in base64url. */
  credentialId: string
  /** Its `alg` is that of the signatures. */
  publicKey: JWK
  /** The signature counter of the last assertion; 0 if the authenticator has none. */
  counter: number
  /** How browsers can reach the authenticator. */
  transports: readonly string[]
  /** The model of the authenticator. Not attested, so it proves nothing. */
  aaguid: string
  /** Whether the passkey may be copied to other devices of the user. */
  isBackupEligible: boolean
  /** Whether it was, at the last assertion. */
  isBackedUp: boolean
  /** After where it is kept, unless the user has chosen another one. */
  name: string
  createdAt: number
  lastUsedAt?: number
}

/** The directory's copy of a passkey, and when it was read, by the directory's clock. */
export interface PasskeyCopy {
  passkey: Passkey
  readAt: number
}

/**
 * What an assertion proves about the state of its passkey, once its signature has been verified.
 */
export interface PasskeyUse {
  credentialId: string
  counter: number
  isBackupEligible: boolean
  isBackedUp: boolean
  usedAt: number
}

/**
 * `cloned`: the counter did not increase, so two authenticators have the same key, or an assertion
 * was repeated. `changed`: the passkey was created with another backup eligibility.
 */
export type PasskeyUseResult = 'used' | 'unknown' | 'cloned' | 'changed'

/**
 * More devices than anyone has. The options of a ceremony list the credential ids of all of them.
 */
export const MAX_PASSKEYS = 20

/**
 * The passkeys of one user. The directory maps credential ids to users: a passkey without an entry
 * there cannot be used.
 */
export class Passkeys implements UserRecords {
  readonly #records: KvRecords<Passkey>

  constructor(kv: SyncKvStorage) {
    this.#records = new KvRecords(kv, 'passkey:')
  }

  find(credentialId: string): Passkey | undefined {
    return this.#records.get(credentialId)
  }

  /** The oldest first. */
  list(): Passkey[] {
    return this.#records.values().sort((a, b) => a.createdAt - b.createdAt)
  }

  /** Returns false if the user has too many, or has this one already. */
  add(passkey: Passkey): boolean {
    if (this.find(passkey.credentialId) || this.list().length >= MAX_PASSKEYS) return false
    this.#put(passkey)
    return true
  }

  /**
   * Records an assertion, unless it shows that the passkey was copied
   * ({@link https://www.w3.org/TR/webauthn-3/#sctn-verifying-assertion}, steps 19 and 22).
   */
  use({ credentialId, counter, usedAt, ...flags }: PasskeyUse): PasskeyUseResult {
    const passkey = this.find(credentialId)
    if (!passkey) return 'unknown'
    if (passkey.isBackupEligible !== flags.isBackupEligible) return 'changed'
    const hasCounter = counter > 0 || passkey.counter > 0
    if (hasCounter && counter <= passkey.counter) return 'cloned'
    this.#put({ ...passkey, counter, isBackedUp: flags.isBackedUp, lastUsedAt: usedAt })
    return 'used'
  }

  rename(credentialId: string, name: string): void {
    const passkey = this.find(credentialId)
    if (passkey) this.#put({ ...passkey, name })
  }

  delete(credentialId: string): void {
    this.#records.delete(credentialId)
  }

  phishingResistantAccounts(): string[] {
    return this.list().map(({ credentialId }) => accountKey(passkeyAccount(credentialId)))
  }

  exportData() {
    const passkeys = this.list().map((passkey) => ({
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      name: passkey.name,
      created_at: passkey.createdAt,
      last_used_at: passkey.lastUsedAt,
      is_backup_eligible: passkey.isBackupEligible,
      is_backed_up: passkey.isBackedUp,
      transports: passkey.transports,
      aaguid: passkey.aaguid,
      signature_counter: passkey.counter,
    }))
    return { passkeys }
  }

  #put(passkey: Passkey): void {
    this.#records.put(passkey.credentialId, passkey)
  }
}
