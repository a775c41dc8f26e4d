import { createMiddleware } from 'hono/factory'
import type { JWTPayload } from 'jose'
import { type AdminScope, isGranted } from '../../administration/admin-scopes.ts'
import type { ConsoleLink } from '../../administration/console/administrator.ts'
import { recordDenied } from '../../administration/console/authorization.ts'
import { signInAgain } from '../../administration/console/step-up.ts'
import { HttpProblem, notFound } from '../../administration/http-problem.ts'
import type { GrantTerms } from '../../core/grants/grant.ts'
import type { AppContext, AppEnv } from '../../core/http/app-env.ts'
import { countedNetwork } from '../../core/http/client-ip.ts'
import { addToLog } from '../../core/http/request-log.ts'
import { readOrStartInteraction } from '../../core/interaction/interaction.ts'
import { stepPath } from '../../core/interaction/step-path.ts'
import { limitAuthenticatedRequests, limitTokenRequests } from '../../core/limits/rate-limit.ts'
import { requirePossession } from '../../core/oidc/bearer.ts'
import { apiMetadata } from '../../core/oidc/protected-resources.ts'
import { boundSessions } from '../../core/session/bound-sessions.ts'
import { authoritativeSession } from '../../core/session/read-session.ts'
import { isProvedIfPossible } from '../../core/session/recent-session.ts'
import { askStepsAgain } from '../../core/session/steps.ts'
import { RECENT } from '../../core/tokens/keyring.ts'
import { type PresentedToken, presentedToken } from '../../core/tokens/presented-token.ts'
import { verifyAccessToken, verifyMachineToken } from '../../core/tokens/verify.ts'
import type { AuthoritativeSession } from '../../core/users/session.ts'
import type { UserRecord } from '../../core/users/user.ts'
import { callUserObject } from '../../core/users/user-object.ts'
import { OAuthError } from '../../foundation/errors/oauth-error.ts'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { challenge } from '../../foundation/resource-server/token-error.ts'
import { adminApi } from './admin-api.ts'
import { type AdminRole, roleScopes } from './roles.ts'
import { readRole } from './users/administrators.ts'

/**
 * Lets signed-in administrators pass. Everyone else gets the same page as at an unknown URL, unless
 * the deployment lets them sign in from here.
 */
export function requireAdministrator({
  sections,
  signIn,
  documentation,
}: {
  sections: readonly ConsoleLink[]
  signIn: boolean
  documentation: string | undefined
}) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const session = await authoritativeSession(c)
    if (!session && c.req.method === 'GET' && signIn) {
      const { pathname, search } = new URL(c.req.url)
      const params = new URLSearchParams({ callbackUrl: pathname + search })
      return c.redirect(`/api/auth/signin?${params}`, 303)
    }
    const id = session?.user.id
    const role = id && (await readRole(c.env, c.get('config'), id))
    if (!role) {
      if (id) recordDenied(c, id)
      throw new SignInError('not_found')
    }
    addToLog(c, { userId: id })
    const demand = await demandOfFeature(c, session)
    if (demand) return demand
    const { name, username, email } = session.user
    c.set('administrator', {
      id,
      name: name ?? username ?? email ?? id,
      role,
      scopes: roleScopes(role),
      sections,
      documentation,
    })
    return next()
  })
}

/** What a feature asks of an administrator before the console opens. */
async function demandOfFeature(
  c: AppContext,
  session: AuthoritativeSession,
): Promise<Response | undefined> {
  const path = await askStepsAgain(c, session, 'administration')
  if (path !== undefined) return continueWithStep(c, path)
  return boundSessions(c)?.limitConsole?.(c, session)
}

/** A step that administrators must pass leads back to the page. */
async function continueWithStep(c: AppContext, path: string): Promise<Response> {
  const { pathname, search } = new URL(c.req.url)
  const interaction = await readOrStartInteraction(c, { callbackUrl: pathname + search })
  return c.redirect(stepPath(path, interaction), 303)
}

/** Administrators who could have proved their sign-in do so now, and return to the page. */
export const requireStrongestSignIn = createMiddleware<AppEnv>(async (c, next) => {
  const session = await authoritativeSession(c)
  if (session && (await isProvedIfPossible(c, session))) return next()
  const section = c.req.param('section')
  const { label = 'Administration' } =
    c.get('administrator')?.sections.find(({ id }) => id === section) ?? {}
  return signInAgain(c, { label, isChange: false, cancelPath: '/admin' })
})

/** Who sends a request to the API. */
interface ApiCaller {
  /** As the audit log names them. */
  actor: string
  scopes: readonly string[]
  /** Of an administrator; machine clients have none. */
  role?: AdminRole
}

