import { nearestName } from '../../foundation/values/nearest-name.ts'
import type { Problem } from '../../foundation/values/problem.ts'
import type { Feature } from './feature.ts'

/** The steps that depend on roles which no user of this deployment can have. */
export function unknownRolesOfSteps(features: readonly Feature[]): Problem[] {
  const names = features.flatMap(({ userRoles = [] }) => userRoles)
  return features.flatMap(({ id, step }) =>
    (step?.roles ?? [])
      .filter((role) => !names.includes(role))
      .map((role) => {
        const message = `depends on a role that users cannot have: ${describeUnknownRole(role, names)}`
        return { path: ['features', id], code: 'invalid', message }
      }),
  )
}

/** What is wrong with the name of a role that the deployment does not declare. */
export function describeUnknownRole(name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names)
  const hint = nearest ? ` Did you mean ${nearest}?` : ''
  const known = names.length > 0 ? names.join(', ') : 'no roles'
  return `${JSON.stringify(name.slice(0, 64))} is not a role of this deployment, which has ${known}.${hint}`
}
