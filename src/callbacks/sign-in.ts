import type { SignInCallbackInput } from '../config/callbacks.ts'
import type { Config } from '../config/config.ts'
import { boundedFetch } from '../fetch/bounded-fetch.ts'
import { CallbackError } from './callback-error.ts'
import { runWithDeadline } from './run.ts'

/** What the deployment has decided about a sign-in. */
export type SignInDecision =
  | { kind: 'allowed' }
  | { kind: 'rejected' }
  | { kind: 'redirected'; url: string }

/** Calls `callbacks.signIn` of a deployment that has it. */
export async function decideSignIn(
  { callbacks, issuer }: Config,
  input: Omit<SignInCallbackInput, 'fetch'>,
): Promise<SignInDecision> {
  const result: unknown = await runWithDeadline('callbacks.signIn', () =>
    callbacks.signIn?.({ ...input, fetch: boundedFetch }),
  )
  if (result === true) return { kind: 'allowed' }
  if (result === false) return { kind: 'rejected' }
  const url = typeof result === 'string' ? URL.parse(result, issuer) : null
  const isPath = url?.origin === issuer && String(result).startsWith('/')
  const isAbsolute = url?.protocol === 'https:' && /^https:\/\//i.test(String(result))
  if (!url || !(isPath || isAbsolute)) {
    throw new CallbackError(
      'callbacks.signIn must return true, false, an https URL, or a path of this service.',
    )
  }
  return { kind: 'redirected', url: url.href }
}
