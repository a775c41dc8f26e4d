import { type RedirectCallbackInput, toCallbackClient } from '../config/callbacks.ts'
import type { Config } from '../config/config.ts'
import { boundedFetch } from '../fetch/bounded-fetch.ts'
import type { Client } from '../registration-schemas/clients.ts'
import { CallbackError } from './callback-error.ts'
import { runWithDeadline } from './run.ts'

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
