import type { AppContext } from '../../config/app-env.ts'
import { settingPrefix } from '../../config/providers.ts'
import type { FailureDetail } from '../../errors/failure-detail.ts'
import { SignInError } from '../../errors/sign-in-error.ts'
import { boundedFetch } from '../../fetch/bounded-fetch.ts'
import { withDeadline } from '../../fetch/deadline.ts'
import { addToLog } from '../../http/request-log.ts'
import type { EmailConfig, EmailContent, OutgoingEmail } from '../../providers/local-types.ts'
import { forwardedRequest } from '../forwarded-request.ts'
import { RecipientRejectedError, SenderError } from './sender-error.ts'

/** A user waits for it. A request of a built-in sender may take five seconds. */
const DEADLINE = 6_000 // milliseconds

interface Delivery {
  to: string
  code: string
  url: string
  expiresAt: number
  message: EmailContent
  /** The same if the message is sent twice by mistake. */
  idempotencyKey: string
}

/**
 * Sends a message. If the sender fails, the user is informed, but not of the reason. A recipient
 * that the sender rejects makes no difference to the user: otherwise the response would reveal
 * something about the address.
 */
export async function sendMessage(
  c: AppContext,
  provider: EmailConfig,
  delivery: Delivery,
): Promise<void> {
  try {
    await withDeadline(deliver(c, provider, delivery), DEADLINE, () => {
      return new SenderError(`The message was not sent within ${DEADLINE / 1000} seconds.`)
    })
  } catch (cause) {
    if (cause instanceof RecipientRejectedError) {
      addToLog(c, { event: 'email_rejected', cause: withoutSecrets(cause.message, delivery) })
      return
    }
    const detail: FailureDetail = {
      provider: provider.id,
      event: 'email_failed',
      cause: describeFailure(cause, delivery),
    }
    throw new SignInError('unavailable', { cause, detail })
  }
}

async function deliver(c: AppContext, provider: EmailConfig, delivery: Delivery): Promise<void> {
  const { to, code, url, expiresAt, message, idempotencyKey } = delivery
  const { localSettings, theme } = c.get('config')
  const from = localSettings[fromSetting(provider.id)] ?? provider.from ?? ''
  const { sender, sendVerificationRequest } = provider
  if (sender) {
    const email: OutgoingEmail = { ...message, from, to, idempotencyKey }
    const binding = sender.binding && Reflect.get(c.env, sender.binding)
    await sender.send(email, { settings: localSettings, binding, fetch: boundedFetch })
    return
  }
  const logo = typeof theme.logo === 'string' ? theme.logo : theme.logo?.light
  await sendVerificationRequest?.({
    identifier: to,
    url,
    token: code,
    expires: new Date(expiresAt * 1000),
    provider,
    theme: logo ? { logo } : {},
    request: forwardedRequest(c),
    message,
    from,
    fetch: boundedFetch,
  })
}

/** The setting with the address that messages come from. */
export function fromSetting(id: string): `AUTH_${string}` {
  return `${settingPrefix(id)}FROM`
}

/** For the log. */
function describeFailure(cause: unknown, delivery: Delivery): string {
  const text = cause instanceof Error ? (cause.stack ?? String(cause)) : String(cause)
  return withoutSecrets(text, delivery)
}

/** The text without the address, the code and the link, which the error of a sender may quote. */
function withoutSecrets(text: string, { to, code, url }: Delivery): string {
  const secrets = [url, encodeURIComponent(url), to, encodeURIComponent(to), code]
  return secrets.reduce((result, secret) => result.replaceAll(secret, '…'), text)
}
