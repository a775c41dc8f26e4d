import { Hono } from 'hono'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import type { RemovedAuthorization } from '../../provider-interface/oauth-types.ts'
import { recordAuditEntry } from '../audit/audit-log.ts'
import { afterResponse, emitEvent } from '../http/after-response.ts'
import type { AppContext, AppEnv } from '../http/app-env.ts'
import { auditOrigin } from '../http/audit.ts'
import { addToLog } from '../http/request-log.ts'
import { findProvider } from '../upstream/enabled-providers.ts'
import type { ResolvedProvider } from '../upstream/resolved-provider.ts'
import { deleteUserCompletely } from '../users/remove-user.ts'
import { findRemovedAccount } from '../users/removed-accounts.ts'
import { callUserObject } from '../users/user-object.ts'

/**
 * `/api/auth/webhook/<id>`: a provider reports what users do there. The response is sent only after
 * the effect is stored. Providers repeat every notification that was not acknowledged, and
 * repetitions change nothing.
 */
export const notifications = new Hono<AppEnv>().post('/webhook/:provider', async (c) => {
  const config = c.get('config')
  const provider = findProvider(config, c.req.param('provider'))
  if (!provider?.readNotification) throw new SignInError('provider_unknown')
  const notification = await provider.readNotification({
    headers: c.req.raw.headers,
    body: await c.req.arrayBuffer(),
    clientId: provider.clientId,
    clientSecrets: provider.clientSecrets,
    settings: config.declaredSettings,
  })
  if (notification === 'invalid_signature') return reject(c, notification, 401)
  if (notification === 'invalid_event') return reject(c, notification, 400)
  if (notification) await removeAuthorization(c, provider, notification)
  return c.json({})
})

/** The user or the provider revoked the authorization: all sessions and grants end. */
async function removeAuthorization(
  c: AppContext,
  provider: ResolvedProvider,
  { accountId, at, isAccountDeleted, reason }: RemovedAuthorization,
): Promise<void> {
  const account = { provider: provider.id, issuer: provider.accountIssuer, accountId }
  const removed = await findRemovedAccount(c.env, { ...account, clientId: provider.clientId, at })
  if (!removed) return
  const { userId, isOnly, isBlocked, removedAt } = removed
  const config = c.get('config')
  const origin = auditOrigin(c, 'service')
  // A blocked user is kept, because the block would be deleted too.
  if (isAccountDeleted && isOnly && !isBlocked) {
    const deletion = { userId, origin, revokedAccounts: [] }
    const isDeleted = await deleteUserCompletely(c.env, config, deletion)
    if (isDeleted) emitEvent(c, 'deleteUser', { user: { id: userId }, reason: 'provider' })
  } else {
    await callUserObject(c.env, userId, (object) => object.disconnect(account, removedAt, []))
    const detail = 'authorization removed at the provider'
    const entry = { ...origin, subject: userId, provider: provider.id, detail }
    afterResponse(c, recordAuditEntry(c.env, config, { ...entry, event: 'sessions_ended' }))
  }
  addToLog(c, { event: 'platform_removed', provider: provider.id, userId, reason })
}

function reject(c: AppContext, error: string, status: 400 | 401): Response {
  addToLog(c, { code: error })
  return c.json({ error }, status)
}
