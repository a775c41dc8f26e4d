import { digest, randomText, toBase64Url } from './base64url.ts'

export const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** The last nonce of each origin. */
const nonces = new Map<string, string>()

/** A key that tokens are bound to. */
export interface BoundKey {
  keyPair: CryptoKeyPair
  /** How many milliseconds the clock of the login service is ahead of that of this device. */
  clockOffset?: number | undefined
}

/** The members that a thumbprint has, in its order. */
export async function publicJwk({ keyPair }: BoundKey) {
  const jwk = await crypto.subtle.exportKey('jwk', keyPair.publicKey)
  const { crv, kty, x, y } = jwk as JsonWebKey
  return { crv, kty, x, y }
}

/** Sends a request with a proof, and with a bound access token if there is one. */
export function fetchWithProof(
  request: Request,
  bound: BoundKey,
  token?: string,
): Promise<Response> {
  if (token) request.headers.set('Authorization', `DPoP ${token}`)
  return sendWithProof({ ...bound, token }, request, (proof) => {
    const sent = request.clone()
    sent.headers.set('DPoP', proof)
    return fetch(sent)
  })
}

/** Sends a request, and once more if the server requires that proofs have its nonce. */
export async function sendWithProof(
  bound: BoundKey & { token?: string | undefined },
  request: Pick<Request, 'method' | 'url'>,
  send: (proof: string) => Promise<Response>,
): Promise<Response> {
  const { origin } = new URL(request.url)
  const nonce = nonces.get(origin)
  const response = await sendOnce()
  const { status } = response
  if (nonces.get(origin) === nonce) return response
  // A page may be unable to read the challenge of an API on another origin.
  const isNonceRequired =
    status === 401 || (status === 400 && (await response.clone().text()).includes('use_dpop_nonce'))
  return isNonceRequired ? sendOnce() : response

  async function sendOnce(): Promise<Response> {
    const received = await send(await createProof(bound, request))
    const next = received.headers.get('DPoP-Nonce')
    if (next) nonces.set(origin, next)
    return received
  }
}

/** {@link https://www.rfc-editor.org/rfc/rfc9449#section-4.2} */
async function createProof(
  { token, ...bound }: Parameters<typeof sendWithProof>[0],
  { method, url }: Pick<Request, 'method' | 'url'>,
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
