import { parseJsonObject } from '../../foundation/values/json.ts'
import type { EmailSender } from '../../provider-interface/local-types.ts'
import { loggableCode, SenderError } from './sender-error.ts'

const KEY = 'AUTH_RESEND_KEY'

/**
 * Sends messages with Resend, whose API key is the setting `AUTH_RESEND_KEY`.
 * {@link https://resend.com/docs/api-reference/emails/send-email}
 */
export function ResendSender(): EmailSender {
  return {
    name: 'Resend',
    settings: [
      {
        name: KEY,
        isRequired: true,
        isSecret: true,
        hint: 'API key at https://resend.com/api-keys',
        format: [/^re_\w{8,}$/, 'must be an API key of Resend, which begins with re_'],
      },
    ],
    async send({ from, to, subject, text, html, idempotencyKey }, { settings, fetch }) {
      const response = await fetch('https://api.resend.com/emails', {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${settings[KEY]}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': idempotencyKey,
          // Required by the API.
          'User-Agent': 'vestibule',
        },
        body: JSON.stringify({ from, to: [to], subject, text, html }),
      })
      if (response.ok) return
      const error = parseJsonObject(await response.text())?.['name']
      throw new SenderError(`Resend responded with ${response.status}: ${loggableCode(error)}.`)
    },
  }
}
