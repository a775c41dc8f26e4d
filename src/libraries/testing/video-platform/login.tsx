import { Hono } from 'hono'
import { HomePage } from './login-page.tsx'
import {
  currentPersona,
  deletePersonaCookie,
  selectablePersonas,
  setPersonaCookie,
} from './persona-cookie.ts'
import type { StandInEnv } from './platform.ts'

/** The front page, and logging in and out as a persona. */
export const login = new Hono<StandInEnv>()
  .get('/', (c) => {
    return c.html(<HomePage personas={selectablePersonas(c)} current={currentPersona(c)} />)
  })
  .post('/v2/auth/login', async (c) => {
    const form = await c.req.parseBody<{ persona?: string; place?: string }>()
    const persona = c.get('platform').personas.get(form.persona ?? '')

    if (persona !== undefined) setPersonaCookie(c, persona)
    return c.redirect(localPath(form.place), 303)
  })
  .post('/v2/auth/logout', async (c) => {
    const form = await c.req.parseBody<{ place?: string }>()

    deletePersonaCookie(c)
    return c.redirect(localPath(form.place), 303)
  })

/** Never redirects to another site: `//host` and `/\host` are absolute URLs for a browser. */
function localPath(place = '/'): string {
  return /^\/(?![/\\])/.test(place) ? place : '/'
}
