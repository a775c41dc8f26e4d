import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Persona } from './personas.ts'
import type { StandInEnv } from './platform.ts'

const COOKIE = 'video-platform-persona'

/** Whoever is logged in at this browser, or whom `__as` names to save a test the clicking. */
export function currentPersona(
  c: Context<StandInEnv>,
  shortcut: string | null = null,
): Persona | undefined {
  const { personas } = c.get('platform')
  const persona = personas.get(shortcut ?? getCookie(c, COOKIE) ?? '')
  return persona?.standing === 'deleted' ? undefined : persona
}

/** Who can be chosen; a deleted account is nobody's any more. */
export function choosablePersonas(c: Context<StandInEnv>): Persona[] {
  const everyone = [...c.get('platform').personas.values()]
  return everyone.filter(({ standing }) => standing !== 'deleted')
}

export function rememberPersona(c: Context<StandInEnv>, { handle }: Persona): void {
  setCookie(c, COOKIE, handle, { httpOnly: true, sameSite: 'Lax', path: '/' })
}

export function forgetPersona(c: Context<StandInEnv>): void {
  deleteCookie(c, COOKIE, { path: '/' })
}
