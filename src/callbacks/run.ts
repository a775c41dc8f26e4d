import { withDeadline } from '../fetch/deadline.ts'
import type { Awaitable } from '../providers/oauth-types.ts'
import { CallbackError } from './callback-error.ts'

/** As long as a request to a provider may take; a user waits for it. */
const DEADLINE = 5_000 // milliseconds

/** Runs code of the deployment. If it throws or takes too long, the result is a `CallbackError`. */
export async function runWithDeadline<Result>(
  name: string,
  call: () => Awaitable<Result>,
): Promise<Result> {
  try {
    return await withDeadline(call(), DEADLINE, () => {
      const text = `${name} took longer than ${DEADLINE / 1000} seconds.`
      return new CallbackError(text, { isTimeout: true })
    })
  } catch (cause) {
    if (cause instanceof CallbackError) throw cause
    throw new CallbackError(`${name} failed.`, { cause })
  }
}
