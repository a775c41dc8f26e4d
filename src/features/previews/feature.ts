import type { Feature } from '../../core/config/feature.ts'
import type { ListedFeature } from '../../core/config/vestibule-options.ts'
import { findWildcardProblems } from './find-wildcard-problems.ts'
import { isPreviewOrigin } from './preview-origin.ts'
import { matchesPreview } from './wildcard-patterns.ts'

/** Lets an app of the operator's own have a redirect URI with a wildcard, for its previews. */
export function previews(): ListedFeature {
  const feature: Feature = {
    id: 'previews',
    registrations: { clients: { problems: findWildcardProblems } },
    wildcards: { matches: matchesPreview, matchesOrigin: isPreviewOrigin },
  }
  return feature
}
