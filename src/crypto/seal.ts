import { decodeBase64url, encodeBase64url } from './base64url.ts'
import { randomBytes } from './random.ts'

/** What a sealed value is for. Each purpose has its own key, so none opens as another. */
export type Purpose =
  | 'session'
  | 'attempt'
  | 'csrf'
  | 'keyring'
  | 'account'
  | 'proxy'
  | 'code'
  | 'refresh'
  | 'consent'
  | 'reauth'
  | 'link'
  | 'request'
  | 'state'

/** AES-GCM's own nonce length (NIST SP 800-38D §5.2.1.1). */
const NONCE_BYTES = 12

/**
 * The deployment's secrets as keys: what is sealed can be neither read nor altered outside, and opens
 * only for the purpose and the context it was sealed for. The first secret seals; all of them open,
 * so a secret can be replaced without signing anyone out.
 */
export class Seal {
  readonly #secrets: readonly string[]
  readonly #keys = new Map<Purpose, CryptoKey[]>()
  #nonceKey: CryptoKey | undefined

  constructor(secrets: readonly [string, ...string[]]) {
    this.#secrets = secrets
  }

  seal(purpose: Purpose, context: string, text: string): Promise<string> {
    return this.#seal(purpose, context, text, randomBytes(NONCE_BYTES))
  }

  /**
   * Seals so that the same text always looks the same. The nonce is made of the text and a secret, as in
   * RFC 8452: no two texts share one. For what is never sealed twice to be told apart.
   */
  async sealAlike(purpose: Purpose, context: string, text: string): Promise<string> {
    this.#nonceKey ??= await deriveNonceKey(this.#secrets[0] ?? '')
    const made = await crypto.subtle.sign(
      'HMAC',
      this.#nonceKey,
      utf8.encode(`${purpose} ${context} ${text}`),
    )
    return this.#seal(purpose, context, text, new Uint8Array(made, 0, NONCE_BYTES))
  }

  async #seal(purpose: Purpose, context: string, text: string, nonce: Uint8Array): Promise<string> {
    const [key] = this.#keys.get(purpose) ?? (await this.#makeKeys(purpose))
    if (!key) throw new Error('A seal needs a secret.')
    const sealed = await crypto.subtle.encrypt(parameters(nonce, context), key, utf8.encode(text))
    // Twelve bytes fill their letters, so that two texts are the text of both.
    return encodeBase64url(nonce) + encodeBase64url(new Uint8Array(sealed))
  }

  /** The sealed text, or `undefined` for anything we did not seal for this purpose and context. */
  async open(purpose: Purpose, context: string, sealed: string): Promise<string | undefined> {
    const bytes = decodeBase64url(sealed)
    if (!bytes || bytes.length <= NONCE_BYTES) return undefined
    const nonce = bytes.subarray(0, NONCE_BYTES)

    for (const key of this.#keys.get(purpose) ?? (await this.#makeKeys(purpose))) {
      try {
        const text = await crypto.subtle.decrypt(
          parameters(nonce, context),
          key,
          bytes.subarray(NONCE_BYTES),
        )
        return fromUtf8.decode(text)
      } catch {
        // Not by this key.
      }
    }
    return undefined
  }

  async #makeKeys(purpose: Purpose): Promise<CryptoKey[]> {
    const keys = await Promise.all(this.#secrets.map((secret) => deriveKey(secret, purpose)))
    this.#keys.set(purpose, keys)
    return keys
  }
}

function deriveKey(secret: string, purpose: Purpose): Promise<CryptoKey> {
  return derive(secret, purpose, { name: 'AES-GCM', length: 256 }, ['encrypt', 'decrypt'])
}

function deriveNonceKey(secret: string): Promise<CryptoKey> {
  return derive(secret, 'nonce', { name: 'HMAC', hash: 'SHA-256', length: 256 }, ['sign'])
}

/** {@link https://www.rfc-editor.org/rfc/rfc5869} */
async function derive(
  secret: string,
  label: string,
  algorithm: Parameters<SubtleCrypto['deriveKey']>[2],
  usages: ('encrypt' | 'decrypt' | 'sign')[],
): Promise<CryptoKey> {
  const root = await crypto.subtle.importKey('raw', utf8.encode(secret), 'HKDF', false, [
    'deriveKey',
  ])
  const info = utf8.encode(`vestibule ${label}`)
  const salt = new Uint8Array()
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt, info },
    root,
    algorithm,
    false,
    usages,
  )
}

const utf8 = new TextEncoder()
const fromUtf8 = new TextDecoder()

function parameters(nonce: Uint8Array, context: string) {
  return { name: 'AES-GCM', iv: nonce, additionalData: utf8.encode(context) }
}
