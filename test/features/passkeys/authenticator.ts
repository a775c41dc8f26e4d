import { base64url } from 'jose'
import { concatenate, encodeCbor } from './cbor.ts'

/** {@link https://www.w3.org/TR/webauthn-3/#authdata-flags} */
const FLAGS = {
  present: 1,
  verified: 4,
  backupEligible: 8,
  backedUp: 16,
  hasCredential: 64,
  hasExtensions: 128,
}

/** The algorithms of passkeys, and one that is not requested. */
const KEY_ALGORITHMS = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256' },
  EdDSA: { name: 'Ed25519' },
  RS256: {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  },
  ES384: { name: 'ECDSA', namedCurve: 'P-384' },
}

export type Algorithm = keyof typeof KEY_ALGORITHMS

/** How a response differs from that of a correct authenticator in a correct browser. */
export interface Deviations {
  origin?: string
  rpId?: string
  type?: string
  challenge?: string
  crossOrigin?: unknown
  topOrigin?: string
  isPresent?: boolean
  isVerified?: boolean
  isBackupEligible?: boolean
  isBackedUp?: boolean
  /** The model of the authenticator, as a UUID. */
  aaguid?: string
  /** Appended to the authenticator data, in CBOR. */
  extensions?: Map<string, unknown>
  /**
   * Signs a new passkey with its own key, and names the format of this attestation. It is `packed`.
   */
  attestationFormat?: string
  /** Changes the authenticator data of an assertion before it is signed. */
  changeData?: (data: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>
  /** Parameters of the public key of a new passkey that replace the correct ones. */
  keyParameters?: [label: number, value: unknown][]
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

const NO_AAGUID = '00000000-0000-0000-0000-000000000000'

function uuidBytes(uuid: string): Uint8Array<ArrayBuffer> {
  const pairs = uuid.replaceAll('-', '').match(/../g) ?? []
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16))
}

/** An authenticator with one passkey, and the browser that it belongs to. */
export class Authenticator {
  counter = 0
  credentialId = base64url.encode(crypto.getRandomValues(new Uint8Array(16)))
  userHandle = ''
  readonly #algorithm: Algorithm
  #keys: CryptoKeyPair | undefined

  constructor(algorithm: Algorithm = 'ES256') {
    this.#algorithm = algorithm
  }

  async #keyPair(): Promise<CryptoKeyPair> {
    this.#keys ??= (await crypto.subtle.generateKey(KEY_ALGORITHMS[this.#algorithm], true, [
      'sign',
      'verify',
    ])) as CryptoKeyPair
    return this.#keys
  }

  /** The passkey with its key and counter on a second device. */
  async clone(): Promise<Authenticator> {
    const copy = new Authenticator(this.#algorithm)
    copy.counter = this.counter
    copy.credentialId = this.credentialId
    copy.userHandle = this.userHandle
    copy.#keys = await this.#keyPair()
    return copy
  }

  /** What a browser sends after `navigator.credentials.create`. */
  async create(options: CreationOptions, deviations: Deviations = {}): Promise<string> {
    this.userHandle = options.user.id
    const { credentialId = this.credentialId, aaguid = NO_AAGUID } = deviations
    const id = base64url.decode(credentialId)
    const credentialData = concatenate(
      uuidBytes(aaguid),
      new Uint8Array([id.length >> 8, id.length & 255]),
      id,
      await this.#coseKey(deviations),
    )
    const authData = await this.#authenticatorData(
      { rpId: options.rp.id, credentialData },
      deviations,
    )
    const clientData = clientDataJson('webauthn.create', options.challenge, deviations)
    const { attestationFormat } = deviations
    const attestation = new Map<string, unknown>()
    if (attestationFormat !== undefined) {
      attestation.set('alg', -7)
      attestation.set('sig', await this.#sign(authData, clientData, deviations))
    }
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
              ['fmt', attestationFormat ?? 'none'],
              ['attStmt', attestation],
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
    const { changeData = (data) => data } = deviations
    const authData = changeData(await this.#authenticatorData({ rpId: options.rpId }, deviations))
    const clientData = clientDataJson('webauthn.get', options.challenge, deviations)
    const signature = await this.#sign(authData, clientData, deviations)
    return JSON.stringify({
      id: credentialId,
      rawId: credentialId,
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url.encode(clientData),
        authenticatorData: base64url.encode(authData),
        signature: base64url.encode(signature),
        userHandle,
      },
    })
  }

  async #sign(
    authData: Uint8Array,
    clientData: Uint8Array<ArrayBuffer>,
    { key }: Deviations,
  ): Promise<Uint8Array> {
    const clientDataHash = await crypto.subtle.digest('SHA-256', clientData)
    const privateKey = key ?? (await this.#keyPair()).privateKey
    const { name } = privateKey.algorithm
    const signed = concatenate(authData, new Uint8Array(clientDataHash))
    const signature = await crypto.subtle.sign({ name, hash: 'SHA-256' }, privateKey, signed)
    const bytes = new Uint8Array(signature)
    return name === 'ECDSA' ? toDer(bytes) : bytes
  }

  async #authenticatorData(
    { rpId, credentialData }: { rpId: string; credentialData?: Uint8Array },
    deviations: Deviations,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { isPresent = true, isVerified = true, isBackupEligible = true, extensions } = deviations
    const { isBackedUp = isBackupEligible } = deviations
    const hash = await crypto.subtle.digest(
      'SHA-256',
      new TextEncoder().encode(deviations.rpId ?? rpId),
    )
    const flags =
      (isPresent ? FLAGS.present : 0) |
      (isVerified ? FLAGS.verified : 0) |
      (isBackupEligible ? FLAGS.backupEligible : 0) |
      (isBackedUp ? FLAGS.backedUp : 0) |
      (credentialData ? FLAGS.hasCredential : 0) |
      (extensions ? FLAGS.hasExtensions : 0)
    const count = new Uint8Array(4)
    new DataView(count.buffer).setUint32(0, deviations.counter ?? this.counter)
    return concatenate(
      new Uint8Array(hash),
      new Uint8Array([flags]),
      count,
      credentialData ?? new Uint8Array(),
      extensions ? encodeCbor(extensions) : new Uint8Array(),
    )
  }

  /** {@link https://www.rfc-editor.org/rfc/rfc9053#section-7} */
  async #coseKey({ keyParameters = [] }: Deviations): Promise<Uint8Array<ArrayBuffer>> {
    const { publicKey } = await this.#keyPair()
    const jwk = (await crypto.subtle.exportKey('jwk', publicKey)) as JsonWebKey
    const [x, y, n, e] = [jwk.x, jwk.y, jwk.n, jwk.e].map((value) => base64url.decode(value ?? ''))
    const parameters: Record<Algorithm, [number, unknown][]> = {
      ES256: [
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, x],
        [-3, y],
      ],
      EdDSA: [
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, x],
      ],
      RS256: [
        [1, 3],
        [3, -257],
        [-1, n],
        [-2, e],
      ],
      ES384: [
        [1, 2],
        [3, -35],
        [-1, 2],
        [-2, x],
        [-3, y],
      ],
    }
    return encodeCbor(new Map([...parameters[this.#algorithm], ...keyParameters]))
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
    topOrigin: deviations.topOrigin,
  }
  return new TextEncoder().encode(JSON.stringify(data)) as Uint8Array<ArrayBuffer>
}

/**
 * WebCrypto returns the two numbers of a signature one after the other; authenticators send them in
 * ASN.1.
 */
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
