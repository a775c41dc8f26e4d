import type { GuessDelays, UseLimit } from './guard-object.ts'

/*
 * All limits that guards count, by their names in docs/operations.md, which lists who shares each.
 * Strangers share none with everybody.
 */

const MINUTE = 60 // seconds
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How often something may happen. */
export const USE_LIMITS = {
  /** Sign-ins that public clients start on devices. Many users may share a network. */
  'device requests': [{ max: 60, period: 10 * MINUTE }],

  /** Clients that register themselves. Each usually does so once. */
  registrations: [
    { max: 20, period: 10 * MINUTE },
    { max: 100, period: DAY },
  ],

  /** Metadata documents that are read for the first time, and therefore stored. */
  'new documents': [
    { max: 30, period: 10 * MINUTE },
    { max: 200, period: DAY },
  ],

  /** More than a person allows. */
  'unregistered clients allowed': [{ max: 100, period: DAY }],

  /**
   * Each message allows five guesses of a code, so that someone who requests all of them guesses a
   * code with a probability of 100 in a million a day.
   */
  'messages to a recipient': [
    { max: 10, period: 15 * MINUTE },
    { max: 20, period: DAY },
  ],

  /** To all recipients. */
  messages: [
    { max: 30, period: 15 * MINUTE },
    { max: 200, period: DAY },
  ],

  /** Wrong secrets of a client, after which no more are checked. */
  'client secrets': [{ max: 10, period: MINUTE }],

  /** A user who has waited for this long after a message may need it again. */
  'repeated messages': [{ max: 1, period: 30 }],
} as const satisfies Record<string, readonly UseLimit[]>

/** Long enough that guessing is hopeless, short enough that a user waits rather than gives up. */
const MAX_DELAY = 15 * MINUTE

/** How long someone has to wait who has guessed wrong. */
export const GUESS_DELAYS = {
  /**
   * There are 20^8 codes. While a thousand devices wait, ten thousand networks that guess for an
   * hour find one of their codes with a probability of one percent, and can only sign that device
   * in as themselves.
   */
  'user codes': { free: 20, maxDelay: MAX_DELAY, memory: HOUR },

  /** For one account, from one network: people mistype a password a few times. */
  'passwords of an account at a network': { free: 5, maxDelay: MAX_DELAY, memory: DAY },

  /**
   * For one account, from all networks. Higher, so that someone else's guesses delay its owner only
   * if they come from several networks. With the delays, about 120 guesses a day are possible.
   */
  'passwords of an account': { free: 20, maxDelay: MAX_DELAY, memory: DAY },

  /** For all accounts. Many users may share a network. */
  passwords: { free: 50, maxDelay: MAX_DELAY, memory: DAY },
} as const satisfies Record<string, GuessDelays>
