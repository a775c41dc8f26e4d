import type { ListedFeature } from '../../src/core/config/vestibule-options.ts'
import { type Finding, warning } from '../finding.ts'

/** A feature, with its step as the deployment has defined it. */
type DefinedFeature = ListedFeature & {
  ownStep?: { required: (...input: never[]) => unknown; pages: readonly string[] }
}

/** A path of a page, as a text in code. */
const PATH = /(["'`])(\/[a-z\d-]+(?:\/[a-z\d-]+)*)\1/g

/** Checks that the paths which the code of a step names are pages on which users can pass it. */
export function checkOwnSteps(features: readonly DefinedFeature[]): Finding[] {
  return features.flatMap(({ id, ownStep }) => {
    if (!ownStep) return []
    const { required, pages } = ownStep
    const named = Array.from(required.toString().matchAll(PATH), ([, , path = '']) => path)
    return named
      .filter((path) => !pages.includes(path))
      .map((path) =>
        warning('steps', {
          what: `The step of the feature ${id} names ${path}, which is none of its pages with isStep.`,
          why: 'If required returns this path, nobody whom the step is asked of can sign in.',
          fix:
            pages.length > 0
              ? `Correct the path: ${pages.join(', ')} exist.`
              : 'Add a page with isStep under this path to pages.',
        }),
      )
  })
}