/**
 * The caller of the API, who must present an access token for it with this scope: a machine client,
 * or an administrator who has signed in with the command line. The client must still be registered,
 * and the administrator still have a role that allows it, because tokens stay valid for a while.
 * Sessions are not accepted, so that pages of other sites cannot use those of an administrator.
 */
export async function requireApiCaller(
  c: AppContext,
  scope: AdminScope | undefined,
): Promise<ApiCaller> {
  const token = presentedToken(c.req.header('Authorization'))
  if (!token) throw noAccess(c)
  const caller = (await machineCaller(c, token)) ?? (await administratorCaller(c, token))
  if (!caller) {
    await limitTokenRequests(c.env, countedNetwork(c))
    // Only in the request log: anyone can send such a token, and could fill the audit log.
    addToLog(c, { code: 'invalid_token' })
    throw noAccess(c)
  }
  if (scope && !isGranted(scope, caller.scopes)) {
    recordDenied(c, caller.actor)
    // Without a challenge: no other token would be enough.
    if (caller.role && !isGranted(scope, roleScopes(caller.role))) {
      throw new HttpProblem(403, `Your role, ${caller.role}, does not allow this.`)
    }
    const text = `The access token does not have the scope ${scope}.`
    const parameters = { scope, ...metadata(c) }
    c.header('WWW-Authenticate', challenge('insufficient_scope', text, { parameters }))
    throw new HttpProblem(403, text)
  }
  return caller
}

async function machineCaller(
  c: AppContext,
  presented: PresentedToken,
): Promise<ApiCaller | undefined> {
  const config = c.get('config')
  const verified = await verifyMachineToken(c.env, config, presented.token, RECENT)
  if (!verified) return undefined
  const { clientId, audience, scope } = verified
  addToLog(c, { clientId })
  const actor = `client:${clientId}`
  await limitAuthenticatedRequests(c.env, actor, countedNetwork(c))
  await requireKey(c, presented, verified.claims)
  if (audience.join(' ') === adminApi(config).identifier) return { actor, scopes: scope }
  recordDenied(c, actor)
  throw noAccess(c)
}

/** A token that is bound to a key is rejected without a proof, and the response says why. */
async function requireKey(
  c: AppContext,
  presented: PresentedToken,
  claims: JWTPayload,
): Promise<void> {
  const error = await requirePossession(c, presented, claims).catch((reason: unknown) => reason)
  if (error === undefined) return
  if (!(error instanceof OAuthError)) throw error
  const { code, message } = error
  addToLog(c, { code })
  const parameters = { ...error.parameters, ...metadata(c) }
  c.header('WWW-Authenticate', challenge(code, message, { parameters, scheme: 'DPoP' }))
  throw new HttpProblem(401, message)
}

/** The grant and the role are read with each request, so that the access ends with either. */
async function administratorCaller(
  c: AppContext,
  presented: PresentedToken,
): Promise<ApiCaller | undefined> {
  const config = c.get('config')
  const { identifier } = adminApi(config)
  const verified = await verifyAccessToken(c.env, config, presented.token, RECENT)
  if (verified?.audience.join(' ') !== identifier) return undefined
  const { clientId, userId, grantId, scope } = verified
  addToLog(c, { clientId, userId })
  await limitAuthenticatedRequests(c.env, userId, countedNetwork(c))
  const grant = await callUserObject(c.env, userId, (object) => object.readGrant(grantId))
  if (grant?.terms.clientId !== clientId) return undefined
  // After the grant: the proof is remembered, which nobody can cause with a revoked token.
  await requireKey(c, presented, verified.claims)
  const role = await readRole(c.env, config, userId)
  if (!role) {
    recordDenied(c, userId)
    throw noAccess(c)
  }
  await requireStepsOfGrant(c, grant)
  return { actor: userId, scopes: roleScopes(role).filter((name) => scope.includes(name)), role }
}

/** The sign-in of the grant may be older than a step that administrators must pass. */
async function requireStepsOfGrant(
  c: AppContext,
  { terms, user }: { terms: GrantTerms; user: UserRecord },
): Promise<void> {
  const { authenticatedAt = 0, amr, account } = terms
  const signIn = { user, authenticatedAt, level: 'silent', amr, method: account } as const
  if ((await askStepsAgain(c, signIn, 'administration')) === undefined) return
  const text = 'The sign-in does not have what administrators must prove: sign in again.'
  throw new HttpProblem(403, text)
}

/** The response is the same at every URL of the API, and says where tokens for it are issued. */
function noAccess(c: AppContext): HttpProblem {
  c.header('WWW-Authenticate', challenge('token_missing', '', { parameters: metadata(c) }))
  return notFound()
}

function metadata(c: AppContext) {
  return { resource_metadata: apiMetadata(c.get('config'), adminApi(c.get('config'))).url }
}
