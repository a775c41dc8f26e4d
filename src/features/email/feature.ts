import type { LocalMethod } from '../../core/config/feature.ts'
import type { EmailConfig, EmailUserConfig } from '../../provider-interface/local-types.ts'
import { normalizeIdentifier, toAccountId } from './address.ts'
import { withAnnouncements } from './announcement-guard.ts'
import { withCodes } from './code-guard.ts'
import { labels } from './labels.ts'
import { USE_LIMITS } from './limits.ts'
import { METRICS } from './metrics.ts'
import { createEmailRoutes, SEAL } from './routes.tsx'
import { emailSchema, FROM } from './schema.ts'
import { sendAnnouncement } from './send-announcement.ts'
import { fromSetting, LOG_EVENTS } from './send-message.ts'
import { addressFormPart } from './sign-in-part.tsx'
import { DEFAULT_NAME, EMAIL_STYLE } from './style.ts'
import texts from './texts.json.txt'

/**
 * Sign-in with a code or a link in an email. Messages are sent by a built-in `sender`, or in code
 * by `sendVerificationRequest`.
 */
export function Email(options: EmailUserConfig): EmailConfig {
  const config = { id: 'email', name: DEFAULT_NAME, style: EMAIL_STYLE, ...options }
  const provider = { ...config, type: 'email' as const, options, method: email }
  return provider
}

function email(provider: EmailConfig): LocalMethod {
  const { id, name, from, sender } = provider
  return {
    id: 'email',
    texts,
    limits: USE_LIMITS,
    seals: [SEAL],
    log: LOG_EVENTS,
    metrics: METRICS,
    schema: emailSchema,
    settings: [
      {
        name: fromSetting(id),
        isRequired: from === undefined,
        hint: 'where messages come from, such as Acme <login@acme.example>',
        format: FROM,
      },
      ...(sender?.settings ?? []),
    ],
    bindings: sender?.binding
      ? [
          {
            name: sender.binding,
            method: 'send',
            toml: `[[send_email]]\nname = "${sender.binding}"`,
          },
        ]
      : [],
    routes: () => createEmailRoutes(provider),
    signInPart: (c, page) => addressFormPart(c, provider, page),
    createsUsers: true,
    announce: (deployment, announcement) => sendAnnouncement(provider, deployment, announcement),
    normalizeAccountId(id) {
      const address = normalizeIdentifier(provider, id)
      return address && toAccountId(address)
    },
    extend: { GuardObject: (Base) => withAnnouncements(withCodes(Base)) },
    labels: (messages) => labels(messages, name === DEFAULT_NAME ? undefined : name),
  }
}
