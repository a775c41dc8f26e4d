import { type GuessLimits, MAX_GUESS_DELAY } from '../../define-feature/limits.ts'

const DAY = 24 * 3600 // seconds

export const GUESS_DELAYS = {
  /** For one account, from one network: people mistype a password a few times. */
  'passwords of an account at a network': { free: 5, maxDelay: MAX_GUESS_DELAY, memory: DAY },

  /**
   * For one account, from all networks. Higher, so that someone else's guesses delay its owner only
   * if they come from several networks. With the delays, about 120 guesses a day are possible.
   */
  'passwords of an account': { free: 20, maxDelay: MAX_GUESS_DELAY, memory: DAY },

  /** For all accounts. Many users may share a network. */
  passwords: { free: 50, maxDelay: MAX_GUESS_DELAY, memory: DAY },
} as const satisfies GuessLimits
