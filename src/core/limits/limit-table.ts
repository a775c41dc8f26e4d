/*
 * The limits that guards count, by their names in docs/reference.md, which lists who shares each.
 * Strangers share none with everybody. Features have others in files of their own.
 */

/** How often something may happen within a period. */
export interface UseLimit {
  max: number
  period: number // seconds
}

/** How long someone has to wait who has guessed wrong. */
export interface GuessDelays {
  /** The number of guesses without a delay. */
  free: number
  maxDelay: number // seconds
  /** How long a guess is remembered, in seconds. */
  memory: number
}

export const USE_LIMITS = {
  /** Wrong secrets of a client, after which no more are checked. */
  'client secrets': [{ max: 10, period: 60 }],
} as const satisfies Readonly<Record<string, readonly UseLimit[]>>
