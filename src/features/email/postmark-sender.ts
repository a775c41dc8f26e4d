import { parseJsonObject } from '../../foundation/values/json.ts'
import type { EmailSender } from '../../provider-interface/local-types.ts'
import { loggableCode, RecipientRejectedError, SenderError } from './sender-error.ts'

const KEY = 'AUTH_POSTMARK_KEY'

/** The recipient has bounced, complained or unsubscribed before. */
const INACTIVE_RECIPIENT = 406

interface PostmarkOptions {
  /** The message stream; by default the server's transactional one. */
  messageStream?: string
}

/**
 * Sends messages with Postmark, whose server token is the setting `AUTH_POSTMARK_KEY`.
 * {@link https://postmarkapp.com/developer/api/email-api#send-a-single-email}
 */
export function PostmarkSender({ messageStream }: PostmarkOptions = {}): EmailSender {
  return {
    name: 'Postmark',
    settings: [
      {
        name: KEY,
        isRequired: true,
        isSecret: true,
        hint: 'API token of a server at https://account.postmarkapp.com/servers',
        format: [/^[\w-]{8,}$/, 'must be the API token of a Postmark server'],
      },
    ],
    async send({ from, to, subject, text, html }, { settings, fetch }) {
      const response = await fetch('https://api.postmarkapp.com/email', {
        method: 'POST',
        headers: {
          Accept: 'application/json',
          'Content-Type': 'application/json',
          'X-Postmark-Server-Token': settings[KEY] ?? '',
        },
        body: JSON.stringify({
          From: from,
          To: to,
          Subject: subject,
          TextBody: text,
          HtmlBody: html,
          // Postmark would rewrite the link, and record when the message is opened.
          TrackLinks: 'None',
          TrackOpens: false,
          ...(messageStream && { MessageStream: messageStream }),
        }),
      })
      if (response.ok) return
      const error = parseJsonObject(await response.text())?.['ErrorCode']
      const code = loggableCode(error)
      if (error === INACTIVE_RECIPIENT) throw new RecipientRejectedError(`Postmark: ${code}.`)
      throw new SenderError(`Postmark responded with ${response.status}: ${code}.`)
    },
  }
}
