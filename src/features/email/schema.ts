import * as z from 'zod/mini'
import type { ListedLocalProvider } from '../../core/config/feature.ts'
import { ATTEMPT_LIFETIME } from '../../core/config/lifetimes.ts'
import { LOCAL_OPTIONS } from '../../define-feature/local-options.ts'
import {
  anyFunction,
  callback,
  type Shape,
  seconds,
  text,
  unsupported,
} from '../../foundation/values/schemas.ts'
import type { EmailConfig } from '../../provider-interface/local-types.ts'
import { isMailbox } from './address.ts'

/** An address, or a name and an address: `Acme <login@acme.example>`. */
const SENDER_ADDRESS = /^(?:[^<>"\\,;@\p{Cc}]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u

/** Less time is not enough to open a mailbox. */
const MIN_LIFETIME = 60 // seconds

/** The format of the option and of the setting. */
export const FROM = [
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

export const emailSchema = z
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
  } satisfies Shape<ListedLocalProvider<EmailConfig>>)
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

function isSenderAddress(address: string): boolean {
  if (!SENDER_ADDRESS.test(address)) return false
  return isMailbox((address.match(/<(.+)>$/)?.[1] ?? address).toLowerCase())
}
