import type { StepUser } from '../config/feature.ts'
import { stepsOf } from '../config/passed-steps.ts'
import type { GrantTerms } from '../grants/grant.ts'
import type { AppContext } from '../http/app-env.ts'

/** Whether a grant is from before a step that a feature requires for the grants of this user, too. */
export async function isEndedByStep(
  c: AppContext,
  { terms, user }: { terms: GrantTerms; user: StepUser },
): Promise<boolean> {
  const { features, steps: ofDeployment } = c.get('config')
  const steps = stepsOf(ofDeployment, () => user)
  for (const { id, step } of features) {
    if (!step?.endsGrants || terms.steps?.[id] === steps[id]) continue
    if (await step.endsGrants(c, user)) return true
  }
  return false
}
