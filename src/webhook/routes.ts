import * as z from 'zod/mini'
import { number } from '../config/schemas.ts'
import { SignInError } from '../errors.ts'
import type { AppContext } from '../http/app-env.ts'
import { note } from '../http/request-log.ts'
import { room } from '../http/room.ts'
import { parseJson, parseObject } from '../json.ts'
import { askObject } from '../session/current.ts'
import { enabledProviders } from '../upstream/enabled-providers.ts'
import { deleteUser, markRemoved } from '../users/directory.ts'
import { isSignedBy } from './signature.ts'

/** What the platform tells. `content` is JSON inside of JSON. */
const event = z.object({
  client_key: z.string(),
  event: z.string(),
  create_time: number,
  user_openid: z.string(),
  content: z.optional(z.string()),
})

/** The person's account at the platform is no more. */
const ACCOUNT_DELETED = 2

/**
 * `/api/auth/webhook/tiktok`: the platform tells us what its people do there. It is answered when the effect is
 * in storage and not before; it tells again whatever was not answered, and to hear it twice changes nothing.
 */
export const webhook = room().post('/webhook/tiktok', async (c) => {
  const config = c.get('config')
  const provider = enabledProviders(config).find(({ id }) => id === 'tiktok')
  if (!provider) throw new SignInError('provider_unknown')
  const body = await c.req.arrayBuffer()
  const header = c.req.header('TikTok-Signature') ?? ''
  if (!(await isSignedBy(provider.clientSecrets, header, body, config.webhookWindow)))
    return refuse(c, 'invalid_signature', 401)
  const { data } = event.safeParse(parseJson(new TextDecoder().decode(body)))
  if (data?.client_key !== provider.clientId) return refuse(c, 'invalid_event', 400)
  if (data.event === 'authorization.removed') await removeAuthorization(c, data)
  return c.json({})
})

/** The person, or the platform, took back what was granted: everything that rests on it ends. */
async function removeAuthorization(c: AppContext, told: z.infer<typeof event>): Promise<void> {
  const said = parseObject(told.content ?? '')?.['reason']
  const reason = typeof said === 'number' ? said : 0
  const removed = await markRemoved(c.env, {
    provider: 'tiktok',
    clientId: told.client_key,
    accountId: told.user_openid,
    at: told.create_time,
  })
  if (!removed) return
  const { userId, isOnly } = removed
  if (reason === ACCOUNT_DELETED && isOnly) {
    await askObject(c, userId, (object) => object.erase([]))
    await deleteUser(c.env, userId)
  } else await askObject(c, userId, (object) => object.endEverything([]))
  note(c, { event: 'platform_removed', provider: 'tiktok', userId, reason })
}

function refuse(c: AppContext, error: string, status: 400 | 401): Response {
  note(c, { code: error })
  return c.json({ error }, status)
}
