import type { Interaction } from './interaction.ts'

/** The page of a step, which then continues the interaction. */
export function stepPath(path: string, { id }: Interaction): string {
  return `${path}?${new URLSearchParams({ interaction: id })}`
}
