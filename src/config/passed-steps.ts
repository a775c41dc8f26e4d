import type { Feature } from '../feature.ts'

/** The steps that a session has passed, or that were not asked of it: their versions by feature. */
export type PassedSteps = Readonly<Record<string, number>>

/** The steps that a session of a deployment with these features must have passed. */
export function requiredSteps(features: readonly Feature[]): PassedSteps {
  return Object.fromEntries(
    features.flatMap(({ id, step }) => (step ? [[id, step.version ?? 1]] : [])),
  )
}

/** Whether all of the required steps were passed, in these versions. */
export function hasPassed(required: PassedSteps, passed: PassedSteps = {}): boolean {
  return Object.entries(required).every(([id, version]) => passed[id] === version)
}
