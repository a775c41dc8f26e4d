import type { Announcement, Deployment } from '../../core/account/feature-members.ts'
import { withTexts } from '../../core/messages/messages.ts'
import { digest } from '../../foundation/crypto/digest.ts'
import { randomSecret } from '../../foundation/crypto/random.ts'
import type { EmailConfig } from '../../provider-interface/local-types.ts'
import { toAccountId } from './address.ts'
import { announcementGuard } from './announcement-guard.ts'
import { resolveBrand } from './brand.ts'
import { composeAnnouncement } from './message.tsx'
import { describeFailure, sendCounted, sendWithSender } from './send-message.ts'
import type { en } from './texts.ts'

/**
 * Tells a user that a way to sign in was added or removed, unless the recipient has had too many such
 * messages: the next one says how many others there were. Only built-in senders can: a deployment's
 * own `sendVerificationRequest` sends nothing but codes.
 */
export async function sendAnnouncement(
  provider: EmailConfig,
  deployment: Deployment,
  announcement: Announcement,
): Promise<void> {
  if (!provider.sender) return
  const { issuer, serviceName, theme } = deployment.config
  const others = await countAnnouncement(provider, deployment, announcement)
  if (others === undefined) return
  const url = `${issuer}/account`
  const message = composeAnnouncement({
    ...announcement,
    messages: withTexts<typeof en>(announcement.messages),
    host: serviceName,
    url,
    others,
    brand: resolveBrand(theme),
  })
  const delivery = { to: announcement.to, message, idempotencyKey: randomSecret() }
  try {
    await sendCounted(sendWithSender(provider, deployment, delivery))
  } catch (error) {
    const cause = describeFailure(error, [announcement.to])
    console.error(JSON.stringify({ event: 'email_failed', provider: provider.id, cause }))
  }
}

/** If it cannot be counted, the message is sent: it protects the user. */
async function countAnnouncement(
  provider: EmailConfig,
  { env }: Deployment,
  { to, userId }: Announcement,
): Promise<number | undefined> {
  const name = `${provider.id} announcements to ${await digest(toAccountId(to))}`
  try {
    return await announcementGuard(env, name).countAnnouncement(userId)
  } catch (error) {
    const cause = describeFailure(error, [to])
    console.error(JSON.stringify({ event: 'email_not_counted', provider: provider.id, cause }))
    return 0
  }
}
