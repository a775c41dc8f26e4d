import { requireStorage } from '../storage/unavailable-error.ts'
import { guardObject } from './guard-object.ts'

/** Returns true the first time this name is used, until it expires, in seconds since 1970. */
export function useOnce(env: Env, name: string, expiresAt: number): Promise<boolean> {
  return requireStorage(() => guardObject(env, name).useOnce(name, expiresAt))
}

/**
 * The same for the digest of something that anyone can create: 64 guards share them, so that no
 * object is created for each.
 */
export function useDigestOnce(
  env: Env,
  kind: string,
  { digest, expiresAt }: { digest: string; expiresAt: number },
): Promise<boolean> {
  const guard = `${kind} ${digest.charAt(0)}`
  return requireStorage(() => guardObject(env, guard).useOnce(digest, expiresAt))
}
