import { digest } from './base64url.ts'
import { challengeOf } from './challenge.ts'
import { decodeClaims } from './claims.ts'
import type { LoginService } from './login-service.ts'
import { ALGORITHM, type BoundKey, fetchWithProof, publicJwk } from './proof.ts'
import { sendAsBearer, type TokenClaims } from './session.ts'

const NOT_BOUND =
  'dpop is set, but the login service does not bind tokens: its features must list senderConstrained().'

type Report = LoginService['report']

/**
 * What binds tokens to a key of this browser, {@link https://www.rfc-editor.org/rfc/rfc9449}. It is
 * passed as an option, so that apps without it do not contain its code.
 */
export interface Dpop {
  createKeyPair(): Promise<CryptoKeyPair>
  /** {@link https://www.rfc-editor.org/rfc/rfc7638#section-3} */
  thumbprintOf(bound: BoundKey): Promise<string>
  /** Sends a request with a proof, and with an access token if there is one. */
  send(
    request: Request,
    bound: BoundKey,
    access?: { token: string; report: Report },
  ): Promise<Response>
  /** What a new access token says about the clock. Reports that it is not bound. */
  readToken(token: string, bound: BoundKey, report: Report): BoundKey
}

export const dpop: Dpop = {
  // This browser can use the key, but no script can read it.
  createKeyPair: () =>
    crypto.subtle.generateKey(ALGORITHM, false, ['sign']) as Promise<CryptoKeyPair>,

  thumbprintOf: async (bound) => digest(JSON.stringify(await publicJwk(bound))),

  async send(request, bound, access) {
    if (!access) return fetchWithProof(request, bound)
    const { token, report } = access
    // One from before the app used a key.
    if (!isBound(token)) return sendAsBearer(request, token)
    const response = await fetchWithProof(request, bound, token)
    const parameter = challengeOf(response)
    if (parameter('error') === 'invalid_dpop_proof') {
      report(`${response.url} rejects DPoP proofs: ${parameter('error_description')}`)
    }
    return response
  },

  readToken(token, bound, report) {
    if (!isBound(token)) report(NOT_BOUND)
    const clockOffset = decodeClaims<TokenClaims>(token).iat * 1000 - Date.now()
    return { ...bound, clockOffset }
  },
}

function isBound(token: string): boolean {
  return decodeClaims<{ cnf?: unknown }>(token).cnf !== undefined
}
