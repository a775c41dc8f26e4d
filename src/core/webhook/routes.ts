import { Hono } from 'hono'
import * as z from 'zod/mini'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { parseJson, parseJsonObject } from '../../foundation/values/json.ts'
import { WEBHOOK_WINDOW } from '../../providers/tiktok-settings.ts'
import { recordAuditEntry } from '../audit/audit-log.ts'
import { readSetting } from '../config/declared-settings.ts'
import { afterResponse, emitEvent } from '../http/after-response.ts'
import type { AppContext, AppEnv } from '../http/app-env.ts'
import { auditOrigin } from '../http/audit.ts'
import { addToLog } from '../http/request-log.ts'
import { findProvider } from '../upstream/enabled-providers.ts'
import type { ResolvedProvider } from '../upstream/resolved-provider.ts'
import { deleteUserCompletely } from '../users/remove-user.ts'
import { findRemovedAccount } from '../users/removed-accounts.ts'
import { callUserObject } from '../users/user-object.ts'
import { isSignatureValid } from './signature.ts'

/** A webhook event of TikTok. `content` is JSON inside JSON. */
const webhookEvent = z.object({
  client_key: z.string(),
  event: z.string(),
  create_time: z.number(),
  user_openid: z.string(),
  content: z.optional(z.string()),
})

/** TikTok's reason for a removed authorization: the user deleted their TikTok account. */
const ACCOUNT_DELETED = 2

/** Webhook receivers usually accept signatures of this age. */
const DEFAULT_WINDOW = 300 // seconds

/**
 * `/api/auth/webhook/tiktok`: TikTok reports what users do there. The response is sent only after
 * the effect is stored. TikTok repeats every event that was not acknowledged, and repetitions
 * change nothing.
 */
export const webhook = new Hono<AppEnv>().post('/webhook/tiktok', async (c) => {
  const config = c.get('config')
  const provider = findProvider(config, 'tiktok')
  if (!provider) throw new SignInError('provider_unknown')
  const body = await c.req.arrayBuffer()
  const isValid = await isSignatureValid(c.req.header('TikTok-Signature') ?? '', body, {
    secrets: provider.clientSecrets,
    tolerance: Number(readSetting(config, WEBHOOK_WINDOW) ?? DEFAULT_WINDOW),
  })
  if (!isValid) return reject(c, 'invalid_signature', 401)
  const { data } = webhookEvent.safeParse(parseJson(new TextDecoder().decode(body)))
  if (data?.client_key !== provider.clientId) return reject(c, 'invalid_event', 400)
  if (data.event === 'authorization.removed') await removeAuthorization(c, provider, data)
  return c.json({})
})

/** The user or TikTok revoked the authorization: all sessions and grants end. */
async function removeAuthorization(
  c: AppContext,
  provider: ResolvedProvider,
  event: z.infer<typeof webhookEvent>,
): Promise<void> {
  const content = parseJsonObject(event.content ?? '')
  const reason = typeof content?.['reason'] === 'number' ? content['reason'] : 0
  const account = {
    provider: provider.id,
    issuer: provider.accountIssuer,
    accountId: event.user_openid,
  }
  const removed = await findRemovedAccount(c.env, {
    ...account,
    clientId: event.client_key,
    at: event.create_time,
  })
  if (!removed) return
  const { userId, isOnly, isBlocked, removedAt } = removed
  const config = c.get('config')
  const origin = auditOrigin(c, 'service')
  // A blocked user is kept, because the block would be deleted too.
  if (reason === ACCOUNT_DELETED && isOnly && !isBlocked) {
    const deletion = { userId, origin, revokedAccounts: [] }
    const isDeleted = await deleteUserCompletely(c.env, config, deletion)
    if (isDeleted) emitEvent(c, 'deleteUser', { user: { id: userId }, reason: 'provider' })
  } else {
    await callUserObject(c.env, userId, (object) => object.disconnect(account, removedAt, []))
    const detail = 'authorization removed at the provider'
    const entry = { ...origin, subject: userId, provider: provider.id, detail }
    afterResponse(c, recordAuditEntry(c.env, config, { ...entry, event: 'sessions_ended' }))
  }
  addToLog(c, { event: 'platform_removed', provider: 'tiktok', userId, reason })
}

function reject(c: AppContext, error: string, status: 400 | 401): Response {
  addToLog(c, { code: error })
  return c.json({ error }, status)
}
