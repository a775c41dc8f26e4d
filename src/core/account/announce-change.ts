import { afterResponse } from '../http/after-response.ts'
import type { AppContext } from '../http/app-env.ts'
import type { Messages } from '../messages/messages.ts'
import { messagesFor } from '../pages/page-response.tsx'
import { describeOrigin } from '../session/device.ts'
import type { MethodChange } from '../users/method-changes.ts'
import type { UserRecord } from '../users/user.ts'
import { accountTitle } from './describe-account.ts'
import type { Deployment } from './feature-members.ts'

interface ChangeAnnouncement {
  messages: Messages
  userId: string
  /** The user's address before the change; undefined if they had none. */
  email: string | undefined
  change: Pick<MethodChange, 'kind' | 'provider' | 'label' | 'title'>
  /** The browser and the place of the request, as far as they are known. */
  origin: string
}

/**
 * Tells a user by email that a way to sign in was added or removed, if they have an address and the
 * deployment can send messages.
 */
export async function announceChange(
  deployment: Deployment,
  { messages, userId, email, change, origin }: ChangeAnnouncement,
): Promise<void> {
  const { config } = deployment
  const sender = config.localProviders.find(({ method }) => method.announce !== undefined)
  if (!email || !sender) return
  await sender.method.announce?.(deployment, {
    messages,
    userId,
    to: email,
    kind: change.kind,
    method: accountTitle(config, messages, change),
    origin,
  })
}

/** Announces a change that the signed-in user has made, after the response. */
export async function announceToUser(
  c: AppContext,
  { id: userId, email }: UserRecord,
  change: Pick<MethodChange, 'kind' | 'provider' | 'label' | 'title'>,
): Promise<void> {
  const messages = await messagesFor(c)
  const deployment = { env: c.env, config: c.get('config') }
  const origin = describeOrigin(c)
  afterResponse(c, announceChange(deployment, { messages, userId, email, change, origin }))
}
