import { ATTEMPT_LIFETIME } from '../../config/lifetimes.ts'
import type { EmailProvider, LocalMethod } from '../../config/local-method.ts'
import { unknownOptionProblems } from '../../config/local-providers.ts'
import { csrfToken } from '../../http/csrf.ts'
import type { EmailConfig, EmailUserConfig } from '../../providers/local-types.ts'
import { isMailbox, normalizeIdentifier, toAccountId } from './address.ts'
import { AddressForm } from './pages.tsx'
import { createEmailRoutes } from './routes.tsx'
import { fromSetting } from './send-message.ts'
import { EMAIL_STYLE } from './style.ts'

/**
 * Sign-in with a code or a link in an email. Messages are sent by a built-in `sender`, or in code
 * by `sendVerificationRequest`.
 */
export function Email(options: EmailUserConfig): EmailConfig {
  const config = { id: 'email', name: DEFAULT_NAME, style: EMAIL_STYLE, ...options }
  const provider: EmailProvider = { ...config, type: 'email', options, method: emailMethod }
  return provider
}

/** Is shown in the language of the page. A name that the deployment chooses is not translated. */
const DEFAULT_NAME = 'Email'

const emailMethod: LocalMethod<EmailProvider> = {
  problems(provider) {
    const { id, sender } = provider
    return [...findProblems(provider), ...(sender?.problems?.() ?? [])].map(
      (problem) => `The provider ${id}: ${problem}`,
    )
  },

  settings({ id, from, sender }) {
    const format = [SENDER_ADDRESS, 'must be an address, or a name and an address'] as const
    return [
      {
        name: fromSetting(id),
        isRequired: from === undefined,
        hint: 'where messages come from, such as Acme <login@acme.example>',
        format,
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

  async signInPart(c, { id }, { messages, params, isLastUsed, account }) {
    return {
      content: (
        <AddressForm
          messages={messages}
          action={`/api/auth/signin/${id}`}
          fields={[...params, ['csrfToken', await csrfToken(c)]]}
          value={account}
          isLastUsed={isLastUsed}
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

/** An address, or a name and an address: `Acme <login@acme.example>`. */
const SENDER_ADDRESS = /^(?:[^<>"\\,;@\p{Cc}]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u

/** Less time is not enough to open a mailbox. */
const MIN_LIFETIME = 60 // seconds

const UNSUPPORTED: Readonly<Record<string, string>> = {
  apiKey: 'A sender reads its key from the environment.',
  server: 'Workers cannot send email by SMTP: use a sender, or sendVerificationRequest.',
  generateVerificationToken: 'Codes always have six random digits.',
  secret: 'Everything is sealed with AUTH_SECRET.',
}

const FIELDS: Record<keyof EmailProvider, true> = {
  id: true,
  name: true,
  type: true,
  style: true,
  method: true,
  options: true,
  from: true,
  maxAge: true,
  sender: true,
  sendVerificationRequest: true,
  normalizeIdentifier: true,
  allowDangerousEmailAccountLinking: true,
  // Reported with a reason.
  apiKey: true,
  server: true,
  generateVerificationToken: true,
  secret: true,
}

function findProblems(provider: EmailProvider): string[] {
  const { from, maxAge, sender, sendVerificationRequest, normalizeIdentifier } = provider
  const unsupported = Object.entries(UNSUPPORTED)
    .filter(([name]) => Reflect.get(provider, name) !== undefined)
    .map(([name, reason]) => `${name} is not supported. ${reason}`)
  const problems = [...unknownOptionProblems(provider, FIELDS), ...unsupported]
  if (sender !== undefined && sendVerificationRequest !== undefined) {
    problems.push('it has a sender and sendVerificationRequest: remove one of them.')
  }
  if (sender === undefined && sendVerificationRequest === undefined) {
    problems.push(
      'it cannot send messages: add a sender, such as ResendSender(), or sendVerificationRequest.',
    )
  }
  if (sender !== undefined && typeof sender?.send !== 'function') {
    problems.push('sender must be the result of a function such as ResendSender().')
  }
  if (sendVerificationRequest !== undefined && typeof sendVerificationRequest !== 'function') {
    problems.push('sendVerificationRequest must be a function.')
  }
  if (normalizeIdentifier !== undefined && typeof normalizeIdentifier !== 'function') {
    problems.push('normalizeIdentifier must be a function.')
  }
  if (from !== undefined && !isSenderAddress(from)) {
    problems.push('from must be an address, or a name and an address: Acme <login@acme.example>.')
  }
  if (maxAge !== undefined && !isLifetime(maxAge)) {
    problems.push(`maxAge must be from ${MIN_LIFETIME} to ${ATTEMPT_LIFETIME} seconds.`)
  }
  return problems
}

function isSenderAddress(from: unknown): boolean {
  if (typeof from !== 'string' || !SENDER_ADDRESS.test(from)) return false
  return isMailbox((from.match(/<(.+)>$/)?.[1] ?? from).toLowerCase())
}

function isLifetime(maxAge: unknown): boolean {
  return (
    Number.isInteger(maxAge) && Number(maxAge) >= MIN_LIFETIME && Number(maxAge) <= ATTEMPT_LIFETIME
  )
}
