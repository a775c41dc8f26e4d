import type { Feature, Step } from '../core/config/feature.ts'
import type { ListedFeature } from '../core/config/vestibule-options.ts'
import { readSessionCookie } from '../core/session/session-cookie.ts'
import { auditReadiness } from './audit-readiness.ts'
import { type FeatureWords, requestContext, userContext } from './feature-context.ts'
import type { OwnFeature, OwnStep } from './own-feature.ts'
import { userOperations } from './own-operations.tsx'
import { createRoutes, pageContext } from './own-pages.tsx'

/** Creates a feature on the published interface. Only ours may have the names that are reserved. */
export function createFeature(own: OwnFeature): ListedFeature {
  const { id, pages = {}, step, accountSection, operations, userCard, ...declared } = own
  const words: FeatureWords = own
  const feature: Feature = {
    id,
    ...declared,
    ...(own.audit && { readiness: (env) => auditReadiness(env, id, own.audit ?? {}) }),
    routes: () => createRoutes(words, pages),
    ...(step && { step: toStep(words, step) }),
    ...(accountSection && {
      accountPart: async (c, session) => {
        const cookie = await readSessionCookie(c)
        return (
          cookie && { section: await accountSection(await pageContext(c, words, session, cookie)) }
        )
      },
    }),
    ...((operations || userCard) && { operations: userOperations(words, own) }),
  }
  return feature
}

function toStep(words: FeatureWords, { required, endsGrants, ...step }: OwnStep): Step {
  return {
    ...step,
    ...(endsGrants && {
      endsGrants: (c, user) => endsGrants(userContext(c, words, { user })),
    }),
    required: (c, { isKnownBrowser, isAdministration, ...request }) =>
      required({ ...requestContext(c, words, request), isKnownBrowser, isAdministration }),
  }
}
