import { base64url } from 'jose'
import { concatenate, encodeCbor } from './cbor.ts'

/** {@link https://www.w3.org/TR/webauthn-3/#authdata-flags} */
const FLAGS = { present: 1, verified: 4, backupEligible: 8, backedUp: 16, hasCredential: 64 }

/** How a response differs from that of a correct authenticator in a correct browser. */
export interface Deviations {
  origin?: string
  rpId?: string
  type?: string
  challenge?: string
  crossOrigin?: boolean
  isPresent?: boolean
  isVerified?: boolean
  isBackupEligible?: boolean
  counter?: number
  credentialId?: string
  userHandle?: string | null
  /** Signs with another key. */
  key?: CryptoKey
}

interface CreationOptions {
  challenge: string
  rp: { id: string }
  user: { id: string; name: string; displayName: string }
  excludeCredentials: { id: string }[]
}

interface RequestOptions {
  challenge: string
  rpId: string
  allowCredentials: { id: string }[]
}

const ORIGIN = 'https://login.example'

/** An authenticator with one passkey, and the browser that it belongs to. */
export class Authenticator {
  counter = 0
  credentialId = base64url.encode(crypto.getRandomValues(new Uint8Array(16)))
  userHandle = ''
  #keys: CryptoKeyPair | undefined

  async #keyPair(): Promise<CryptoKeyPair> {
    this.#keys ??= (await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
      'sign',
      'verify',
    ])) as CryptoKeyPair
    return this.#keys
  }

  /** The passkey with its key and counter on a second device. */
  async clone(): Promise<Authenticator> {
    const copy = new Authenticator()
    copy.counter = this.counter
    copy.credentialId = this.credentialId
    copy.userHandle = this.userHandle
    copy.#keys = await this.#keyPair()
    return copy
  }

  /** What a browser sends after `navigator.credentials.create`. */
  async create(options: CreationOptions, deviations: Deviations = {}): Promise<string> {
    this.userHandle = options.user.id
    const { credentialId = this.credentialId } = deviations
    const id = base64url.decode(credentialId)
    const credentialData = concatenate(
      new Uint8Array(16),
      new Uint8Array([id.length >> 8, id.length & 255]),
      id,
      await this.#coseKey(),
    )
    const authData = concatenate(
      await this.#authenticatorData(
        deviations.rpId ?? options.rp.id,
        FLAGS.hasCredential,
        deviations,
      ),
      credentialData,
    )
    const clientData = clientDataJson('webauthn.create', options.challenge, deviations)
    return JSON.stringify({
      id: credentialId,
      rawId: credentialId,
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url.encode(clientData),
        attestationObject: base64url.encode(
          encodeCbor(
            new Map<string, unknown>([
              ['fmt', 'none'],
              ['attStmt', new Map()],
              ['authData', authData],
            ]),
          ),
        ),
        transports: ['internal', 'hybrid'],
        publicKeyAlgorithm: -7,
      },
    })
  }

  /** What a browser sends after `navigator.credentials.get`. */
  async get(options: RequestOptions, deviations: Deviations = {}): Promise<string> {
    const { credentialId = this.credentialId, userHandle = this.userHandle } = deviations
    const authData = await this.#authenticatorData(deviations.rpId ?? options.rpId, 0, deviations)
    const clientData = clientDataJson('webauthn.get', options.challenge, deviations)
    const clientDataHash = await crypto.subtle.digest('SHA-256', clientData)
    const signature = await crypto.subtle.sign(
      { name: 'ECDSA', hash: 'SHA-256' },
      deviations.key ?? (await this.#keyPair()).privateKey,
      concatenate(authData, new Uint8Array(clientDataHash)),
    )
    return JSON.stringify({
      id: credentialId,
      rawId: credentialId,
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url.encode(clientData),
        authenticatorData: base64url.encode(authData),
        signature: base64url.encode(toDer(new Uint8Array(signature))),
        userHandle,
      },
    })
  }

  async #authenticatorData(
    rpId: string,
    flags: number,
    { isPresent = true, isVerified = true, isBackupEligible = true, counter }: Deviations,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(rpId))
    const allFlags =
      flags |
      (isPresent ? FLAGS.present : 0) |
      (isVerified ? FLAGS.verified : 0) |
      (isBackupEligible ? FLAGS.backupEligible | FLAGS.backedUp : 0)
    const count = new Uint8Array(4)
    new DataView(count.buffer).setUint32(0, counter ?? this.counter)
    return concatenate(new Uint8Array(hash), new Uint8Array([allFlags]), count)
  }

  /** {@link https://www.rfc-editor.org/rfc/rfc9053#section-7.1.1} */
  async #coseKey(): Promise<Uint8Array<ArrayBuffer>> {
    const { publicKey } = await this.#keyPair()
    const jwk = (await crypto.subtle.exportKey('jwk', publicKey)) as JsonWebKey
    return encodeCbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, base64url.decode(jwk.x ?? '')],
        [-3, base64url.decode(jwk.y ?? '')],
      ]),
    )
  }
}

function clientDataJson(
  type: string,
  challenge: string,
  deviations: Deviations,
): Uint8Array<ArrayBuffer> {
  const data = {
    type: deviations.type ?? type,
    challenge: deviations.challenge ?? challenge,
    origin: deviations.origin ?? ORIGIN,
    crossOrigin: deviations.crossOrigin ?? false,
  }
  return new TextEncoder().encode(JSON.stringify(data)) as Uint8Array<ArrayBuffer>
}

/** WebCrypto returns the two numbers of a signature one after the other; authenticators send them in ASN.1. */
function toDer(signature: Uint8Array): Uint8Array {
  const half = signature.length / 2
  const numbers = [signature.slice(0, half), signature.slice(half)].map((bytes) => {
    const start = bytes.findIndex((byte) => byte !== 0)
    const trimmed = bytes.slice(start)
    const isNegative = (trimmed[0] ?? 0) > 127
    const value = isNegative ? concatenate(new Uint8Array([0]), trimmed) : trimmed
    return concatenate(new Uint8Array([2, value.length]), value)
  })
  const content = concatenate(...numbers)
  return concatenate(new Uint8Array([48, content.length]), content)
}
