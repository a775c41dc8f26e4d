import type { Config } from '../config/config.ts'
import { digest } from '../crypto/random.ts'

/** A code or refresh token, opened: where its grant lives, and the proof that it is known there. */
export interface OpenedHandle {
  userId: string
  grantId: string
  /** The digest of the secret in it. */
  key: string
  /** Which refresh token of the grant this is; 0 for a code. */
  generation: number
}

interface HandleParts {
  userId: string
  grantId: string
  secret: string
  generation: number
}

const KINDS = { code: 'ac_', refresh: 'rt_' } as const

/**
 * A handle routes itself: sealed into it are the person, the grant and a secret, so garbage is refused
 * before any storage is asked. The same parts always make the same refresh token.
 */
export async function makeHandle(
  { seal }: Config,
  kind: keyof typeof KINDS,
  parts: HandleParts,
): Promise<string> {
  const { userId, grantId, secret, generation } = parts
  const prefix = KINDS[kind]
  const text = [userId, grantId, secret, generation].join(' ')
  const sealed =
    kind === 'code' ? seal.seal(kind, prefix, text) : seal.sealAlike(kind, prefix, text)
  return prefix + (await sealed)
}

export async function openHandle(
  { seal }: Config,
  kind: keyof typeof KINDS,
  handle: string,
): Promise<(OpenedHandle & { secret: string }) | undefined> {
  const prefix = KINDS[kind]
  if (!handle.startsWith(prefix)) return undefined
  const opened = await seal.open(kind, prefix, handle.slice(prefix.length))
  const [userId, grantId, secret, generation] = opened?.split(' ') ?? []
  if (!userId || !grantId || !secret || !generation) return undefined
  return { userId, grantId, secret, generation: Number(generation), key: await digest(secret) }
}
