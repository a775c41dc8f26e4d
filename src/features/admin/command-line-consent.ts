import type { AppContext } from '../../core/http/app-env.ts'
import type { AuthorizationRequest } from '../../core/oidc/authorization-request.ts'
import type { ConsentDecision } from '../../core/oidc/consent-part.ts'
import { OPENID_SCOPES } from '../../core/registration-schemas/apis.ts'
import { requireRecentSession } from '../../core/session/recent-session.ts'
import { readSessionCookie } from '../../core/session/session-cookie.ts'
import { ACR } from '../../core/tokens/acr.ts'
import { adminApi } from './admin-api.ts'
import { roleScopes } from './roles.ts'
import { readRole } from './users/administrators.ts'

/**
 * A request of the command line for the admin API: only for what the role of the user allows, after
 * a new sign-in, with a passkey if the user has one. Someone else may ask an administrator to
 * confirm it.
 */
export async function limitRequest(
  c: AppContext,
  request: AuthorizationRequest,
  isApproved: boolean,
): Promise<AuthorizationRequest> {
  if (!isForAdminApi(c, request)) return request
  return {
    ...request,
    scope: await allowedByRole(c, request.scope),
    prompt: isApproved ? request.prompt : [...request.prompt, 'login'],
    acr: { values: [ACR.phishingResistant], isEssential: false },
  }
}

/** As for changes in the console. */
export async function requireRecentConsent(
  c: AppContext,
  decision: ConsentDecision,
): Promise<void> {
  if (isForAdminApi(c, decision)) await requireRecentSession(c, decision.continueAt)
}

function isForAdminApi(c: AppContext, { resources }: { resources: readonly string[] }): boolean {
  return resources.includes(adminApi(c.get('config')).identifier)
}

/**
 * Those of the scopes that the role of the signed-in user allows now: users who are not
 * administrators are not offered those of the admin API. If they get another role later, they have
 * to allow more.
 */
async function allowedByRole(c: AppContext, scope: readonly string[]): Promise<string[]> {
  const cookie = await readSessionCookie(c)
  const role = cookie && (await readRole(c.env, c.get('config'), cookie.userId))
  const names: readonly string[] = [...OPENID_SCOPES, ...(role ? roleScopes(role) : [])]
  return scope.filter((name) => names.includes(name))
}
