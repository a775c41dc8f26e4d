import * as z from 'zod/mini'
import type { ListedLocalProvider } from '../../core/config/feature.ts'
import { LOCAL_OPTIONS } from '../../define-feature/local-options.ts'
import { anyFunction, type Shape, text, unsupported } from '../../foundation/values/schemas.ts'
import type { CredentialInput, CredentialsConfig } from '../../provider-interface/local-types.ts'
import { identifyingFields } from './pages.tsx'

/** More would not be a form to sign in. */
const MAX_FIELDS = 10

const FIELD_NAME = /^[A-Za-z][\w-]{0,39}$/

/** The types of an input that are one line of text. */
const INPUT_TYPES = ['text', 'email', 'password', 'tel', 'number', 'url'] as const

const credentialInput = z.strictObject({
  label: z.optional(z.string()),
  type: z.optional(z.enum(INPUT_TYPES)),
  value: z.optional(z.string()),
  placeholder: z.optional(z.string()),
  autocomplete: z.optional(z.string()),
} satisfies Shape<CredentialInput>)

export const credentialsSchema = z.strictObject({
  ...LOCAL_OPTIONS,
  options: z.unknown(),
  credentials: z
    .record(
      text([
        (name) => FIELD_NAME.test(name),
        'must have a name of letters, digits, _ and -, beginning with a letter.',
      ]),
      credentialInput,
    )
    .check(
      z.refine((fields) => Object.keys(fields).length > 0, 'is empty: add the fields of the form.'),
      z.refine(
        (fields) => Object.keys(fields).length <= MAX_FIELDS,
        `has more than ${MAX_FIELDS} fields.`,
      ),
      z.refine((fields) => {
        const count = Object.keys(fields).length
        return count === 1 || identifyingFields(fields).length < count
      }, 'has no field of type password: guesses are counted by all other fields.'),
    ),
  authorize: anyFunction,
  allowDangerousEmailAccountLinking: unsupported(
    'is not supported: whoever has the password of an address would become its user.',
  ),
} satisfies Shape<
  ListedLocalProvider<CredentialsConfig> & { allowDangerousEmailAccountLinking?: never }
>)
