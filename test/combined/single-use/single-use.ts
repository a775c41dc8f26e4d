import type { Deployment, Service } from './deployment.ts'

/**
 * Presents something at an isolate, each time as whoever has a copy of it. Returns what was given for
 * it, or undefined if it was rejected.
 */
export type Use = (service: Service) => Promise<string | undefined>

/** Something that can be used once. */
export interface SingleUse {
  /** The files of src that use it up. */
  usedUpBy: readonly string[]
  /** For how many seconds it can be used, or is remembered. */
  lifetime: number
  /** Why it is not rejected after that. */
  hasNoEnd?: string
  /** How many seconds before the end it can still be used; 1 by default. */
  margin?: number
  /** For how many seconds after its use the same is given for it again, and why. */
  repeatable?: readonly [seconds: number, reason: string]
  /** Why another isolate accepts it again. */
  isLocal?: string
  /** A new one, from now on. */
  obtain(deployment: Deployment): Promise<Use>
}
