import type { AppContext } from '../../config/app-env.ts'
import { digest } from '../../crypto/digest.ts'
import { clientIp } from '../../http/client-ip.ts'
import {
  type Counter,
  countInGuards,
  forgetInGuards,
  guessCounter,
} from '../../limits/count-in-guards.ts'
import type { GuessDelays } from '../../limits/guard-object.ts'
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
  readonly #provider: string
  readonly #account: string | undefined
  readonly #accountCounters: readonly Counter[]
  readonly #ipCounters: readonly Counter[]
  /** The name of this guess. Those with the same values begin with the same digest. */
  readonly #guess: string

  private constructor(
    provider: string,
    account: string | undefined,
    counters: { account?: readonly Counter[]; ip?: readonly Counter[] },
  ) {
    this.#provider = provider
    this.#account = account
    this.#accountCounters = counters.account ?? []
    this.#ipCounters = counters.ip ?? []
    this.#guess = `${account} ${crypto.randomUUID()}`
  }

  /** The counters of the account that these values identify, and of the request's IP address. */
  static async of(
    c: AppContext,
    provider: string,
    identifiers: readonly string[],
  ): Promise<GuessCounters> {
    const ip = clientIp(c)
    const ipCounters = ip === undefined ? [] : [counter(`${provider} from ${ip}`, IP)]
    if (identifiers.length === 0) return new GuessCounters(provider, undefined, { ip: ipCounters })
    const account = await digest(JSON.stringify(identifiers))
    const browser = await knownBrowserId(c, provider, account)
    if (browser !== undefined) {
      // Someone who knew the password once may have made several browsers known.
      const own = counter(`${provider} ${account} in ${browser}`, ACCOUNT_AT_IP)
      const shared = counter(`${provider} ${account} in known browsers`, ACCOUNT)
      return new GuessCounters(provider, account, { account: [own, shared] })
    }
    const similar = await digest(JSON.stringify(identifiers.map(fold)))
    const atIp =
      ip === undefined ? [] : [counter(`${provider} ${similar} from ${ip}`, ACCOUNT_AT_IP)]
    return new GuessCounters(provider, account, {
      account: [...atIp, counter(`${provider} ${similar}`, ACCOUNT)],
      ip: ipCounters,
    })
  }

  /**
   * Counts a guess before it is checked. Returns for how many seconds no guess is allowed; 0 if
   * this one may be checked. The IP address is the last, because others share it.
   */
  count(c: AppContext): Promise<number> {
    return countInGuards(c.env, [...this.#accountCounters, ...this.#ipCounters], this.#guess)
  }

  /**
   * The guess was right, so the guesses of exactly this account are forgotten. Those of accounts
   * with a similar name are not, and at the IP address only this guess is: someone with one
   * password must not get more guesses for others.
   */
  async forget(c: AppContext): Promise<void> {
    await forgetInGuards(c.env, this.#accountCounters, `${this.#account} `)
    await forgetInGuards(c.env, this.#ipCounters, this.#guess)
  }

  /** The owner of the account has signed in with this browser. */
  async remember(c: AppContext): Promise<void> {
    if (this.#account !== undefined) await rememberAccount(c, this.#provider, this.#account)
  }
}

function counter(name: string, delays: GuessDelays): Counter {
  return guessCounter(`guesses ${name}`, delays)
}

/** Letters that many databases compare as equal to others, and that Unicode does not decompose. */
const SIMILAR_LETTERS: Readonly<Record<string, string>> = {
  Ø: 'O',
  Ł: 'L',
  Đ: 'D',
  Ħ: 'H',
  Ŧ: 'T',
  Æ: 'AE',
  Œ: 'OE',
}

/**
 * Different spellings of one name share counters. Many databases ignore case, accents, and spaces
 * at the end; invisible characters may be ignored too, and the punctuation of telephone numbers.
 * That two accounts share a counter does little harm.
 */
function fold(identifier: string): string {
  const letters = identifier
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase()
    .toUpperCase()
    .replaceAll(/[ØŁĐĦŦÆŒ]/g, (letter) => SIMILAR_LETTERS[letter] ?? letter)
  return /^[\d\p{P}\p{S}]+$/u.test(letters) ? letters.replaceAll(/\D/g, '') || letters : letters
}
