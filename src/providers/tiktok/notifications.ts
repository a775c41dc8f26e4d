import * as z from 'zod/mini'
import { parseJson, parseJsonObject } from '../../foundation/values/json.ts'
import type {
  ProviderNotification,
  RemovedAuthorization,
} from '../../provider-interface/oauth-types.ts'
import { WEBHOOK_WINDOW } from './settings.ts'
import { isSignatureValid } from './signature.ts'

/** A webhook event of TikTok. `content` is JSON inside JSON. */
const webhookEvent = z.lazy(() =>
  z.object({
    client_key: z.string(),
    event: z.string(),
    create_time: z.number(),
    user_openid: z.string(),
    content: z.optional(z.string()),
  }),
)

/** TikTok's reason for a removed authorization: the user deleted their TikTok account. */
const ACCOUNT_DELETED = 2

/** Webhook receivers usually accept signatures of this age. */
const DEFAULT_WINDOW = 300 // seconds

/** Reads a webhook of TikTok. All events but `authorization.removed` are only acknowledged. */
export async function readNotification({
  headers,
  body,
  clientId,
  clientSecrets,
  settings,
}: ProviderNotification): Promise<
  RemovedAuthorization | 'invalid_signature' | 'invalid_event' | undefined
> {
  const isValid = await isSignatureValid(headers.get('TikTok-Signature') ?? '', body, {
    secrets: clientSecrets,
    tolerance: Number(settings[WEBHOOK_WINDOW.name] ?? DEFAULT_WINDOW),
  })
  if (!isValid) return 'invalid_signature'
  const { data } = webhookEvent.safeParse(parseJson(new TextDecoder().decode(body)))
  if (data?.client_key !== clientId) return 'invalid_event'
  if (data.event !== 'authorization.removed') return undefined
  const content = parseJsonObject(data.content ?? '')
  const reason = typeof content?.['reason'] === 'number' ? content['reason'] : 0
  return {
    accountId: data.user_openid,
    at: data.create_time,
    isAccountDeleted: reason === ACCOUNT_DELETED,
    reason,
  }
}
