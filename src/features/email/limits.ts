import type { UseLimits } from '../../define-feature/limits.ts'

const QUARTER_HOUR = 900 // seconds
const DAY = 24 * 3600 // seconds

export const USE_LIMITS = {
  /**
   * Each message allows five guesses of a code, so that someone who requests all of them guesses a
   * code with a probability of 100 in a million a day.
   */
  'messages to a recipient': [
    { max: 10, period: QUARTER_HOUR },
    { max: 20, period: DAY },
  ],

  /** To all recipients. */
  messages: [
    { max: 30, period: QUARTER_HOUR },
    { max: 200, period: DAY },
  ],

  /**
   * Messages that ways to sign in have changed, of which one user can cause half. Whoever is signed
   * in as a user can cause any number of changes. The next message says how many there were.
   */
  announcements: [
    { max: 8, period: QUARTER_HOUR },
    { max: 20, period: DAY },
  ],

  /** A user who has waited for this long after a message may need it again. */
  'repeated messages': [{ max: 1, period: 30 }],
} as const satisfies UseLimits
