import { isObject } from '../../foundation/values/json.ts'
import type { EmailSender } from '../../provider-interface/local-types.ts'
import { loggableCode, RecipientRejectedError, SenderError } from './sender-error.ts'

interface CloudflareOptions {
  /** The name of the `send_email` binding; by default `EMAIL`. */
  binding?: string
}

/** A name and an address: `Acme <login@acme.example>`. */
const NAMED_ADDRESS = /^(.*\S)\s*<([^<>]+)>$/

/** Whether the error is about the recipient, and not about the deployment. */
const RECIPIENT_ERROR = /^E_RECIPIENT_/

/**
 * Sends messages with Cloudflare's email service, through a `send_email` binding.
 * {@link https://developers.cloudflare.com/email-service/api/send-emails/workers-api/}
 */
export function CloudflareSender({ binding = 'EMAIL' }: CloudflareOptions = {}): EmailSender {
  return {
    name: 'Cloudflare',
    settings: [],
    binding,
    async send({ from, to, subject, text, html }, tools) {
      const [, name, email] = from.match(NAMED_ADDRESS) ?? []
      const sender = name && email ? { name, email } : from
      try {
        await (tools.binding as SendEmail).send({ from: sender, to, subject, text, html })
      } catch (cause) {
        const code = loggableCode(isObject(cause) ? cause['code'] : undefined)
        if (RECIPIENT_ERROR.test(code))
          throw new RecipientRejectedError(`Cloudflare: ${code}.`, { cause })
        throw new SenderError(`Cloudflare did not accept the message: ${code}.`, { cause })
      }
    },
  }
}
