import { OAuthError, SignInError } from '../errors.ts'
import type { AppContext } from '../http/app-env.ts'
import { addressOf } from '../http/client-address.ts'

/**
 * Counts what a person, or an address, does in their browser, and turns away who comes too often. Cloudflare counts
 * where the request arrives, at no cost to storage; it counts generously, so what must not be guessed has a limit of
 * its own.
 */
export async function countVisit(c: AppContext, who: string): Promise<void> {
  const { success } = await c.env.VISITS.limit({ key: who })
  if (!success) throw new SignInError('too_many_requests')
}

/** Counts a call that says it is this client's. */
export async function countCall(c: AppContext, clientId: string): Promise<void> {
  const address = addressOf(c)
  if (address === undefined) return
  const { success } = await c.env.CALLS.limit({ key: `${clientId} ${address}` })
  if (!success) throw tooManyCalls()
}

export function tooManyCalls(): OAuthError {
  return new OAuthError('temporarily_unavailable', 'Too many requests: wait a minute.', {
    isTooMany: true,
  })
}
