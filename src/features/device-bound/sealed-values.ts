import { openUnexpired, openWithExpiry, sealUntil } from '../../foundation/crypto/expiring-seal.ts'
import type { Seal } from '../../foundation/crypto/seal.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'

/*
 * What browsers keep of a bound session. Everything is sealed, so that what somebody made up is
 * refused before any storage is read.
 */

export const SEAL = 'device-bound'

/** Longer than a browser takes to sign. Nothing that was signed in advance is accepted later. */
const CHALLENGE_LIFETIME = 120 // seconds

/** The session that a browser may bind, and that was opened a moment ago. */
interface Opened {
  userId: string
  secretDigest: string
}

/** The challenge for the key of a new session. */
export function sealOffer(seal: Seal, { userId, secretDigest }: Opened): Promise<string> {
  return sealUntil<typeof SEAL>(seal, nowInSeconds() + CHALLENGE_LIFETIME, {
    purpose: SEAL,
    context: 'registration',
    text: `${userId}.${secretDigest}`,
  })
}

export async function openOffer(seal: Seal, sealed: string): Promise<Opened | undefined> {
  const use = { purpose: SEAL, context: 'registration' } as const
  const opened = await openUnexpired<typeof SEAL>(seal, sealed, use)
  const [userId, secretDigest] = opened?.split('.') ?? []
  return userId && secretDigest ? { userId, secretDigest } : undefined
}

/** A bound session, by the proof that its requests show. */
export interface BoundSession {
  userId: string
  proof: string
}

/** The id by which the browser knows the session. */
export function sealSessionId(seal: Seal, { userId, proof }: BoundSession): Promise<string> {
  return seal.seal<typeof SEAL>(SEAL, 'session', `${userId}.${proof}`)
}

export async function openSessionId(seal: Seal, sealed: string): Promise<BoundSession | undefined> {
  const [userId, proof] = (await seal.open<typeof SEAL>(SEAL, 'session', sealed))?.split('.') ?? []
  return userId && proof ? { userId, proof } : undefined
}

/** A challenge for the key of a bound session. */
export function sealChallenge(seal: Seal, proof: string): Promise<string> {
  return sealUntil<typeof SEAL>(seal, nowInSeconds() + CHALLENGE_LIFETIME, {
    purpose: SEAL,
    context: `challenge ${proof}`,
    text: String(Date.now()),
  })
}

/** When the challenge was sealed, in milliseconds; undefined if it is not one for this session. */
export async function openChallenge(
  seal: Seal,
  sealed: string,
  proof: string,
): Promise<{ sealedAt: number; isExpired: boolean } | undefined> {
  const use = { purpose: SEAL, context: `challenge ${proof}` } as const
  const opened = await openWithExpiry<typeof SEAL>(seal, sealed, use)
  return opened && { sealedAt: Number(opened.text), isExpired: opened.isExpired }
}

/** The content of the bound cookie. */
export function sealProof(seal: Seal, proof: string, expiresAt: number): Promise<string> {
  const content = { purpose: SEAL, context: 'cookie', text: proof } as const
  return sealUntil<typeof SEAL>(seal, expiresAt, content)
}

export function openProof(seal: Seal, sealed: string): Promise<string | undefined> {
  return openUnexpired<typeof SEAL>(seal, sealed, { purpose: SEAL, context: 'cookie' })
}
