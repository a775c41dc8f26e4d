/** As many buttons with logos as a page of 14 KB has room for. */
export const MAX_CHOICES = 8

interface SplitChoices<Choice> {
  first: readonly Choice[]
  more: readonly Choice[]
}

/** The choices that a page shows, and those that it shows, by name only, when the user asks for more. */
export function splitChoices<Choice>(choices: readonly Choice[]): SplitChoices<Choice> {
  return { first: choices.slice(0, MAX_CHOICES), more: choices.slice(MAX_CHOICES) }
}
