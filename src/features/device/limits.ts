import { type GuessLimits, MAX_GUESS_DELAY, type UseLimits } from '../../define-feature/limits.ts'

export const USE_LIMITS = {
  /** Sign-ins that public clients start on devices. Many users may share a network. */
  'device requests': [{ max: 60, period: 600 }],
} as const satisfies UseLimits

export const GUESS_DELAYS = {
  /**
   * There are 20^8 codes. While a thousand devices wait, ten thousand networks that guess for an
   * hour find one of their codes with a probability of one percent, and can only sign that device
   * in as themselves.
   */
  'user codes': { free: 20, maxDelay: MAX_GUESS_DELAY, memory: 3600 },
} as const satisfies GuessLimits
