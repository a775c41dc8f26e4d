import type { Feature, Step } from '../core/config/feature.ts'
import type { ListedFeature } from '../core/config/vestibule-options.ts'
import { readSessionCookie } from '../core/session/session-cookie.ts'
import { auditReadiness } from './audit-readiness.ts'
import { type FeatureWords, requestContext, userContext } from './feature-context.ts'
import type { OwnFeature, OwnPage, OwnStep } from './own-feature.ts'
import { userOperations } from './own-operations.tsx'
import { createRoutes, pageContext } from './own-pages.tsx'

/** Creates a feature on the published interface. Only ours may have the names that are reserved. */
export function createFeature(own: OwnFeature): ListedFeature {
  const { id, pages = {}, step, accountSection, operations, userCard, ...declared } = own
  const words: FeatureWords = own
  // `ownStep` is for doctor.
  const feature: Feature & { ownStep?: object } = {
    id,
    ...declared,
    ...(own.audit && { readiness: (env) => auditReadiness(env, id, own.audit ?? {}) }),
    routes: () => createRoutes(words, pages),
    ...(step && {
      step: toStep(words, step, pages),
      ownStep: { required: step.required, pages: stepPages(pages) },
    }),
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

function toStep(
  words: FeatureWords,
  { required, endsGrants, ...step }: OwnStep,
  pages: Readonly<Record<string, OwnPage>>,
): Step {
  return {
    ...step,
    ...(endsGrants && {
      endsGrants: (c, user) => endsGrants(userContext(c, words, { user })),
    }),
    async required(c, { isKnownBrowser, isAdministration, ...request }) {
      const context = requestContext(c, words, request)
      const path = await required({ ...context, isKnownBrowser, isAdministration })
      if (path === undefined || stepPages(pages).includes(path)) return path
      throw new Error(`${path} is not a page of the feature ${words.id} with isStep.`)
    },
  }
}

/** The paths on which users can pass a step. */
function stepPages(pages: Readonly<Record<string, OwnPage>>): string[] {
  return Object.entries(pages).flatMap(([path, { isStep }]) => (isStep ? [path] : []))
}
