import { ALGORITHM, type BoundKey, fetchWithProof, sendWithProof } from '../client/proof.ts'
import type { StoredKey } from './stored-session.ts'

/**
 * What binds access tokens to a key, {@link https://www.rfc-editor.org/rfc/rfc9449}. It is passed as
 * an option, so that apps without it do not contain its code.
 */
export interface Dpop {
  /** A new key for the tokens of one request. */
  createKey(): Promise<StoredKey>
  /** Sends a request with this function, which gets a proof, and once more if a nonce is required. */
  send(
    key: StoredKey,
    request: Pick<Request, 'method' | 'url'>,
    send: (proof: string) => Promise<Response>,
  ): Promise<Response>
  /** `fetch` with a bound access token and a proof. */
  fetchWithToken(request: Request, key: StoredKey, token: string): Promise<Response>
}

export const dpop: Dpop = {
  async createKey() {
    const keyPair = (await crypto.subtle.generateKey(ALGORITHM, true, ['sign'])) as CryptoKeyPair
    const jwk = (await crypto.subtle.exportKey('jwk', keyPair.privateKey)) as JsonWebKey
    const { x = '', y = '', d = '' } = jwk
    return { x, y, d }
  },

  send: async (key, request, send) => sendWithProof(await openKey(key), request, send),

  fetchWithToken: async (request, key, token) => fetchWithProof(request, await openKey(key), token),
}

async function openKey({ x, y, d }: StoredKey): Promise<BoundKey> {
  const jwk = { kty: 'EC', crv: 'P-256', x, y }
  const [privateKey, publicKey] = await Promise.all([
    crypto.subtle.importKey('jwk', { ...jwk, d }, ALGORITHM, false, ['sign']),
    crypto.subtle.importKey('jwk', jwk, ALGORITHM, true, ['verify']),
  ])
  return { keyPair: { privateKey, publicKey } }
}
