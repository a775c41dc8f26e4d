import { requireStorage } from '../storage/unavailable-error.ts'
import { guardObject } from './guard-object.ts'

/** Returns true the first time this name is used, until it expires, in seconds since 1970. */
export function useOnce(env: Env, name: string, expiresAt: number): Promise<boolean> {
  return requireStorage(() => guardObject(env, name).useOnce(name, expiresAt))
}
