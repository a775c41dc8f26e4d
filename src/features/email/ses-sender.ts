import { AwsV4Signer } from 'aws4fetch'
import type { EmailSender } from '../../provider-interface/local-types.ts'
import { loggableCode, SenderError } from './sender-error.ts'

const KEY_ID = 'AUTH_SES_ACCESS_KEY_ID'
const SECRET_KEY = 'AUTH_SES_SECRET_ACCESS_KEY'
const REGION = 'AUTH_SES_REGION'

interface SesOptions {
  /** The configuration set, if messages need one. It must not track links. */
  configurationSet?: string
}

/**
 * Sends messages with Amazon SES. The settings `AUTH_SES_ACCESS_KEY_ID`,
 * `AUTH_SES_SECRET_ACCESS_KEY` and `AUTH_SES_REGION` are those of an IAM user who may call
 * `ses:SendEmail` and nothing else.
 * {@link https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html}
 */
export function SesSender({ configurationSet }: SesOptions = {}): EmailSender {
  return {
    name: 'Amazon SES',
    settings: [
      {
        name: KEY_ID,
        isRequired: true,
        isSecret: true,
        hint: 'Access key id of an IAM user',
        format: [/^[A-Z0-9]{16,128}$/, 'must be the access key id of an IAM user'],
      },
      {
        name: SECRET_KEY,
        isRequired: true,
        isSecret: true,
        hint: 'Secret access key of the IAM user',
      },
      {
        name: REGION,
        isRequired: true,
        hint: 'Region, such as eu-north-1',
        format: [/^[a-z]{2,}(-[a-z]+)+-\d$/, 'must be a region such as eu-north-1'],
      },
    ],
    async send({ from, to, subject, text, html }, { settings, fetch }) {
      const region = settings[REGION] ?? ''
      const signer = new AwsV4Signer({
        method: 'POST',
        url: `https://email.${region}.amazonaws.com/v2/email/outbound-emails`,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({
          FromEmailAddress: from,
          Destination: { ToAddresses: [to] },
          Content: {
            Simple: {
              Subject: utf8(subject),
              Body: { Text: utf8(text), Html: utf8(html) },
            },
          },
          ...(configurationSet && { ConfigurationSetName: configurationSet }),
        }),
        service: 'ses',
        region,
        accessKeyId: settings[KEY_ID] ?? '',
        secretAccessKey: settings[SECRET_KEY] ?? '',
      })
      const { url, method, headers, body } = await signer.sign()
      const response = await fetch(url.href, { method, headers, body: body ?? null })
      if (response.ok) return
      const error = response.headers.get('x-amzn-ErrorType')?.split(':')[0]
      throw new SenderError(`Amazon SES responded with ${response.status}: ${loggableCode(error)}.`)
    },
  }
}

function utf8(data: string) {
  return { Data: data, Charset: 'UTF-8' }
}
