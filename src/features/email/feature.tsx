import * as z from 'zod/mini'
import { ATTEMPT_LIFETIME } from '../../config/lifetimes.ts'
import type { EmailProvider, LocalMethod } from '../../config/local-method.ts'
import { LOCAL_OPTIONS } from '../../config/local-providers.ts'
import {
  anyFunction,
  callback,
  type Shape,
  seconds,
  text,
  unsupported,
} from '../../config/schemas.ts'
import { csrfToken } from '../../http/csrf.ts'
import type { EmailConfig, EmailUserConfig } from '../../providers/local-types.ts'
import { isMailbox, normalizeIdentifier, toAccountId } from './address.ts'
import { AddressForm } from './pages.tsx'
import { createEmailRoutes } from './routes.tsx'
import { sendAnnouncement } from './send-announcement.ts'
import { fromSetting } from './send-message.ts'
import { DEFAULT_NAME, EMAIL_STYLE } from './style.ts'

/**
 * Sign-in with a code or a link in an email. Messages are sent by a built-in `sender`, or in code
 * by `sendVerificationRequest`.
 */
export function Email(options: EmailUserConfig): EmailConfig {
  const config = { id: 'email', name: DEFAULT_NAME, style: EMAIL_STYLE, ...options }
  const provider: EmailProvider = { ...config, type: 'email', options, method: emailMethod }
  return provider
}

/** An address, or a name and an address: `Acme <login@acme.example>`. */
const SENDER_ADDRESS = /^(?:[^<>"\\,;@\p{Cc}]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u

/** Less time is not enough to open a mailbox. */
const MIN_LIFETIME = 60 // seconds

/** The format of the option and of the setting. */
const FROM = [
  { test: isSenderAddress },
  'must be an address, or a name and an address: Acme <login@acme.example>',
] as const

const sender = z.looseObject(
  {
    send: anyFunction,
    binding: z.optional(
      text([(name) => /^[A-Za-z_]\w*$/.test(name), 'must be the name of a binding.']),
    ),
  },
  'must be the result of a function such as ResendSender().',
)

const emailSchema = z
  .strictObject({
    ...LOCAL_OPTIONS,
    options: z.unknown(),
    from: z.optional(text([FROM[0].test, `${FROM[1]}.`])),
    maxAge: z.optional(seconds(MIN_LIFETIME, ATTEMPT_LIFETIME)),
    sender: z.optional(sender),
    sendVerificationRequest: callback,
    normalizeIdentifier: callback,
    allowDangerousEmailAccountLinking: z.optional(z.boolean()),
    apiKey: unsupported('is not supported. A sender reads its key from the environment.'),
    server: unsupported(
      'is not supported. Workers cannot send email by SMTP: use a sender, or sendVerificationRequest.',
    ),
    generateVerificationToken: unsupported(
      'is not supported. Codes always have six random digits.',
    ),
    secret: unsupported('is not supported. Everything is sealed with AUTH_SECRET.'),
  } satisfies Shape<EmailProvider>)
  .check(
    z.refine(
      (provider) => !(provider.sender && provider.sendVerificationRequest),
      'has a sender and sendVerificationRequest: remove one of them.',
    ),
    z.refine(
      (provider) => provider.sender || provider.sendVerificationRequest,
      'cannot send messages: add a sender, such as ResendSender(), or sendVerificationRequest.',
    ),
  )

const emailMethod: LocalMethod<EmailProvider> = {
  schema: emailSchema,

  settings({ id, from, sender }) {
    return [
      {
        name: fromSetting(id),
        isRequired: from === undefined,
        hint: 'where messages come from, such as Acme <login@acme.example>',
        format: FROM,
      },
      ...(sender?.settings ?? []),
    ]
  },

  bindings({ sender }) {
    const binding = sender?.binding
    return binding === undefined ? [] : [{ name: binding, type: 'email', method: 'send' }]
  },

  normalizeAccountId(provider, id) {
    const address = normalizeIdentifier(provider, id)
    return address && toAccountId(address)
  },

  createRoutes: createEmailRoutes,

  announce: sendAnnouncement,

  async signInPart(c, { id, name }, { messages, params, isLastUsed, isPrimary, account }) {
    return {
      content: (
        <AddressForm
          messages={messages}
          action={`/api/auth/signin/${id}`}
          fields={[...params, ['csrfToken', await csrfToken(c)]]}
          name={name}
          value={account}
          isLastUsed={isLastUsed}
          isPrimary={isPrimary}
        />
      ),
    }
  },

  linkLabel(messages, hasAccount) {
    return messages.t(hasAccount ? 'email.address.linkAnother' : 'email.address.linkTitle')
  },

  accountName({ name }, messages) {
    return name === DEFAULT_NAME ? messages.t('email.name') : name
  },

  methodName({ name }, messages) {
    return name === DEFAULT_NAME ? messages.t('email.method') : name
  },
}

function isSenderAddress(address: string): boolean {
  if (!SENDER_ADDRESS.test(address)) return false
  return isMailbox((address.match(/<(.+)>$/)?.[1] ?? address).toLowerCase())
}
