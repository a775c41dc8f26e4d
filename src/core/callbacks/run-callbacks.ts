import type { Awaitable } from '../../provider-interface/oauth-types.ts'
import {
  type RedirectCallbackInput,
  type SignInCallbackInput,
  toCallbackClient,
} from '../config/callbacks.ts'
import type { Config } from '../config/config.ts'
import type { EventInput, EventName, EventPayloads } from '../config/events.ts'
import { boundedFetch } from '../fetch/bounded-fetch.ts'
import { withDeadline } from '../fetch/deadline.ts'
import type { Client } from '../registration-schemas/clients.ts'
import { CallbackError, describeCallbackError } from './callback-error.ts'

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

/**
 * Calls `callbacks.redirect` of a deployment that has it. An address that it returns has not been
 * checked.
 */
export async function decideRedirect(
  { callbacks }: Config,
  url: string,
  client: Client | undefined,
): Promise<boolean | string> {
  const input: RedirectCallbackInput = {
    url,
    client: client && toCallbackClient(client),
    fetch: boundedFetch,
  }
  const result: unknown = await runWithDeadline('callbacks.redirect', () =>
    callbacks.redirect?.(input),
  )
  if (typeof result === 'boolean' || typeof result === 'string') return result
  throw new CallbackError('callbacks.redirect must return true, false or a URL.')
}

/** Runs the deployment's handler of an event. An error is logged and has no other effect. */
export async function runEvent<Name extends EventName>(
  { events }: Config,
  name: Name,
  payload: EventPayloads[Name],
  requestId?: string,
): Promise<void> {
  const handler = events[name] as ((input: EventInput<Name>) => unknown) | undefined
  if (!handler) return
  try {
    await runWithDeadline(`events.${name}`, () => handler({ ...payload, fetch: boundedFetch }))
  } catch (error) {
    const cause = error instanceof CallbackError ? describeCallbackError(error) : String(error)
    console.error(JSON.stringify({ ...(requestId && { requestId }), event: 'event_failed', cause }))
  }
}
