import { openWithExpiry, sealUntil } from '../../foundation/crypto/expiring-seal.ts'
import { randomSecret } from '../../foundation/crypto/random.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import type { Config } from '../config/config.ts'
import { ATTEMPT_LIFETIME } from '../config/lifetimes.ts'
import type { Interaction } from '../interaction/interaction.ts'

/**
 * TikTok accepts a state of at most 512 characters, of which the return URL may use this many.
 */
const MAX_RESTART_URL_LENGTH = 200

/**
 * On these systems no app moves a sign-in to another browser. macOS is not included: iPads claim to
 * be Macs.
 */
const DESKTOP_SYSTEMS = /Windows|X11|CrOS/

interface StateContent {
  correlationId: string
  /** Where the user can start again; empty if they must not be sent anywhere automatically. */
  restartUrl: string
  /** The kind of browser that started the attempt. */
  browserKind: string
}

/**
 * Creates the state of an attempt: 256 random bits and, where the device may be a phone, a sealed
 * hint. The hint is used when the attempt's cookie is lost because the phone continued the sign-in
 * in another browser.
 */
export async function createState(
  { seal }: Config,
  provider: string,
  {
    correlationId,
    restartUrl,
    userAgent,
  }: Omit<StateContent, 'browserKind'> & { userAgent: string },
): Promise<string> {
  if (DESKTOP_SYSTEMS.test(userAgent)) return randomSecret()
  const hint = await sealUntil(seal, nowInSeconds() + ATTEMPT_LIFETIME, {
    purpose: 'state',
    context: provider,
    text: [restartUrl, correlationId, browserKind(userAgent)].join(' '),
  })
  return `${randomSecret()}.${hint}`
}

/** Reads the hint in the state of an attempt whose cookie is lost. */
export async function readState(
  { seal }: Config,
  provider: string,
  state: string,
): Promise<Partial<StateContent>> {
  const hint = await openWithExpiry(seal, state.split('.')[1] ?? '', {
    purpose: 'state',
    context: provider,
  })
  const [restartUrl, correlationId, browserKind] = hint?.text.split(' ') ?? []
  if (restartUrl === undefined || correlationId === undefined) return {}
  if (hint?.isExpired || browserKind === undefined) return { correlationId }
  return { correlationId, restartUrl, browserKind }
}

/**
 * The same for all browsers of one phone. Desktop systems never lose an attempt, so they are one
 * kind.
 */
export function browserKind(userAgent: string): string {
  if (DESKTOP_SYSTEMS.test(userAgent)) return 'desktop'
  return userAgent.match(/iPhone|iPad|Android|Macintosh/)?.[0] ?? 'other'
}

/**
 * Where a user can start again in another browser. An authorization request is useless there, so it
 * is the app's own page.
 */
export function restartUrl({ returnTo }: Interaction): string {
  return returnTo.length > MAX_RESTART_URL_LENGTH ? new URL(returnTo).origin : returnTo
}
