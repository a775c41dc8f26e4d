import { type Context, Hono } from 'hono'
import { mayLogIn } from './apps.ts'
import { type AuthorizationRequest, readAuthorizationRequest } from './authorization-request.ts'
import { allow, allowAgain, refuse } from './callback.ts'
import { ConsentPage } from './consent-page.tsx'
import { ErrorPage } from './error-page.tsx'
import { PageError } from './errors.ts'
import { readForm } from './form.ts'
import { findGrant } from './grants.ts'
import { LoginPage } from './login-page.tsx'
import { choosablePersonas, currentPersona, forgetPersona } from './persona-cookie.ts'
import type { Persona } from './personas.ts'
import type { StandInEnv } from './platform.ts'
import { splitScopes } from './scopes.ts'

/** What an app sends people here for: to say who they are and what they allow. */
export const authorize = new Hono<StandInEnv>()
  .on('GET', ['/v2/auth/authorize/', '/v2/auth/authorize'], (c) => {
    const platform = c.get('platform')
    const query = new URL(c.req.url).searchParams
    const request = readAuthorizationRequest(platform, query)

    const persona = currentPersona(c, query.get('__as'))
    if (persona === undefined) {
      return c.html(<LoginPage personas={choosablePersonas(c)} place={addressOf(query)} />)
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
  .post('/v2/auth/consent', async (c) => {
    const form = await readForm(c)
    const query = new URLSearchParams(form.get('query') ?? '')
    const request = readAuthorizationRequest(c.get('platform'), query)

    const persona = currentPersona(c, query.get('__as'))
    if (persona === undefined) return c.redirect(addressOf(query), 303)
    const refusal = refusePersona(c, request, persona)
    if (refusal !== undefined) return c.redirect(refusal, 303)

    const isAllowed = form.get('decision') === 'allow'
    const choice = isAllowed ? form.getAll('scope').join(',') : 'deny'
    return c.redirect(decide(c, request, { persona, choice }), 303)
  })
  .get('/v2/auth/error', (c) => c.html(<ErrorPage details={new URL(c.req.url).searchParams} />))

function addressOf(query: URLSearchParams): string {
  return `/v2/auth/authorize/?${query}`
}

/** A refused persona is logged out as well, or the next try could not choose another. */
function refusePersona(
  c: Context<StandInEnv>,
  request: AuthorizationRequest,
  persona: Persona,
): string | undefined {
  const isInvited = mayLogIn(request.app, persona.handle)
  if (isInvited && persona.standing === 'good') return undefined

  forgetPersona(c)
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
