import { type CBORType, decodePartialCBOR } from '@levischuck/tiny-cbor'
import { base64url } from 'jose'

/** {@link https://www.w3.org/TR/webauthn-3/#authdata-flags} */
const FLAGS = {
  userPresent: 0x01,
  userVerified: 0x04,
  backupEligible: 0x08,
  backedUp: 0x10,
  hasCredential: 0x40,
  hasExtensions: 0x80,
}

/** The hash of the RP id, the flags and the counter. */
const HEADER_LENGTH = 37

const AAGUID_LENGTH = 16

/** What an authenticator says about a ceremony, in bytes that it signs. */
export interface AuthenticatorData {
  /** In base64url. */
  rpIdHash: string
  isUserPresent: boolean
  isUserVerified: boolean
  isBackupEligible: boolean
  isBackedUp: boolean
  counter: number
  /** The new passkey. Absent in an assertion. */
  credential?: {
    id: string
    aaguid: string
    /** In the COSE format. */
    publicKey: CBORType
  }
}

/** Throws if the bytes are malformed, or if some are left over. */
export function parseAuthenticatorData(bytes: Uint8Array<ArrayBuffer>): AuthenticatorData {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const flags = view.getUint8(32)
  const data: AuthenticatorData = {
    rpIdHash: base64url.encode(bytes.slice(0, 32)),
    isUserPresent: (flags & FLAGS.userPresent) !== 0,
    isUserVerified: (flags & FLAGS.userVerified) !== 0,
    isBackupEligible: (flags & FLAGS.backupEligible) !== 0,
    isBackedUp: (flags & FLAGS.backedUp) !== 0,
    counter: view.getUint32(33),
  }
  let end = HEADER_LENGTH
  if (flags & FLAGS.hasCredential) {
    const idStart = end + AAGUID_LENGTH + 2
    const keyStart = idStart + view.getUint16(end + AAGUID_LENGTH)
    const [publicKey, keyLength] = decodePartialCBOR(bytes, keyStart)
    data.credential = {
      aaguid: toUuid(bytes.slice(end, end + AAGUID_LENGTH)),
      id: base64url.encode(bytes.slice(idStart, keyStart)),
      publicKey,
    }
    end = keyStart + keyLength
  }
  if (flags & FLAGS.hasExtensions) {
    const [extensions, length] = decodePartialCBOR(bytes, end)
    if (!(extensions instanceof Map)) throw new Error('The extensions are not a map.')
    end += length
  }
  if (end !== bytes.length) throw new Error('The authenticator data has another length.')
  return data
}

function toUuid(bytes: Uint8Array): string {
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
