import type { Feature } from '../feature.ts'
import type { Problem } from '../values/problem.ts'

/** Options, settings and fields that have no effect unless a feature keeps the tokens of providers. */
export function unkeptTokenProblems(
  features: readonly Feature[],
  paths: readonly Problem['path'][],
): Problem[] {
  if (features.some(({ keepTokens }) => keepTokens)) return []
  const message =
    'needs a feature that keeps tokens: list providerTokens() of vestibule-auth/features.'
  return paths.map((path) => ({ path, code: 'unlisted', message }))
}
