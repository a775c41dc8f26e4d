import type { UseLimits } from '../../define-feature/limits.ts'

const TEN_MINUTES = 600 // seconds
const DAY = 24 * 3600 // seconds

export const USE_LIMITS = {
  /** Clients that register themselves. Each usually does so once. */
  registrations: [
    { max: 20, period: TEN_MINUTES },
    { max: 100, period: DAY },
  ],

  /** Metadata documents that are read for the first time, and therefore stored. */
  'new documents': [
    { max: 30, period: TEN_MINUTES },
    { max: 200, period: DAY },
  ],

  /** More than a person allows. */
  'unregistered clients allowed': [{ max: 100, period: DAY }],
} as const satisfies UseLimits
