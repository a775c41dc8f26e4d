import { digest, randomText, toBase64Url } from './base64url.ts'
import { challengeOf } from './challenge.ts'
import { decodeClaims, type LoginService } from './login-service.ts'
import { sendAsBearer, type TokenClaims } from './session.ts'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

const NOT_BOUND =
  'dpop is set, but the login service does not bind tokens: its features must list senderConstrained().'

/** The last nonce of each origin. */
const nonces = new Map<string, string>()

/** A key that tokens are bound to. */
export interface BoundKey {
  keyPair: CryptoKeyPair
  /** How many milliseconds the clock of the login service is ahead of that of this device. */
  clockOffset?: number | undefined
}

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
    if (!access) return sendWithProof(request, bound)
    const { token, report } = access
    // One from before the app used a key.
    if (!isBound(token)) return sendAsBearer(request, token)
    request.headers.set('Authorization', `DPoP ${token}`)
    const response = await sendWithProof(request, bound, token)
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

/** The members that a thumbprint has, in its order. */
async function publicJwk({ keyPair }: BoundKey) {
  const jwk = await crypto.subtle.exportKey('jwk', keyPair.publicKey)
  const { crv, kty, x, y } = jwk as JsonWebKey
  return { crv, kty, x, y }
}

/** The request is repeated once if the server requires that proofs have its nonce. */
async function sendWithProof(request: Request, bound: BoundKey, token?: string): Promise<Response> {
  const { origin } = new URL(request.url)
  const nonce = nonces.get(origin)
  const response = await send(request.clone())
  const { status } = response
  if (nonces.get(origin) === nonce) return response
  // A page may be unable to read the challenge of an API on another origin.
  const isNonceRequired =
    status === 401 || (status === 400 && (await response.clone().text()).includes('use_dpop_nonce'))
  return isNonceRequired ? send(request) : response

  async function send(sent: Request): Promise<Response> {
    sent.headers.set('DPoP', await createProof(sent, bound, token))
    const received = await fetch(sent)
    const next = received.headers.get('DPoP-Nonce')
    if (next) nonces.set(origin, next)
    return received
  }
}

/** {@link https://www.rfc-editor.org/rfc/rfc9449#section-4.2} */
async function createProof(
  { method, url }: Request,
  bound: BoundKey,
  token: string | undefined,
): Promise<string> {
  const { origin, pathname } = new URL(url)
  const header = { typ: 'dpop+jwt', alg: 'ES256', jwk: await publicJwk(bound) }
  const claims = {
    jti: randomText(),
    htm: method,
    htu: origin + pathname,
    iat: Math.floor((Date.now() + (bound.clockOffset ?? 0)) / 1000),
    nonce: nonces.get(origin),
    ath: token && (await digest(token)),
  }
  const encoder = new TextEncoder()
  const input = [header, claims]
    .map((part) => toBase64Url(encoder.encode(JSON.stringify(part))))
    .join('.')
  const { privateKey } = bound.keyPair
  const signature = await crypto.subtle.sign(ALGORITHM, privateKey, encoder.encode(input))
  return `${input}.${toBase64Url(new Uint8Array(signature))}`
}
