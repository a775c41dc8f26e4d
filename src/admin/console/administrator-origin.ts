import type { AppContext } from '../../config/app-env.ts'
import { SignInError } from '../../errors/sign-in-error.ts'
import { auditOrigin } from '../../http/audit.ts'
import { authoritativeSession } from '../../session/current.ts'

/** The administrator and the request, for the audit log. */
export async function administratorOrigin(c: AppContext) {
  const session = await authoritativeSession(c)
  if (!session) throw new SignInError('not_found')
  return auditOrigin(c, session.user.id)
}
