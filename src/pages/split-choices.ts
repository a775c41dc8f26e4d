/** As many buttons with logos as a page of 14 KB has room for. */
export const MAX_CHOICES = 8

/** The number of buttons if there are more choices: the list of the others then has at least three. */
const BUTTONS_BEFORE_LIST = 6

interface SplitChoices<Choice> {
  first: readonly Choice[]
  more: readonly Choice[]
}

/** The choices that have a button, and those that are in a list of names. */
export function splitChoices<Choice>(choices: readonly Choice[]): SplitChoices<Choice> {
  const count = choices.length > MAX_CHOICES ? BUTTONS_BEFORE_LIST : MAX_CHOICES
  return { first: choices.slice(0, count), more: choices.slice(count) }
}
