import type { AppContext } from '../http/app-env.ts'
import { continueUrl, type Interaction } from './interaction.ts'

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

export function returnsToApp(c: AppContext, { returnTo }: Interaction): boolean {
  return new URL(returnTo).origin !== c.get('config').issuer
}

/** The page of a feature that the user must see first. A request is checked when it continues. */
export async function stepUrl(
  c: AppContext,
  interaction: Interaction,
  userId: string,
): Promise<string | undefined> {
  if (interaction.request || !returnsToApp(c, interaction)) return undefined
  const path = await requiredStep(c, userId)
  return path && c.get('config').issuer + stepPath(path, interaction)
}

/** Where a user who has signed in continues. */
export async function nextUrl(
  c: AppContext,
  interaction: Interaction,
  userId: string,
): Promise<string> {
  return (await stepUrl(c, interaction, userId)) ?? continueUrl(c, interaction)
}
