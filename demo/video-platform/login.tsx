import { Hono } from 'hono'
import { readForm } from './form.ts'
import { HomePage } from './login-page.tsx'
import {
  choosablePersonas,
  currentPersona,
  forgetPersona,
  rememberPersona,
} from './persona-cookie.ts'
import type { StandInEnv } from './platform.ts'

/** Becoming someone, and nobody again. */
export const login = new Hono<StandInEnv>()
  .get('/', (c) => {
    return c.html(<HomePage personas={choosablePersonas(c)} current={currentPersona(c)} />)
  })
  .post('/v2/auth/login', async (c) => {
    const form = await readForm(c)
    const persona = c.get('platform').personas.get(form.get('persona') ?? '')

    if (persona !== undefined) rememberPersona(c, persona)
    return c.redirect(placeOf(form), 303)
  })
  .post('/v2/auth/logout', async (c) => {
    forgetPersona(c)
    return c.redirect(placeOf(await readForm(c)), 303)
  })

/** Back to the page the form was on, which is one of ours. */
function placeOf(form: URLSearchParams): string {
  const place = form.get('place') ?? ''
  return /^\/(?![/\\])/.test(place) ? place : '/'
}
