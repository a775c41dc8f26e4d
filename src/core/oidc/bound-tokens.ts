import type { Config } from '../config/config.ts'
import type { BoundTokens } from './feature-members.ts'

/** What binds tokens to keys of their clients, if a feature of the deployment does. */
export function findBoundTokens({ features }: Pick<Config, 'features'>): BoundTokens | undefined {
  return features.find(({ boundTokens }) => boundTokens)?.boundTokens
}
