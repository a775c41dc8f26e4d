import { Hono } from 'hono'
import * as z from 'zod/mini'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import type { AppContext, AppEnv } from '../http/app-env.ts'
import { auditOrigin, auditUserEvent } from '../http/audit.ts'
import { requireOwnPage } from '../http/cross-origin.ts'
import { addToLog } from '../http/request-log.ts'
import { validateForm, validateQuery } from '../http/validate.ts'
import {
  ACCOUNT_SIGN_IN_PATH,
  confirmedAccountPath,
  repeatedChangePath,
} from '../pages/account-path.ts'
import { endOtherSessions, reportSignOut } from '../session/end-session.ts'
import { limitRequestsByUser } from '../session/limit-requests-by-user.ts'
import { authoritativeSession } from '../session/read-session.ts'
import { requireRecentSession } from '../session/recent-session.ts'
import { readSessionCookie } from '../session/session-cookie.ts'
import { exportUser } from '../users/export-user.ts'
import { callUserObject } from '../users/user-object.ts'
import { LINK_PATH } from './account-link.ts'
import { respondWithAccountPage } from './account-page.tsx'
import { respondWithAddMethodPage } from './add-method.tsx'
import { CONFIRM_PATH, respondToConfirmation, respondWithConfirmPage } from './confirm.tsx'
import { respondToDeletion, respondWithDeletePage } from './delete.tsx'
import { respondToDisconnect, respondWithDisconnectPage } from './disconnect.tsx'
import { respondWithSessionsPage } from './sessions.tsx'
import { respondWithWithdrawPage } from './withdraw.tsx'

const sessionsQuery = z.lazy(() =>
  z.object({
    from: z.pipe(z.string().check(z.regex(/^\d{1,3}$/)), z.transform(Number)),
  }),
)
const sessionForm = z.object({ sid: z.string() })
const consentInput = z.object({ client_id: z.string() })
const accountInput = z.object({ account: z.string() })

/** `/account`: what users can see and change about themselves. */
export const account = new Hono<AppEnv>()
  .use('/account/*', requireOwnPage, limitRequestsByUser('account'))

  .get('/account', async (c) => {
    const current = await readSession(c)
    if (!current) return c.redirect(ACCOUNT_SIGN_IN_PATH)
    return respondWithAccountPage(c, current.session, current.sessionKey)
  })

  .get('/account/sessions', validateQuery(sessionsQuery), async (c) => {
    const current = await readSession(c)
    if (!current) return c.redirect(ACCOUNT_SIGN_IN_PATH)
    const { session, sessionKey } = current
    const { from } = c.req.valid('query')
    return respondWithSessionsPage(c, { userId: session.user.id, sessionKey, from })
  })
  .post('/account/sessions', validateForm(sessionForm), async (c) => {
    const { sid } = c.req.valid('form')
    const { user } = await requireConfirmedSession(
      c,
      sid === 'others' ? repeatedChangePath('endOtherSessions') : undefined,
    )
    if (sid === 'others') {
      await endOtherSessions(c)
      return c.redirect(confirmedAccountPath('otherSessionsEnded'), 303)
    }
    const ended = await callUserObject(c.env, user.id, (object) => object.endSessionById(sid))
    if (!ended) return c.redirect('/account', 303)
    reportSignOut(c, user.id, 'one')
    const { device } = ended
    return c.redirect(confirmedAccountPath('sessionEnded', device ? { device } : {}), 303)
  })

  .get('/account/consents', validateQuery(consentInput), async (c) => {
    const current = await readSession(c)
    if (!current) return c.redirect(ACCOUNT_SIGN_IN_PATH)
    const { session, sessionKey } = current
    const { client_id: clientId } = c.req.valid('query')
    return respondWithWithdrawPage(c, { userId: session.user.id, sessionKey, clientId })
  })
  .post('/account/consents', validateForm(consentInput), async (c) => {
    const { client_id } = c.req.valid('form')
    const path = `/account/consents?${new URLSearchParams({ client_id })}`
    const { user } = await requireConfirmedSession(c, path)
    const isWithdrawn = await callUserObject(c.env, user.id, (object) =>
      object.revokeClient(client_id),
    )
    addToLog(c, { event: 'consent', userId: user.id })
    // Otherwise a form could record any text as the client.
    if (!isWithdrawn) return c.redirect('/account', 303)
    auditUserEvent(c, user.id, { event: 'consent_withdrawn', client: client_id })
    return c.redirect(confirmedAccountPath('consentWithdrawn', { client: client_id }), 303)
  })

  .get(LINK_PATH, async (c) => {
    const { user } = await requireRecentSession(c)
    return respondWithAddMethodPage(c, user.id)
  })
  .get(CONFIRM_PATH, validateQuery(accountInput), async (c) => {
    const session = await requireRecentSession(c)
    return respondWithConfirmPage(c, session, c.req.valid('query').account)
  })
  .post(CONFIRM_PATH, validateForm(accountInput), async (c) => {
    const { account: digest } = c.req.valid('form')
    const path = `${CONFIRM_PATH}?${new URLSearchParams({ account: digest })}`
    const session = await requireRecentSession(c, path)
    return respondToConfirmation(c, session, digest)
  })
  .get('/account/disconnect', validateQuery(accountInput), async (c) => {
    const { user } = await requireRecentSession(c)
    return respondWithDisconnectPage(c, user.id, c.req.valid('query').account)
  })
  .post('/account/disconnect', validateForm(accountInput), async (c) => {
    const { account: digest } = c.req.valid('form')
    const path = `/account/disconnect?${new URLSearchParams({ account: digest })}`
    const { user } = await requireRecentSession(c, path)
    return respondToDisconnect(c, user, digest)
  })

  // A POST, because another site could make the browser send a GET, and each export is recorded.
  .post('/account/export', async (c) => {
    const { user } = await requireRecentSession(c, repeatedChangePath('download'))
    const document = await exportUser(c.env, c.get('config'), {
      userId: user.id,
      origin: auditOrigin(c, user.id),
    })
    if (!document) throw new SignInError('not_found')
    const date = new Date().toISOString().slice(0, 10)
    c.header('Content-Disposition', `attachment; filename="account-data-${date}.json"`)
    return c.body(JSON.stringify(document, undefined, 2), 200, {
      'Content-Type': 'application/json',
    })
  })

  .get('/account/delete', async (c) => {
    const { user } = await requireRecentSession(c)
    return respondWithDeletePage(c, user)
  })
  .post('/account/delete', async (c) => {
    const { user } = await requireRecentSession(c, '/account/delete')
    return respondToDeletion(c, user.id)
  })

/** The user's session, and its key. */
async function readSession(c: AppContext) {
  const session = await authoritativeSession(c)
  const cookie = await readSessionCookie(c)
  return session && cookie && { session, sessionKey: cookie.sessionKey }
}

/** An unconfirmed method must not end what its owner has in other browsers. */
async function requireConfirmedSession(c: AppContext, continueAt?: string) {
  const session = await authoritativeSession(c)
  if (!session || session.level === 'unconfirmed')
    throw new SignInError('sign_in_again', { continueAt })
  return session
}
