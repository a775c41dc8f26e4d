import type { ChoiceForm } from '../pages/more-choices.tsx'
import { splitChoices } from '../pages/split-choices.ts'
import type { AppContext } from './app-env.ts'
import { csrfToken } from './csrf.ts'

interface ChoiceFormOptions {
  action: string
  /** The parameters of a request that starts a sign-in. */
  params: URLSearchParams
}

/** The form for those of these choices that have no button; undefined if all of them have one. */
export async function createChoiceForm(
  c: AppContext,
  choices: readonly unknown[],
  { action, params }: ChoiceFormOptions,
): Promise<ChoiceForm | undefined> {
  if (splitChoices(choices).more.length === 0) return undefined
  return { action, fields: [...params, ['csrfToken', await csrfToken(c)]] }
}
