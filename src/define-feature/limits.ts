import type { GuessDelays, UseLimit } from '../core/limits/limit-table.ts'

/** By name: how often something may happen. */
export type UseLimits = Readonly<Record<string, readonly UseLimit[]>>

/** By name: how long someone has to wait who has guessed wrong. */
export type GuessLimits = Readonly<Record<string, GuessDelays>>

/** The limits of a feature, of both kinds. */
type Limits = Readonly<Record<string, readonly UseLimit[] | GuessDelays>>

/** Long enough that guessing is hopeless, short enough that a user waits rather than gives up. */
export const MAX_GUESS_DELAY = 900 // seconds

declare module '../core/config/feature.ts' {
  interface Feature {
    /** The limits that guards count for it, by their names in docs/reference.md. */
    limits?: Limits
  }
}
