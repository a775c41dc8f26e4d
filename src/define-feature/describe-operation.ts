import { type OperationDescription, post } from '../administration/operation-description.ts'

/* The commands import this file, so it must not import anything of the Worker. */

/** An operation on a user, with the texts of the API, the console and the commands. */
export interface UserOperationTexts {
  /** A title, without a full stop. */
  summary: string
  /** What happens, in sentences. */
  details?: readonly string[]
  /** The text of the button. */
  button: string
  /** What the console says afterwards. `{subject}` is the name of the user. */
  done: string
  /** Whether the user loses something. */
  isDanger?: boolean
}

export function describeOperation(
  feature: string,
  name: string,
  { summary, ...texts }: UserOperationTexts,
): OperationDescription {
  const options = { summary, ...texts, protectsOwners: true }
  return post(`/users/:id/${feature}/${name}`, 'admin:support', options)
}
