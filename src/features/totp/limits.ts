import type { UseLimits } from '../../define-feature/limits.ts'

export const CHANGES = 'totp changes'
export const CODES = 'totp codes'
export const ALARMS = 'totp alarms'
export const RECOVERY = 'totp recovery codes'

export const USE_LIMITS = {
  /**
   * Codes of one user, in all sessions, since the last right one. Three codes are right at a time, so
   * that twenty guesses each day find one in a year with a probability of two percent.
   */
  [CODES]: [
    { max: 5, period: 900 },
    { max: 20, period: 86_400 },
  ],
  /**
   * Apps that are added, and new recovery codes of one user. Everything else that is recorded and
   * announced needs one of these first, such as a removal.
   */
  [CHANGES]: [
    { max: 5, period: 900 },
    { max: 20, period: 86_400 },
  ],
  /** Entries of the audit log about codes of one user that were refused, or cannot be checked. */
  [ALARMS]: [{ max: 1, period: 900 }],
  /** Recovery codes of one user from one network: nobody elsewhere can use them up. */
  [RECOVERY]: [{ max: 20, period: 900 }],
} as const satisfies UseLimits
