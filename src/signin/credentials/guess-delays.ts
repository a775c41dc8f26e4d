import type { AppContext } from '../../config/app-env.ts'
import { digest } from '../../crypto/digest.ts'
import { clientIp } from '../../http/client-ip.ts'
import { type GuessDelays, guardObject } from '../../limits/guard-object.ts'
import { requireStorage } from '../../storage/unavailable-error.ts'
import { knownBrowserId, rememberAccount } from '../known-browser.ts'

const DAY = 24 * 3600 // seconds

/** Long enough that guessing is hopeless, short enough that a user waits rather than gives up. */
const MAX_DELAY = 15 * 60 // seconds

/** From one IP address, for one account: people mistype a password a few times. */
const ACCOUNT_AT_IP: GuessDelays = { free: 5, maxDelay: MAX_DELAY, memory: DAY }

/**
 * For one account, from all IP addresses. Higher, so that someone else's guesses delay its owner
 * only if they come from many addresses. With the delays, about 120 guesses a day are possible.
 */
const ACCOUNT: GuessDelays = { free: 20, maxDelay: MAX_DELAY, memory: DAY }

/** From one IP address, for all accounts. Many users may share it. */
const IP: GuessDelays = { free: 50, maxDelay: MAX_DELAY, memory: DAY }

/** The counters of an attempt to sign in. */
export class GuessCounters {
  readonly #env: Env
  /** Forgotten when a guess was right. */
  readonly #accountCounters: readonly Counter[]
  readonly #ipCounters: readonly Counter[]

  private constructor(env: Env, accountCounters: Counter[], ipCounters: Counter[]) {
    this.#env = env
    this.#accountCounters = accountCounters
    this.#ipCounters = ipCounters
  }

  /** The counters of the account that the form names, and of the request's IP address. */
  static async of(
    c: AppContext,
    provider: string,
    identifier: string | undefined,
  ): Promise<GuessCounters> {
    const ip = clientIp(c)
    const account = identifier === undefined ? undefined : await accountDigest(identifier)
    const browser = account === undefined ? undefined : await knownBrowserId(c, provider, account)
    if (browser !== undefined) {
      const counter: Counter = [`${provider} ${account} in ${browser}`, ACCOUNT_AT_IP]
      return new GuessCounters(c.env, [counter], [])
    }
    const accountCounters: Counter[] = []
    const ipCounters: Counter[] = []
    if (account !== undefined && ip !== undefined) {
      accountCounters.push([`${provider} ${account} from ${ip}`, ACCOUNT_AT_IP])
    }
    if (account !== undefined) accountCounters.push([`${provider} ${account}`, ACCOUNT])
    if (ip !== undefined) ipCounters.push([`${provider} from ${ip}`, IP])
    return new GuessCounters(c.env, accountCounters, ipCounters)
  }

  /**
   * Counts a guess before it is checked. Returns for how many seconds no guess is allowed; 0 if
   * this one may be checked.
   */
  async count(): Promise<number> {
    for (const [name, delays] of [...this.#ipCounters, ...this.#accountCounters]) {
      const wait = await requireStorage(async () =>
        guardObject(this.#env, `guesses ${name}`).countGuess(delays),
      )
      if (wait > 0) return wait
    }
    return 0
  }

  /**
   * The guess was right, so the account's owner is not delayed. At the IP address, only this guess
   * is forgotten: other users who share it must be able to sign in, but someone with one password
   * must not get more guesses for others.
   */
  async forget(): Promise<void> {
    for (const [name] of this.#ipCounters) {
      await requireStorage(async () => guardObject(this.#env, `guesses ${name}`).forgetGuess())
    }
    for (const [name] of this.#accountCounters) {
      await requireStorage(async () => guardObject(this.#env, `guesses ${name}`).forget())
    }
  }
}

/** The owner of the account has signed in with this browser. */
export async function rememberOwner(
  c: AppContext,
  provider: string,
  identifier: string | undefined,
): Promise<void> {
  if (identifier !== undefined) await rememberAccount(c, provider, await accountDigest(identifier))
}

type Counter = readonly [name: string, delays: GuessDelays]

/**
 * Different spellings of one name are one account. Many databases ignore case, accents, and spaces
 * at the end; invisible characters may be ignored too. That two accounts share a counter does
 * little harm.
 */
function accountDigest(identifier: string): Promise<string> {
  return digest(
    identifier
      .normalize('NFKD')
      .replaceAll(/[\p{M}\p{Cf}\s]/gu, '')
      .toLowerCase(),
  )
}
