import { base64url } from 'jose'
import { sha256 } from '../../foundation/crypto/digest.ts'

/** Tokens that must no longer be accepted although they have not expired. */
export interface Revocation {
  /**
   * The session (`sid`), grant or credential (in `jti`), user (`sub`) or client (`client_id`) that
   * they name.
   */
  id: string
  /**
   * Tokens that were issued later are valid, in seconds since 1970. Absent for a session, grant or
   * credential that has ended.
   */
  before?: number
  /** When the last of the tokens has expired, in seconds since 1970. */
  expiresAt: number
  /** The client and the session of a grant. */
  part?: ClientSession
}

/** A client in a session of its user. */
interface ClientSession {
  clientId: string
  sid: string
}

/** A revocation as it is stored and published: with a digest instead of the id. */
export interface PublishedRevocation extends Omit<Revocation, 'id' | 'part'> {
  digest: string
}

/**
 * How much of the SHA-256 digest of an id is published. With 100,000 revocations, a token whose
 * four ids are looked up is rejected by mistake with a probability of 2·10⁻¹⁴.
 */
const DIGEST_LENGTH = 8 // bytes

/** Nobody finds another client and session with the same id. */
const CLIENT_SESSION_LENGTH = 16 // bytes

/** How much longer than its tokens a revocation is published, because clocks differ. */
export const EXPIRY_MARGIN = 60 // seconds

/**
 * The id that access tokens of a client in a session have in `jti`, so that all of them can be
 * revoked with one entry.
 */
export async function clientSessionId({ clientId, sid }: ClientSession): Promise<string> {
  const bytes = await sha256(JSON.stringify([clientId, sid]))
  return `cs_${base64url.encode(bytes.subarray(0, CLIENT_SESSION_LENGTH))}`
}

/** The first bytes of the SHA-256 digest of an id, in base64url. */
export async function revocationDigest(id: string): Promise<string> {
  return base64url.encode((await sha256(id)).subarray(0, DIGEST_LENGTH))
}
