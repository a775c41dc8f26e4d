import { base64url } from 'jose'

/**
 * What a sealed value of the core is for. Each purpose has its own key, so a value never opens for
 * another purpose. Features declare others, and pass their type.
 */
export const PURPOSES = [
  'session',
  'pending',
  'attempt',
  'interaction',
  'csrf',
  'keyring',
  'proxy',
  'code',
  'refresh',
  'link',
  'state',
  'known',
  'notice',
  'entered',
  'server',
] as const

export type Purpose = (typeof PURPOSES)[number]

/** The nonce length AES-GCM is specified for (NIST SP 800-38D §5.2.1.1). */
const NONCE_LENGTH = 12 // bytes

/** As long as the digests in the revocation feed. */
const PSEUDONYM_LENGTH = 8 // bytes

const utf8 = new TextEncoder()

/** Otherwise a text would lose U+FEFF at its beginning. */
const EVERY_CHARACTER = { fatal: false, ignoreBOM: true }

/**
 * Authenticated encryption with the deployment's secrets. A sealed value cannot be read or altered
 * by anyone else, and opens only for the purpose and context it was sealed for. The first secret
 * seals and all of them open, so a secret can be replaced without signing anyone out. Leaked ones
 * open only what is in storage, where nobody who has such a secret can put anything.
 */
export class Seal {
  readonly #secrets: readonly string[]
  readonly #leaked: readonly string[]
  /** Those of the leaked secrets are the last. */
  readonly #keys = new Map<string, CryptoKey[]>()

  constructor([first, ...older]: readonly [string, ...string[]], leaked: readonly string[] = []) {
    // The first one seals. If it is leaked, too, it has not been replaced yet.
    this.#secrets = [first, ...older.filter((secret) => !leaked.includes(secret))]
    this.#leaked = leaked
  }

  /** Encrypts `text`. The result is base64url: the nonce, then the ciphertext. */
  async seal<Declared extends string = Purpose>(
    purpose: NoInfer<Declared>,
    context: string,
    text: string,
  ): Promise<string> {
    const [key] = await this.#keysFor(purpose)
    if (!key) throw new Error('Sealing needs at least one secret.')
    const nonce = crypto.getRandomValues(new Uint8Array(NONCE_LENGTH))
    const ciphertext = await crypto.subtle.encrypt(aesGcm(nonce, context), key, utf8.encode(text))
    // Twelve bytes are exactly sixteen characters, so both parts can be encoded separately.
    return base64url.encode(nonce) + base64url.encode(new Uint8Array(ciphertext))
  }

  /**
   * Decrypts a sealed value; returns `undefined` unless we sealed it for this purpose and context.
   */
  async open<Declared extends string = Purpose>(
    purpose: NoInfer<Declared>,
    context: string,
    sealed: string,
  ): Promise<string | undefined> {
    const keys = await this.#keysFor(purpose)
    const valid = keys.slice(0, this.#secrets.length)
    return (await openWith(valid, context, sealed))?.text
  }

  /**
   * Opens a value that was read from storage, also with a leaked secret. If another secret than the
   * first one has sealed it, it is also returned sealed with that, to replace the stored value before
   * the other secret is removed.
   */
  async openAndRenew<Declared extends string = Purpose>(
    purpose: NoInfer<Declared>,
    context: string,
    sealed: string,
  ): Promise<{ text: string; renewed?: string } | undefined> {
    const opened = await openWith(await this.#keysFor(purpose), context, sealed)
    if (!opened || opened.isNewest) return opened && { text: opened.text }
    return { text: opened.text, renewed: await this.seal<Declared>(purpose, context, opened.text) }
  }

  /**
   * Names for a text that reveal nothing about it, not even whether a guess is right, one for each
   * secret, in their order. What was named with a leaked one still has that name.
   */
  async pseudonyms(text: string): Promise<string[]> {
    const secrets = [...this.#secrets, ...this.#leaked]
    return Promise.all(secrets.map((secret) => derivePseudonym(secret, text)))
  }

  async #keysFor(purpose: string): Promise<CryptoKey[]> {
    const cached = this.#keys.get(purpose)
    if (cached) return cached
    const secrets = [...this.#secrets, ...this.#leaked]
    const keys = await Promise.all(secrets.map((secret) => deriveKey(secret, purpose)))
    this.#keys.set(purpose, keys)
    return keys
  }
}

async function openWith(
  keys: readonly CryptoKey[],
  context: string,
  sealed: string,
): Promise<{ text: string; isNewest: boolean } | undefined> {
  const bytes = decodeStrictly(sealed)
  if (!bytes || bytes.length <= NONCE_LENGTH) return undefined
  const nonce = bytes.subarray(0, NONCE_LENGTH)
  const ciphertext = bytes.subarray(NONCE_LENGTH)

  for (const [index, key] of keys.entries()) {
    try {
      const text = await crypto.subtle.decrypt(aesGcm(nonce, context), key, ciphertext)
      const decoder = new TextDecoder('utf-8', EVERY_CHARACTER)
      return { text: decoder.decode(text), isNewest: index === 0 }
    } catch {
      // Sealed with another secret, or not by us: try the next one.
    }
  }
  return undefined
}

async function deriveKey(secret: string, purpose: string): Promise<CryptoKey> {
  const root = await importSecret(secret, 'deriveKey')
  const key = { name: 'AES-GCM', length: 256 }
  return crypto.subtle.deriveKey(hkdf(purpose), root, key, false, ['encrypt', 'decrypt'])
}

async function derivePseudonym(secret: string, text: string): Promise<string> {
  const root = await importSecret(secret, 'deriveBits')
  const bits = await crypto.subtle.deriveBits(hkdf(`pseudonym ${text}`), root, PSEUDONYM_LENGTH * 8)
  return base64url.encode(new Uint8Array(bits))
}

function importSecret(secret: string, usage: 'deriveKey' | 'deriveBits'): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', utf8.encode(secret), 'HKDF', false, [usage])
}

/** {@link https://www.rfc-editor.org/rfc/rfc5869} */
function hkdf(info: string) {
  return {
    name: 'HKDF',
    hash: 'SHA-256',
    salt: new Uint8Array(),
    info: utf8.encode(`vestibule ${info}`),
  }
}

function aesGcm(nonce: Uint8Array, context: string) {
  return { name: 'AES-GCM', iv: nonce, additionalData: utf8.encode(context) }
}

/** The runtime's decoder tolerates padding and white space; a sealed value of ours has neither. */
function decodeStrictly(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]+$/.test(text)) return undefined
  try {
    return new Uint8Array(base64url.decode(text))
  } catch {
    return undefined
  }
}
