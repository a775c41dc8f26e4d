import type { AppContext } from '../../core/http/app-env.ts'
import { countedNetwork } from '../../core/http/client-ip.ts'
import type { GuessDelays } from '../../core/limits/limit-table.ts'
import { knownBrowserId, rememberAccount } from '../../core/session/known-browser.ts'
import {
  type Counter,
  countedFor,
  countInGuards,
  forgetInGuards,
  guardCounter,
} from '../../define-feature/count-in-guards.ts'
import { digest } from '../../foundation/crypto/digest.ts'
import { GUESS_DELAYS } from './limits.ts'

const ACCOUNT = GUESS_DELAYS['passwords of an account']
const AT_NETWORK = GUESS_DELAYS['passwords of an account at a network']

/** The counters of an attempt to sign in. */
export class GuessCounters {
  readonly #provider: string
  readonly #account: string | undefined
  readonly #accountCounters: readonly Counter[]
  readonly #networkCounters: readonly Counter[]
  /** The name of this guess. Those with the same values begin with the same digest. */
  readonly #guess: string

  private constructor(
    provider: string,
    account: string | undefined,
    counters: { account?: readonly Counter[]; network?: readonly Counter[] },
  ) {
    this.#provider = provider
    this.#account = account
    this.#accountCounters = counters.account ?? []
    this.#networkCounters = counters.network ?? []
    this.#guess = `${account} ${crypto.randomUUID()}`
  }

  /** The counters of the account that these values identify, and of the request's network. */
  static async of(
    c: AppContext,
    provider: string,
    identifiers: readonly string[],
  ): Promise<GuessCounters> {
    const network = countedNetwork(c)
    const networkCounters = countedFor(`guesses ${provider}`, network).map((counted) =>
      guardCounter(counted, GUESS_DELAYS.passwords),
    )
    if (identifiers.length === 0) {
      return new GuessCounters(provider, undefined, { network: networkCounters })
    }
    const account = await digest(JSON.stringify(identifiers))
    const browser = await knownBrowserId(c, provider, account)
    if (browser !== undefined) {
      // Someone who knew the password once may have made several browsers known.
      const own = counter(`${provider} ${account} in ${browser}`, AT_NETWORK)
      const shared = counter(`${provider} ${account} in known browsers`, ACCOUNT)
      return new GuessCounters(provider, account, { account: [own, shared] })
    }
    const similar = await digest(JSON.stringify(identifiers.map(fold)))
    // All of an IPv6 /48 together, because a customer with several /64 could use up the next one.
    const atNetwork = network
      ? [counter(`${provider} ${similar} from ${network.name}`, AT_NETWORK)]
      : []
    return new GuessCounters(provider, account, {
      account: [...atNetwork, counter(`${provider} ${similar}`, ACCOUNT)],
      network: networkCounters,
    })
  }

  /**
   * Counts a guess before it is checked. Returns for how many seconds no guess is allowed; 0 if
   * this one may be checked. The network is the last, because others share it.
   */
  count(c: AppContext): Promise<number> {
    return countInGuards(c.env, [...this.#accountCounters, ...this.#networkCounters], this.#guess)
  }

  /**
   * The guess was right, so the guesses of exactly this account are forgotten. Those of accounts
   * with a similar name are not, and at the network only this guess is: someone with one
   * password must not get more guesses for others.
   */
  async forget(c: AppContext): Promise<void> {
    await forgetInGuards(c.env, this.#accountCounters, `${this.#account} `)
    await forgetInGuards(c.env, this.#networkCounters, this.#guess)
  }

  /** The owner of the account has signed in with this browser. */
  async remember(c: AppContext): Promise<void> {
    if (this.#account !== undefined) await rememberAccount(c, this.#provider, this.#account)
  }
}

function counter(name: string, delays: GuessDelays): Counter {
  return guardCounter({ guard: `guesses ${name}` }, delays)
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
