import type { AppContext } from '../config/app-env.ts'
import type { Interaction } from './interaction.ts'

/** The path of a feature's page that this user must see before they continue to an app. */
export async function requiredStep(c: AppContext, userId: string): Promise<string | undefined> {
  for (const { interactionStep } of c.get('config').features) {
    const path = await interactionStep?.(c, { id: userId })
    if (path !== undefined) return path
  }
  return undefined
}

/** The page continues the interaction. */
export function stepPath(path: string, { id }: Interaction): string {
  return `${path}?${new URLSearchParams({ interaction: id })}`
}
