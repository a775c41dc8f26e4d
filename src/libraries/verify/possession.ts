import { base64url, type JWTPayload } from 'jose'
import {
  MAX_PROOF_AGE,
  PROOF_ALGORITHMS,
  type Proof,
  type ProofAlgorithm,
  ProofError,
  timeProblem,
  verifyProof,
} from '../../foundation/resource-server/dpop-proof.ts'
import { TokenError } from '../../foundation/resource-server/token-error.ts'
import { rejectUnknown } from './known-options.ts'
import type { PresentedToken } from './presented-token.ts'
import { type RequestHeaders, readHeader } from './request-headers.ts'
import { UsedProofs } from './used-proofs.ts'

const URL_MISSING =
  'The audience of the API is no URL: it must set dpop.url, its own URL, to accept DPoP proofs.'

/** A nonce is valid until the end of the next period. */
const NONCE_PERIOD = 300 // seconds

/** How an API accepts tokens that are bound to a key of the client (RFC 9449). */
export interface DpopOptions {
  /** Rejects tokens that are not bound. */
  required?: boolean
  /**
   * The URL at which clients reach the API: its origin, and the path that a proxy removes, such as
   * `https://example.com/api`. By default the origins of those audiences that are URLs; without one,
   * bound tokens are rejected. The origin of a request does not count, because its sender chooses it.
   */
  url?: string
  /** How proofs may be signed. By default in all of these ways, although FAPI 2.0 forbids RS256. */
  algorithms?: readonly ProofAlgorithm[]
  /**
   * Every proof must have a nonce that is derived from this secret, so that none can be created in
   * advance. All instances of the API need the same one.
   */
  nonceSecret?: string
}

const KNOWN: Readonly<Record<keyof DpopOptions, true>> = {
  required: true,
  url: true,
  algorithms: true,
  nonceSecret: true,
}

type Parameters = Readonly<Record<string, string | undefined>>

/**
 * Requires that the sender of a request has the key that its token is bound to. A token that is not
 * bound needs no key, unless the options require one.
 */
export class Possession {
  readonly #options: DpopOptions
  readonly #algorithms: readonly ProofAlgorithm[]
  /** The URLs at which clients reach the API, without the path of a request. */
  readonly #urls: readonly string[]
  readonly #used = new UsedProofs()
  #nonceKey: Promise<CryptoKey> | undefined

  constructor(options: DpopOptions | undefined, audiences: readonly string[]) {
    this.#options = options ?? {}
    rejectUnknown(this.#options, KNOWN)
    this.#algorithms = readAlgorithms(this.#options.algorithms)
    this.#urls = readUrls(this.#options.url, audiences)
    if (options && this.#urls.length === 0) throw new TypeError(URL_MISSING)
  }

  /** The challenge for a request without a token. */
  challengeFor(challenge: Parameters) {
    if (!this.#options.required) return { parameters: challenge }
    return { parameters: this.#withAlgorithms(challenge), scheme: 'DPoP' } as const
  }

  async require(
    { scheme, token, request }: PresentedToken,
    { cnf }: JWTPayload,
    challenge: Parameters,
  ): Promise<void> {
    const parameters = this.#withAlgorithms(challenge)
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
      const hint = cause.isAboutUrl
        ? ' If clients reach the API elsewhere than at its audience, it must set dpop.url.'
        : ''
      throw invalidProof(cause.message + hint, parameters, cause.cause)
    })
    const { jkt } = cnf as { jkt?: unknown }
    if (proof.thumbprint !== jkt) throw reject('The token is bound to another key.')
    await this.#requireTime(proof, parameters)
    // Ages are rounded to seconds, so that a proof is accepted a little longer than its maximum age.
    const lifetime = this.#options.nonceSecret === undefined ? MAX_PROOF_AGE + 1 : 2 * NONCE_PERIOD
    const validSince = Math.max(proof.issuedAt, Date.now() / 1000)
    if (!this.#used.use(proof.id, (validSince + lifetime) * 1000)) {
      throw invalidProof('The DPoP proof was already used.', parameters)
    }
  }

  async #verifyProof(request: RequestHeaders, accessToken: string): Promise<Proof> {
    if (this.#urls.length === 0) throw new ProofError(URL_MISSING)
    const { method = '', url: requested = '', originalUrl = requested } = request
    const path = pathOf(originalUrl)
    const url = this.#urls.map((base) => base + path)
    const proven = { method, url, accessToken }
    return verifyProof(readHeader(request, 'dpop'), proven, this.#algorithms)
  }

  #withAlgorithms(challenge: Parameters): Parameters {
    return { ...challenge, algs: this.#algorithms.join(' ') }
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

function readAlgorithms(
  algorithms: readonly ProofAlgorithm[] = PROOF_ALGORITHMS,
): readonly ProofAlgorithm[] {
  const areKnown = algorithms.every((algorithm) => PROOF_ALGORITHMS.includes(algorithm))
  if (algorithms.length > 0 && areKnown) return algorithms
  const known = PROOF_ALGORITHMS.join(', ')
  throw new TypeError(`dpop.algorithms must be some of ${known}. It is [${algorithms}].`)
}

/** The option, or the origins of the audiences that are URLs. */
function readUrls(option: string | undefined, audiences: readonly string[]): string[] {
  if (option === undefined) return audiences.filter(isHttp).map((url) => new URL(url).origin)
  if (!isHttp(option)) throw new TypeError(`dpop.url must be a URL with https. It is ${option}.`)
  const { origin, pathname } = new URL(option)
  return [origin + pathname.replace(/\/$/, '')]
}

function isHttp(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

/** The path of a request, whose origin does not count: its sender can choose any. */
function pathOf(url: string): string {
  const complete = url.startsWith('/') ? `https://path.invalid${url}` : url
  if (isHttp(complete)) return new URL(complete).pathname
  throw new ProofError('The API must pass the URL of the request to the verifier.')
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
