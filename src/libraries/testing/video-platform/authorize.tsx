import { type Context, Hono } from 'hono'
import { mayLogIn } from './apps.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { denyRequest, grantRequest, reuseGrant } from './callback.ts'
import { ConsentPage } from './consent-page.tsx'
import { ErrorPage } from './error-page.tsx'
import { PageError } from './errors.ts'
import { findGrant } from './grants.ts'
import { LoginPage } from './login-page.tsx'
import { currentPersona, deletePersonaCookie, selectablePersonas } from './persona-cookie.ts'
import type { Persona } from './personas.ts'
import type { StandInEnv } from './platform.ts'
import { readAuthorizationRequest } from './read-authorization-request.ts'
import { splitScopes } from './scopes.ts'

/** The authorization endpoint: users log in and decide what the app may access. */
export const authorize = new Hono<StandInEnv>()
  .on('GET', ['/v2/auth/authorize/', '/v2/auth/authorize'], (c) => {
    const platform = c.get('platform')
    const query = new URL(c.req.url).searchParams
    const request = readAuthorizationRequest(platform, query)

    const persona = currentPersona(c, query.get('__as'))
    if (persona === undefined) {
      return c.html(<LoginPage personas={selectablePersonas(c)} place={authorizePath(query)} />)
    }
    const rejection = rejectPersona(c, request, persona)
    if (rejection !== undefined) return c.redirect(rejection)

    const choice = query.get('__grant')
    if (choice !== null) return c.redirect(applyChoice(c, request, { persona, choice }))

    const grant = findGrant(platform, request.app.clientKey, persona.handle)
    const isCovered = request.scopes.every((scope) => grant?.scopes.includes(scope))
    if (grant !== undefined && isCovered && !request.alwaysShowsConsent) {
      return c.redirect(reuseGrant(platform, request, grant))
    }
    return c.html(<ConsentPage request={request} persona={persona} query={query} />)
  })
  .post('/v2/auth/consent', async (c) => {
    const form = await c.req.parseBody({ all: true })
    const query = new URLSearchParams(String(form['query'] ?? ''))
    const request = readAuthorizationRequest(c.get('platform'), query)

    const persona = currentPersona(c, query.get('__as'))
    if (persona === undefined) return c.redirect(authorizePath(query), 303)
    const rejection = rejectPersona(c, request, persona)
    if (rejection !== undefined) return c.redirect(rejection, 303)

    const isAllowed = form['decision'] === 'allow'
    const choice = isAllowed ? [form['scope'] ?? []].flat().join(',') : 'deny'
    return c.redirect(applyChoice(c, request, { persona, choice }), 303)
  })
  .get('/v2/auth/error', (c) => c.html(<ErrorPage details={new URL(c.req.url).searchParams} />))

function authorizePath(query: URLSearchParams): string {
  return `/v2/auth/authorize/?${query}`
}

/**
 * Returns the redirect to the app if this persona may not log in. The persona is logged out as
 * well, so that another one can be selected at the next attempt.
 */
function rejectPersona(
  c: Context<StandInEnv>,
  request: AuthorizationRequest,
  persona: Persona,
): string | undefined {
  const isTargetUser = mayLogIn(request.app, persona.handle)
  if (isTargetUser && persona.standing === 'good') return undefined

  deletePersonaCookie(c)
  if (isTargetUser) {
    return denyRequest(request, {
      error_description: 'The user is not eligible for third-party login or authorization.',
    })
  }
  if (c.get('platform').switches.nonTargetAt === 'page') {
    throw new PageError('access_denied', 'non_sandbox_target')
  }
  return denyRequest(request, {
    error_type: 'non_sandbox_target',
    error_description: 'The user is not a target user of the sandbox.',
  })
}

/** The choice is `deny`, or the allowed scopes joined by commas. */
function applyChoice(
  c: Context<StandInEnv>,
  request: AuthorizationRequest,
  { persona, choice }: { persona: Persona; choice: string },
): string {
  if (choice === 'deny') {
    return denyRequest(request, { error_description: 'The user denied the authorization request.' })
  }
  return grantRequest(c.get('platform'), request, { persona, scopes: splitScopes(choice) })
}
