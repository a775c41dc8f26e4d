import type { Feature, Step, StepUser } from './feature.ts'

/** The steps that a session has passed, or that were not asked of it: their versions by feature. */
export type PassedSteps = Readonly<Record<string, number>>

/** The steps of a deployment, whose versions can depend on the user. */
export type RequiredSteps = Readonly<Record<string, NonNullable<Step['version']>>>

/** The steps that a session of a deployment with these features must have passed. */
export function requiredSteps(features: readonly Feature[]): RequiredSteps {
  return Object.fromEntries(
    features.flatMap(({ id, step }) => (step ? [[id, step.version ?? 1]] : [])),
  )
}

/** The steps that a session of this user must have passed. The user is read only if it matters. */
export function stepsOf(
  required: RequiredSteps,
  readUser: () => StepUser | undefined,
): PassedSteps {
  return Object.fromEntries(
    Object.entries(required).map(([id, version]) => [
      id,
      typeof version === 'number' ? version : version(readUser()),
    ]),
  )
}

/** Whether all of the required steps were passed, in these versions. */
export function hasPassed(required: PassedSteps, passed: PassedSteps = {}): boolean {
  return Object.entries(required).every(([id, version]) => passed[id] === version)
}
