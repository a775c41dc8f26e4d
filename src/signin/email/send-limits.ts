import type { AppContext } from '../../config/app-env.ts'
import { digest } from '../../crypto/digest.ts'
import { clientIp } from '../../http/client-ip.ts'
import { countUses } from '../../limits/count-in-guards.ts'
import type { UseLimit } from '../../limits/guard-object.ts'
import { knownBrowserId } from '../known-browser.ts'
import { toAccountId } from './address.ts'

/**
 * The messages to one recipient. Each allows five guesses of a code, so that someone who requests
 * all of them guesses a code with a probability of 100 in a million a day.
 */
const RECIPIENT_LIMITS: readonly UseLimit[] = [
  { max: 5, period: 15 * 60 },
  { max: 20, period: 24 * 3600 },
]

/** The messages that one IP address requests. Many users may share it. */
const IP_LIMITS: readonly UseLimit[] = [
  { max: 30, period: 15 * 60 },
  { max: 200, period: 24 * 3600 },
]

/** A user who has waited for this long after a message may need it again. */
export const RESEND_DELAY = 30 // seconds

const RESEND_LIMITS: readonly UseLimit[] = [{ max: 1, period: RESEND_DELAY }]

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
  // All known browsers share a limit: someone who had access to the mailbox may have several.
  if (await knownBrowserId(c, provider, accountId)) {
    return countUses(c.env, [[`${name} in known browsers`, RECIPIENT_LIMITS]])
  }
  const ip = clientIp(c)
  return countUses(c.env, [
    [name, RECIPIENT_LIMITS],
    // The last, because others share it.
    ...(ip === undefined ? [] : [[`${provider} messages from ${ip}`, IP_LIMITS] as const]),
  ])
}

/**
 * Counts a message that is sent again. Returns for how many seconds none is sent; 0 if it may be
 * sent.
 */
export async function countRepeatedMessage(c: AppContext, state: string): Promise<number> {
  return countUses(c.env, [[`repeated ${await digest(state)}`, RESEND_LIMITS]])
}
