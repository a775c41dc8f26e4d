import { digest } from '../../foundation/crypto/digest.ts'
import type { Config } from '../config/config.ts'

/** The contents of a code or refresh token. */
interface Handle {
  userId: string
  grantId: string
  secret: string
  /** Increases with every rotation of the refresh token; 0 for a code. */
  generation: number
}

/** A handle that a client presented, with the digest under which the grant stores its secret. */
export interface OpenedHandle extends Handle {
  secretDigest: string
}

const PREFIXES = { code: 'ac_', refresh: 'rt_' } as const

/**
 * Creates a code or refresh token. The user, the grant and the secret are sealed into it, so that a
 * request reaches the right object, and malformed tokens are rejected before any storage is read.
 */
export async function createHandle(
  { seal }: Config,
  kind: keyof typeof PREFIXES,
  { userId, grantId, secret, generation }: Handle,
): Promise<string> {
  const prefix = PREFIXES[kind]
  const content = [userId, grantId, secret, generation].join(' ')
  return prefix + (await seal.seal(kind, prefix, content))
}

/** Returns the contents of a handle, or `undefined` for anything we did not issue as this kind. */
export async function openHandle(
  { seal }: Config,
  kind: keyof typeof PREFIXES,
  handle: string,
): Promise<OpenedHandle | undefined> {
  const prefix = PREFIXES[kind]
  if (!handle.startsWith(prefix)) return undefined
  const content = await seal.open(kind, prefix, handle.slice(prefix.length))
  const [userId, grantId, secret, generation] = content?.split(' ') ?? []
  if (!userId || !grantId || !secret || !generation) return undefined
  return {
    userId,
    grantId,
    secret,
    generation: Number(generation),
    secretDigest: await digest(secret),
  }
}
