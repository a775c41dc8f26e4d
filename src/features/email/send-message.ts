import type { Deployment } from '../../core/account/feature-members.ts'
import type { Config } from '../../core/config/config.ts'
import { settingPrefix } from '../../core/config/providers.ts'
import { boundedFetch } from '../../core/fetch/bounded-fetch.ts'
import { withDeadline } from '../../core/fetch/deadline.ts'
import type { AppContext } from '../../core/http/app-env.ts'
import { addToLog } from '../../core/http/request-log.ts'
import { count } from '../../core/metrics/count.ts'
import { forwardedRequest } from '../../define-feature/forwarded-request.ts'
import { readSetting } from '../../define-feature/read-setting.ts'
import type { FailureDetail } from '../../foundation/errors/failure-detail.ts'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import type {
  EmailConfig,
  EmailContent,
  OutgoingEmail,
} from '../../provider-interface/local-types.ts'
import type { METRICS } from './metrics.ts'
import { RecipientRejectedError, SenderError } from './sender-error.ts'

export const LOG_EVENTS = ['email_failed', 'email_not_counted', 'email_rejected'] as const

type LogEvent = (typeof LOG_EVENTS)[number]

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
    await sendCounted(deliver(c, provider, delivery))
  } catch (cause) {
    if (cause instanceof RecipientRejectedError) {
      addToLog<LogEvent>(c, {
        event: 'email_rejected',
        cause: withoutSecrets(cause.message, secretsOf(delivery)),
      })
      return
    }
    const detail: FailureDetail<LogEvent> = {
      provider: provider.id,
      event: 'email_failed',
      cause: describeFailure(cause, secretsOf(delivery)),
    }
    throw new SignInError('unavailable', { cause, detail })
  }
}

/** Waits until a message is sent, at most until the deadline, and counts it. */
export async function sendCounted(sending: Promise<void>): Promise<void> {
  try {
    await withDeadline(sending, DEADLINE, () => {
      return new SenderError(`The message was not sent within ${DEADLINE / 1000} seconds.`)
    })
    count<typeof METRICS>('vestibule_emails_total', { outcome: 'sent' })
  } catch (error) {
    const outcome = error instanceof RecipientRejectedError ? 'rejected' : 'failed'
    count<typeof METRICS>('vestibule_emails_total', { outcome })
    throw error
  }
}

async function deliver(c: AppContext, provider: EmailConfig, delivery: Delivery): Promise<void> {
  const { to, code, url, expiresAt, message } = delivery
  const config = c.get('config')
  const { theme } = config
  if (provider.sender) return sendWithSender(provider, { env: c.env, config }, delivery)
  const logo = typeof theme.logo === 'string' ? theme.logo : theme.logo?.light
  await provider.sendVerificationRequest?.({
    identifier: to,
    url,
    token: code,
    expires: new Date(expiresAt * 1000),
    provider,
    theme: logo ? { logo } : {},
    request: forwardedRequest(c),
    message,
    from: senderAddress(provider, config),
    fetch: boundedFetch,
  })
}

/** Sends a message with the built-in sender of the provider. */
export async function sendWithSender(
  provider: EmailConfig,
  { env, config }: Deployment,
  { to, message, idempotencyKey }: Pick<Delivery, 'to' | 'message' | 'idempotencyKey'>,
): Promise<void> {
  const { sender } = provider
  const from = senderAddress(provider, config)
  const email: OutgoingEmail = { ...message, from, to, idempotencyKey }
  const binding = sender?.binding && Reflect.get(env, sender.binding)
  const settings = Object.fromEntries(
    sender?.settings.flatMap((setting) => {
      const value = readSetting(config, setting)
      return value === undefined ? [] : [[setting.name, value]]
    }) ?? [],
  )
  await sender?.send(email, { settings, binding, fetch: boundedFetch })
}

function senderAddress({ id, from = '' }: EmailConfig, config: Config): string {
  return readSetting(config, { name: fromSetting(id) }) ?? from
}

/** The setting with the address that messages come from. */
export function fromSetting(id: string): `AUTH_${string}` {
  return `${settingPrefix(id)}FROM`
}

/** For the log. */
export function describeFailure(cause: unknown, secrets: readonly string[]): string {
  const text = cause instanceof Error ? (cause.stack ?? String(cause)) : String(cause)
  return withoutSecrets(text, secrets)
}

/** What the error of a sender may quote, but must not be logged. */
function secretsOf({ to, code, url }: Delivery): string[] {
  return [url, to, code]
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .reduce((result, secret) => result.replaceAll(secret, '…'), text)
}
