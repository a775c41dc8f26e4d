import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { TokenError } from '../../foundation/resource-server/token-error.ts'
import { ageOf } from '../../foundation/values/clock.ts'
import { type Fetch, fetchDocument, SharedLoad } from './fetch-document.ts'
import { describeError, ProblemLog } from './problem-log.ts'

/** Keys are fetched again after this time; if that fails, the former ones are used. */
const MAX_AGE = 300_000 // milliseconds

/** How often a key that is not known is looked up: anyone can invent names of keys. */
const LOOKUP_INTERVAL = 60_000 // milliseconds

/** How often keys are fetched again after a failure. */
const RETRY_INTERVAL = 5_000 // milliseconds

/** The public keys of the login service. */
export class IssuerKeys {
  readonly #fetch: Fetch
  readonly #url: string
  readonly #load = new SharedLoad()
  readonly #failures = new ProblemLog()
  #select: ReturnType<typeof createLocalJWKSet> | undefined
  /** Why the keys could not be fetched the last time. */
  #problem: unknown
  #fetchedAt = Number.NEGATIVE_INFINITY
  #attemptedAt = Number.NEGATIVE_INFINITY
  #lookedUpAt = Number.NEGATIVE_INFINITY

  constructor(fetch: Fetch, url: string) {
    this.#fetch = fetch
    this.#url = url
  }

  /** Fetches the keys again if they are old. */
  async refresh(deadline: number): Promise<void> {
    const isDue = ageOf(this.#fetchedAt) >= MAX_AGE && ageOf(this.#attemptedAt) >= RETRY_INTERVAL
    const areFirst = this.#select === undefined && this.#load.isRunning
    if (isDue || areFirst) await this.#fetchKeys(deadline)
  }

  /** Finds the key that a token names. One that is not known is looked up once a minute. */
  finder(deadline: number): JWTVerifyGetKey {
    return (header, token) =>
      this.#findOr(header, token, async () => {
        const now = Date.now()
        const isTooEarly = ageOf(this.#lookedUpAt) < LOOKUP_INTERVAL
        if (isTooEarly || now >= deadline || !this.#select) return
        this.#lookedUpAt = now
        await this.#fetchKeys(deadline)
      })
  }

  /**
   * The key of a list of revocations. It is always looked up, because a new one may mean that those
   * we know were revoked.
   */
  readonly findForList: JWTVerifyGetKey = (header, token) =>
    this.#findOr(header, token, () => this.#fetchKeys())

  async #findOr(...[header, token, lookUp]: [...Parameters<JWTVerifyGetKey>, () => Promise<void>]) {
    if (header.kid === undefined) throw new errors.JWSInvalid('The token does not name its key.')
    try {
      return await this.#current()(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) && this.#select) throw error
    }
    await lookUp()
    return this.#current()(header, token)
  }

  #current(): ReturnType<typeof createLocalJWKSet> {
    if (this.#select) return this.#select
    const message = `The keys of the login service cannot be read at ${this.#url}.`
    throw new TokenError('unavailable', message, { cause: this.#problem })
  }

  /** Replaces all keys, so that those that are no longer published are forgotten. */
  #fetchKeys(deadline?: number): Promise<void> {
    return this.#load.run(async () => {
      this.#attemptedAt = Date.now()
      try {
        const document = await fetchDocument(this.#fetch, this.#url)
        const jwks = JSON.parse(new TextDecoder().decode(document)) as JSONWebKeySet
        this.#select = createLocalJWKSet(jwks)
        this.#fetchedAt = Date.now()
      } catch (error) {
        // The former keys are used, and there is another attempt later.
        this.#problem = error
        this.#failures.log(
          `the keys of the login service cannot be read at ${this.#url}: ${describeError(error)}`,
        )
      }
    }, deadline)
  }
}
