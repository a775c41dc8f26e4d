import { ALGORITHM, type BoundKey, fetchWithProof } from '../client/proof.ts'
import { sendAsBearer } from '../client/session.ts'
import type { StoredKey, StoredSession } from './stored-session.ts'

/** A new key for the tokens of one request. */
export async function createKey(): Promise<StoredKey> {
  const keyPair = (await crypto.subtle.generateKey(ALGORITHM, true, ['sign'])) as CryptoKeyPair
  const jwk = (await crypto.subtle.exportKey('jwk', keyPair.privateKey)) as JsonWebKey
  const { x = '', y = '', d = '' } = jwk
  return { x, y, d }
}

export async function openKey({ x, y, d }: StoredKey): Promise<BoundKey> {
  const jwk = { kty: 'EC', crv: 'P-256', x, y }
  const [privateKey, publicKey] = await Promise.all([
    crypto.subtle.importKey('jwk', { ...jwk, d }, ALGORITHM, false, ['sign']),
    crypto.subtle.importKey('jwk', jwk, ALGORITHM, true, ['verify']),
  ])
  return { keyPair: { privateKey, publicKey } }
}

/** Sends a request with the access token of a session, and with a proof if it is bound to a key. */
export async function fetchWithToken(
  request: Request,
  session: Pick<StoredSession, 'accessToken' | 'key'> | undefined,
): Promise<Response> {
  if (!session) return fetch(request)
  const { accessToken, key } = session
  return key
    ? fetchWithProof(request, await openKey(key), accessToken)
    : sendAsBearer(request, accessToken)
}
