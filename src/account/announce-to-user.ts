import { afterResponse } from '../http/after-response.ts'
import type { AppContext } from '../http/app-env.ts'
import { messagesFor } from '../pages/page-response.tsx'
import { describeOrigin } from '../session/device.ts'
import type { MethodChange } from '../users/method-changes.ts'
import type { UserRecord } from '../users/user.ts'
import { announceChange } from './announce-change.ts'

/** Announces a change that the signed-in user has made, after the response. */
export async function announceToUser(
  c: AppContext,
  { email }: UserRecord,
  change: Pick<MethodChange, 'kind' | 'provider' | 'label'>,
): Promise<void> {
  const messages = await messagesFor(c)
  const deployment = { env: c.env, config: c.get('config') }
  const origin = describeOrigin(c)
  afterResponse(c, announceChange(deployment, { messages, email, change, origin }))
}
