import type { Announcement, Deployment } from '../../config/local-method.ts'
import { randomSecret } from '../../crypto/random.ts'
import { withDeadline } from '../../fetch/deadline.ts'
import { count } from '../../metrics/count.ts'
import { resolveBrand } from '../../pages/theme.ts'
import type { EmailConfig } from '../../providers/local-types.ts'
import { composeAnnouncement } from './message.tsx'
import { DEADLINE, describeFailure, sendWithSender } from './send-message.ts'
import { RecipientRejectedError, SenderError } from './sender-error.ts'

/**
 * Tells a user that a way to sign in was added or removed. Only built-in senders can: a deployment's
 * own `sendVerificationRequest` sends nothing but codes.
 */
export async function sendAnnouncement(
  provider: EmailConfig,
  deployment: Deployment,
  announcement: Announcement,
): Promise<void> {
  if (!provider.sender) return
  const { issuer, serviceName, theme } = deployment.config
  const url = `${issuer}/account`
  const message = composeAnnouncement({
    ...announcement,
    host: serviceName,
    url,
    brand: resolveBrand(theme),
  })
  const delivery = { to: announcement.to, message, idempotencyKey: randomSecret() }
  try {
    await withDeadline(sendWithSender(provider, deployment, delivery), DEADLINE, () => {
      return new SenderError('The message was not sent in time.')
    })
    count('vestibule_emails_total', { outcome: 'sent' })
  } catch (error) {
    const outcome = error instanceof RecipientRejectedError ? 'rejected' : 'failed'
    count('vestibule_emails_total', { outcome })
    const cause = describeFailure(error, [announcement.to])
    console.error(JSON.stringify({ event: 'email_failed', provider: provider.id, cause }))
  }
}
