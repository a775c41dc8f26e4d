import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Persona } from './personas.ts'
import type { StandInEnv } from './platform.ts'

const COOKIE = 'video-platform-persona'

/** The persona this browser is logged in as, or the one a test names in the `__as` parameter. */
export function currentPersona(
  c: Context<StandInEnv>,
  override: string | null = null,
): Persona | undefined {
  const { personas } = c.get('platform')
  const persona = personas.get(override ?? getCookie(c, COOKIE) ?? '')
  return persona?.standing === 'deleted' ? undefined : persona
}

/** The personas one can log in as: all except those whose account was deleted. */
export function selectablePersonas(c: Context<StandInEnv>): Persona[] {
  const personas = [...c.get('platform').personas.values()]
  return personas.filter(({ standing }) => standing !== 'deleted')
}

export function setPersonaCookie(c: Context<StandInEnv>, { handle }: Persona): void {
  setCookie(c, COOKIE, handle, { httpOnly: true, sameSite: 'Lax', path: '/' })
}

export function deletePersonaCookie(c: Context<StandInEnv>): void {
  deleteCookie(c, COOKIE, { path: '/' })
}
