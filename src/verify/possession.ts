import { base64url, type JWTPayload } from 'jose'
import {
  MAX_PROOF_AGE,
  PROOF_ALGORITHMS,
  type Proof,
  ProofError,
  timeProblem,
  verifyProof,
} from './dpop-proof.ts'
import type { PresentedToken } from './presented-token.ts'
import { type RequestHeaders, readHeader } from './request-headers.ts'
import { TokenError } from './token-error.ts'
import { UsedProofs } from './used-proofs.ts'

/** A nonce is valid until the end of the next period. */
const NONCE_PERIOD = 300 // seconds

/** How an API accepts tokens that are bound to a key of the client (RFC 9449). */
export interface DpopOptions {
  /** Rejects tokens that are not bound. */
  required?: boolean
  /**
   * The URL at which clients reach the API, if a proxy changes that of requests: its origin, and the
   * path that the proxy removes, such as `https://example.com/api`. By default the origin of the
   * request, and in Node that of the audience.
   */
  url?: string
  /**
   * Every proof must have a nonce that is derived from this secret, so that none can be created in
   * advance. All instances of the API need the same one.
   */
  nonceSecret?: string
}

type Parameters = Readonly<Record<string, string | undefined>>

/**
 * Requires that the sender of a request has the key that its token is bound to. A token that is not
 * bound needs no key, unless the options require one.
 */
export class Possession {
  readonly #options: DpopOptions
  readonly #audience: string
  readonly #used = new UsedProofs()
  #nonceKey: Promise<CryptoKey> | undefined

  constructor(options: DpopOptions, [audience = '']: readonly string[]) {
    this.#options = options
    this.#audience = audience
  }

  /** The challenge for a request without a token. */
  challengeFor(challenge: Parameters) {
    if (!this.#options.required) return { parameters: challenge }
    return { parameters: withAlgorithms(challenge), scheme: 'DPoP' } as const
  }

  async require(
    { scheme, token, request }: PresentedToken,
    { cnf }: JWTPayload,
    challenge: Parameters,
  ): Promise<void> {
    const parameters = withAlgorithms(challenge)
    const reject = (message: string) =>
      new TokenError('invalid_token', message, { parameters, scheme: 'DPoP' })
    if (cnf === undefined) {
      if (scheme === 'DPoP') throw reject('The token is not bound to a key: send it as Bearer.')
      if (this.#options.required) throw reject('The token is not bound to a key.')
      return
    }
    if (!request) {
      throw reject('The token is bound to a key: the API must verify the request, not the token.')
    }
    if (scheme !== 'DPoP') {
      throw reject('The token is bound to a key: send it with the scheme DPoP and a proof.')
    }
    const proof = await this.#verifyProof(request, token).catch((cause: unknown) => {
      if (!(cause instanceof ProofError)) throw cause
      const hint = cause.isAboutUrl ? ' If a proxy changes it, the API must set dpop.url.' : ''
      throw invalidProof(cause.message + hint, parameters, cause.cause)
    })
    const { jkt } = cnf as { jkt?: unknown }
    if (proof.thumbprint !== jkt) throw reject('The token is bound to another key.')
    await this.#requireTime(proof, parameters)
    const lifetime = this.#options.nonceSecret === undefined ? MAX_PROOF_AGE : 2 * NONCE_PERIOD
    const validSince = Math.max(proof.issuedAt, Date.now() / 1000)
    if (!this.#used.use(proof.id, (validSince + lifetime) * 1000)) {
      throw invalidProof('The DPoP proof was already used.', parameters)
    }
  }

  async #verifyProof(request: RequestHeaders, accessToken: string): Promise<Proof> {
    const url = this.#urlOf(request)
    const { method = '' } = request
    return verifyProof(readHeader(request, 'dpop'), { method, url, accessToken })
  }

  /** The URL at which the client has sent the request. */
  #urlOf({ url = '', originalUrl = url }: RequestHeaders): string {
    const isPath = originalUrl.startsWith('/')
    const base = this.#options.url ?? (isPath ? this.#audience : undefined)
    if (base === undefined) return originalUrl
    if (!URL.canParse(base)) {
      throw new ProofError('The API must set dpop.url, its own URL, to verify DPoP proofs.')
    }
    const { origin, pathname: removed } = new URL(base)
    const prefix = this.#options.url === undefined ? '' : removed.replace(/\/$/, '')
    const { pathname } = new URL(isPath ? `https://path.invalid${originalUrl}` : originalUrl)
    return origin + prefix + pathname
  }

  /** A nonce proves when a proof was created; otherwise the clocks have to agree. */
  async #requireTime(proof: Proof, parameters: Parameters): Promise<void> {
    if (this.#options.nonceSecret === undefined) {
      const problem = timeProblem(proof)
      if (problem !== undefined) throw invalidProof(problem, parameters)
      return
    }
    const period = Math.floor(Date.now() / 1000 / NONCE_PERIOD)
    const [current, former] = await Promise.all([period, period - 1].map((n) => this.#nonceOf(n)))
    if (proof.nonce !== undefined && [current, former].includes(proof.nonce)) return
    throw new TokenError('use_dpop_nonce', 'The DPoP proof needs the nonce in DPoP-Nonce.', {
      parameters,
      scheme: 'DPoP',
      nonce: current,
    })
  }

  async #nonceOf(period: number): Promise<string> {
    this.#nonceKey ??= importSecret(this.#options.nonceSecret ?? '')
    const text = new TextEncoder().encode(`dpop nonce ${period}`)
    const signature = await crypto.subtle.sign('HMAC', await this.#nonceKey, text)
    return base64url.encode(new Uint8Array(signature))
  }
}

function withAlgorithms(challenge: Parameters): Parameters {
  return { ...challenge, algs: PROOF_ALGORITHMS.join(' ') }
}

function importSecret(secret: string): Promise<CryptoKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, [
    'sign',
  ])
}

function invalidProof(message: string, parameters: Parameters, cause?: unknown): TokenError {
  return new TokenError('invalid_dpop_proof', message, { parameters, scheme: 'DPoP', cause })
}
