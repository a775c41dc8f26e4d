import { decodeJwt, decodeProtectedHeader, errors } from 'jose'
import { isLoopback } from '../../foundation/values/loopback.ts'
import { ProblemLog } from './problem-log.ts'
import { kindOf, type TokenKind } from './token-kind.ts'

/** What an API accepts. */
interface Accepted {
  issuer: string
  audiences: readonly string[]
  kinds: readonly TokenKind[]
}

/**
 * Tells whoever runs an API why it rejects tokens that its login service has signed. In development,
 * which is with a login service on this computer, also what they contain and how to accept them.
 */
export class RejectionLog {
  readonly #accepted: Accepted
  readonly #isDevelopment: boolean
  readonly #logs = new Map<string, ProblemLog>()

  constructor(accepted: Accepted) {
    this.#accepted = accepted
    this.#isDevelopment = isLoopback(accepted.issuer)
  }

  /** `message` is one of a few. Tokens that have expired are common, and not logged in production. */
  log(message: string, token: string, cause?: errors.JOSEError): void {
    const isExpired = cause instanceof errors.JWTExpired
    if (isExpired && !this.#isDevelopment) return
    const log = this.#logs.get(message) ?? new ProblemLog()
    this.#logs.set(message, log)
    const detail = isExpired ? describeTime(cause.payload.exp) : this.#describe(token)
    log.log(`a token was rejected: ${message}${this.#isDevelopment ? ` ${detail}` : ''}`)
  }

  #describe(token: string): string {
    const claims = decodeJwt(token)
    const { issuer, audiences, kinds } = this.#accepted
    const kind = kindOf(decodeProtectedHeader(token).typ, claims)
    if (!kind)
      return 'It is an ID token, or another one that is not for APIs: send an access token.'
    const names = [claims.aud ?? []].flat().filter((name) => name !== issuer)
    const found = `It is the ${kind} token for ${names.join(', ') || issuer}`
    const expected = `this API accepts ${kinds.join(' and ')} tokens for ${audiences.join(', ')}`
    const [name] = names
    const change = name && `To accept it, set token: '${kind}', audience: '${name}'.`
    const request = `To get one for this API, add it to resources of the client, and to audiences of createClient or createServer, or to the request as resource.`
    const remedies = [change, kind === 'access' && request].filter(Boolean).join(' ')
    return `${found}, and ${expected}. ${remedies}`
  }
}

/** Times are compared with the clock of this computer, which may be wrong. */
function describeTime(seconds = 0): string {
  const time = new Date(seconds * 1000).toISOString()
  return `It expired at ${time}, and this computer has ${new Date().toISOString()}.`
}
