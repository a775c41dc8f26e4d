import {
  base64url,
  calculateJwkThumbprint,
  EmbeddedJWK,
  type JWK,
  type JWTPayload,
  jwtVerify,
} from 'jose'

/** How clients may sign proofs. */
export const PROOF_ALGORITHMS = ['ES256', 'PS256', 'EdDSA', 'Ed25519', 'RS256'] as const

export type ProofAlgorithm = (typeof PROOF_ALGORITHMS)[number]

/** How long after it was created a proof without a nonce is accepted. */
export const MAX_PROOF_AGE = 60 // seconds

/** How far the clock of a client may be ahead, if its proof has no nonce. */
const MAX_CLOCK_SKEW = 10 // seconds

/** Longer than any proof: a key of 4096 bits and a long URL fit. */
const MAX_LENGTH = 8192

/** It is remembered, so that it must be short. */
const MAX_ID_LENGTH = 256

/** A proof that its sender has a key (RFC 9449 §4.2). Nothing is known yet about its time. */
export interface Proof {
  /** The thumbprint of the key (RFC 7638). */
  thumbprint: string
  /** Differs from that of any other proof, also of other keys. */
  id: string
  /** In seconds since 1970, by the clock of the client. */
  issuedAt: number
  nonce: string | undefined
}

/** The request that a proof must be for. */
export interface ProvenRequest {
  method: string
  /** The URL, or all that it may have been sent to. Queries and fragments do not matter. */
  url: string | readonly string[]
  /** The access token that is sent with it, if there is one. */
  accessToken?: string | undefined
}

/** Why a proof is not accepted. The message is for the client, the cause for the operator. */
export class ProofError extends Error {
  override readonly name = 'ProofError'
  /** Whether it was for another URL, as far as the server knows that of the request. */
  readonly isAboutUrl: boolean

  constructor(message: string, { isAboutUrl = false, ...options }: ProofErrorOptions = {}) {
    super(message, options)
    this.isAboutUrl = isAboutUrl
  }
}

type ProofErrorOptions = ErrorOptions & { isAboutUrl?: boolean }

/**
 * Verifies the value of the header `DPoP` (RFC 9449 §4.3), except for its time and nonce, and that it
 * was not used before.
 */
export async function verifyProof(
  header: string | undefined,
  request: ProvenRequest,
  algorithms: readonly ProofAlgorithm[] = PROOF_ALGORITHMS,
): Promise<Proof> {
  if (!header) throw new ProofError('The DPoP proof is missing.')
  // The values of several headers are joined by commas.
  if (header.includes(',')) throw new ProofError('The request must have one DPoP header.')
  if (header.length > MAX_LENGTH) throw new ProofError('The DPoP proof is too long.')
  const { payload, protectedHeader } = await verifySignature(header, algorithms)
  const { jti, iat, nonce } = payload
  if (typeof jti !== 'string' || jti === '' || jti.length > MAX_ID_LENGTH) {
    throw new ProofError(`jti of the DPoP proof must have 1 to ${MAX_ID_LENGTH} characters.`)
  }
  if (typeof iat !== 'number') throw new ProofError('iat of the DPoP proof is missing.')
  if (nonce !== undefined && typeof nonce !== 'string') {
    throw new ProofError('nonce of the DPoP proof must be a string.')
  }
  requireSameRequest(payload, request)
  await requireSameToken(payload, request)
  const thumbprint = await calculateJwkThumbprint(protectedHeader.jwk as JWK)
  return { thumbprint, id: `${thumbprint} ${jti}`, issuedAt: iat, nonce }
}

async function verifySignature(proof: string, algorithms: readonly ProofAlgorithm[]) {
  const malformed = (cause: unknown) => {
    const text = `The DPoP proof is malformed, expired or not signed by the key in it. It must be a JWT of the type dpop+jwt, signed with ${algorithms.join(', ')}.`
    return new ProofError(text, { cause })
  }
  try {
    // Keys that are private or symmetric are rejected.
    const verified = await jwtVerify(proof, EmbeddedJWK, {
      typ: 'dpop+jwt',
      algorithms: [...algorithms],
    })
    if (verified.protectedHeader.crit === undefined) return verified
  } catch (cause) {
    throw malformed(cause)
  }
  throw malformed('crit')
}

function requireSameRequest({ htm, htu }: JWTPayload, { method, url }: ProvenRequest): void {
  if (htm !== method)
    throw new ProofError('htm of the DPoP proof is not the method of the request.')
  const accepted = [url].flat().map(withoutQuery)
  if (typeof htu === 'string' && URL.canParse(htu) && accepted.includes(withoutQuery(htu))) return
  throw new ProofError('htu of the DPoP proof is not the URL of the request.', {
    isAboutUrl: true,
    cause: `htu is ${htu}, and the URL of the request is ${accepted.join(' or ')}`,
  })
}

/** The normalized URL (RFC 3986 §6.2), or undefined if it is none. */
function withoutQuery(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && `${url.origin}${url.pathname}`
}

async function requireSameToken(
  { ath }: JWTPayload,
  { accessToken }: ProvenRequest,
): Promise<void> {
  if (accessToken === undefined) return
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(accessToken))
  if (ath === base64url.encode(new Uint8Array(hash))) return
  throw new ProofError('ath of the DPoP proof is not the SHA-256 of the access token.')
}

/** Why the time of a proof without a nonce is not accepted; undefined if it is. */
export function timeProblem({ issuedAt }: Proof, now = Date.now() / 1000): string | undefined {
  const age = Math.round(now - issuedAt)
  if (age > MAX_PROOF_AGE) {
    return `The DPoP proof is ${age} seconds old: create one for each request, and check the clock of the client.`
  }
  if (-age > MAX_CLOCK_SKEW) {
    return `The DPoP proof is from the future: the clock of the client is ${-age} seconds ahead.`
  }
  return undefined
}
