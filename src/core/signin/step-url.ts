import type { AppContext } from '../http/app-env.ts'
import { type Interaction, signInUrl } from '../interaction/interaction.ts'
import { stepPath } from '../interaction/step-path.ts'

/**
 * Where a user passes a step and continues the interaction. If another version of the deployment
 * has asked for the step, its page is not known, and the sign-in page finds it.
 */
export function stepUrl(c: AppContext, interaction: Interaction, path: string | undefined): string {
  const { issuer } = c.get('config')
  if (path === undefined) return issuer + signInUrl(interaction, '/signin')
  return issuer + stepPath(path, interaction)
}
