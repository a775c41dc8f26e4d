import type { AppContext } from '../../core/http/app-env.ts'
import { countedNetwork } from '../../core/http/client-ip.ts'
import { type Network, WHOLE } from '../../core/limits/network.ts'
import { knownBrowserId } from '../../core/session/known-browser.ts'
import {
  type Counter,
  countedFor,
  countInGuards,
  countUse,
  guardCounter,
} from '../../define-feature/count-in-guards.ts'
import { digest } from '../../foundation/crypto/digest.ts'
import { toAccountId } from './address.ts'
import { USE_LIMITS } from './limits.ts'

/** A user who has waited for this long after a message may need it again. */
export const RESEND_DELAY = USE_LIMITS['repeated messages'][0].period // seconds

/**
 * Of the messages to one recipient, one network can request this share. The recipient can still
 * request others elsewhere.
 */
const NETWORK_SHARE = 0.5

/**
 * Counts a message, unless there are too many. The same for every recipient, whether or not the
 * address is that of a user. Returns for how many seconds no further one is sent; 0 if it may be
 * sent.
 */
export async function countMessage(
  c: AppContext,
  provider: string,
  recipient: string,
): Promise<number> {
  const accountId = toAccountId(recipient)
  const name = `${provider} messages to ${await digest(accountId)}`
  const limits = USE_LIMITS['messages to a recipient']
  // All known browsers share a limit: someone who had access to the mailbox may have several.
  const counters = (await knownBrowserId(c, provider, accountId))
    ? [guardCounter({ guard: `${name} in known browsers` }, limits)]
    : strangersCounters(name, provider, countedNetwork(c))
  return countInGuards(c.env, counters, crypto.randomUUID())
}

/** The network is the last, because others share it. */
function strangersCounters(
  guard: string,
  provider: string,
  network: Network | undefined,
): Counter[] {
  const prefix = network ? `${network.name} ` : ''
  const parts = [WHOLE, ...(network ? [{ prefix, factor: NETWORK_SHARE }] : [])]
  return [
    guardCounter({ guard, prefix, parts }, USE_LIMITS['messages to a recipient']),
    ...countedFor(`${provider} messages`, network).map((counted) =>
      guardCounter(counted, USE_LIMITS.messages),
    ),
  ]
}

/**
 * Counts a message that is sent again. Returns for how many seconds none is sent; 0 if it may be
 * sent.
 */
export async function countRepeatedMessage(c: AppContext, state: string): Promise<number> {
  return countUse(c.env, { limits: USE_LIMITS, name: 'repeated messages' }, await digest(state))
}
