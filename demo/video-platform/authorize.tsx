import { type Context, Hono } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { mayLogIn } from './apps.ts'
import { type AuthorizationRequest, readAuthorizationRequest } from './authorization-request.ts'
import { allow, allowAgain, refuse } from './callback.ts'
import { ConsentPage } from './consent-page.tsx'
import { ErrorPage } from './error-page.tsx'
import { PageError } from './errors.ts'
import { readForm } from './form.ts'
import { findGrant } from './grants.ts'
import { HomePage, LoginPage } from './login-page.tsx'
import type { Persona } from './personas.ts'
import type { StandInEnv } from './platform.ts'
import { splitScopes } from './scopes.ts'

const COOKIE = 'video-platform-persona'

/** The pages people see: who they are, what they allow, and what went wrong. */
export const authorize = new Hono<StandInEnv>()
  .on('GET', ['/v2/auth/authorize/', '/v2/auth/authorize'], (c) => {
    const platform = c.get('platform')
    const query = new URL(c.req.url).searchParams
    const request = readAuthorizationRequest(platform, query)

    const persona = readPersona(c, query.get('__as') ?? getCookie(c, COOKIE))
    if (persona === undefined) {
      return c.html(<LoginPage personas={[...platform.personas.values()]} query={query} />)
    }
    const refusal = refusePersona(c, request, persona)
    if (refusal !== undefined) return c.redirect(refusal)

    const choice = query.get('__grant')
    if (choice !== null) return c.redirect(decide(c, request, { persona, choice }))

    const grant = findGrant(platform, request.app.clientKey, persona.handle)
    const isCovered = request.scopes.every((scope) => grant?.scopes.includes(scope))
    if (grant !== undefined && isCovered && !request.alwaysAsks) {
      return c.redirect(allowAgain(platform, request, grant))
    }
    return c.html(<ConsentPage request={request} persona={persona} query={query} />)
  })
  .post('/v2/auth/login', async (c) => {
    const form = await readForm(c)
    const persona = c.get('platform').personas.get(form.get('persona') ?? '')

    if (persona !== undefined) {
      setCookie(c, COOKIE, persona.handle, { httpOnly: true, sameSite: 'Lax', path: '/' })
    }
    return c.redirect(placeOf(form), 303)
  })
  .post('/v2/auth/logout', async (c) => {
    deleteCookie(c, COOKIE, { path: '/' })
    return c.redirect(placeOf(await readForm(c)), 303)
  })
  .post('/v2/auth/consent', async (c) => {
    const form = await readForm(c)
    const query = new URLSearchParams(form.get('query') ?? '')
    const request = readAuthorizationRequest(c.get('platform'), query)

    const persona = readPersona(c, query.get('__as') ?? getCookie(c, COOKIE))
    if (persona === undefined) return c.redirect(placeOf(form), 303)
    const refusal = refusePersona(c, request, persona)
    if (refusal !== undefined) return c.redirect(refusal, 303)

    const isAllowed = form.get('decision') === 'allow'
    const choice = isAllowed ? form.getAll('scope').join(',') : 'deny'
    return c.redirect(decide(c, request, { persona, choice }), 303)
  })
  .get('/v2/auth/error', (c) => c.html(<ErrorPage details={new URL(c.req.url).searchParams} />))
  .get('/', (c) => {
    const { personas } = c.get('platform')
    const current = readPersona(c, getCookie(c, COOKIE))
    return c.html(<HomePage personas={[...personas.values()]} current={current} />)
  })

/** Whoever logged in, or whom `__as` names to save a test the clicking. */
function readPersona(c: Context<StandInEnv>, handle: string | undefined): Persona | undefined {
  return handle === undefined ? undefined : c.get('platform').personas.get(handle)
}

/** A refused persona is logged out as well, or the next try could not choose another. */
function refusePersona(
  c: Context<StandInEnv>,
  request: AuthorizationRequest,
  persona: Persona,
): string | undefined {
  const isInvited = mayLogIn(request.app, persona.handle)
  if (isInvited && persona.standing === 'good') return undefined

  deleteCookie(c, COOKIE, { path: '/' })
  if (isInvited) {
    return refuse(request, {
      error_description: 'The user is not eligible for third-party login or authorization.',
    })
  }
  if (c.get('platform').switches.nonTargetAt === 'page') {
    throw new PageError('access_denied', 'non_sandbox_target')
  }
  return refuse(request, {
    error_type: 'non_sandbox_target',
    error_description: 'The user is not a target user of the sandbox.',
  })
}

/** `deny`, or the scopes allowed, joined by commas. */
function decide(
  c: Context<StandInEnv>,
  request: AuthorizationRequest,
  { persona, choice }: { persona: Persona; choice: string },
): string {
  if (choice === 'deny') {
    return refuse(request, { error_description: 'The user denied the authorization request.' })
  }
  return allow(c.get('platform'), request, { persona, scopes: splitScopes(choice) })
}

/** Back to the request the form came from, or to the front page when there was none. */
function placeOf(form: URLSearchParams): string {
  const query = form.get('query')
  return query ? `/v2/auth/authorize/?${new URLSearchParams(query)}` : '/'
}
