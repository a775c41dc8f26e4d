import * as z from 'zod/mini'
import type { CredentialsProvider, LocalMethod } from '../../config/local-method.ts'
import { LOCAL_OPTIONS } from '../../config/local-providers.ts'
import { anyFunction, type Shape, text, unsupported } from '../../config/schemas.ts'
import { csrfToken } from '../../http/csrf.ts'
import type {
  CredentialInput,
  CredentialsConfig,
  CredentialsUserConfig,
} from '../../providers/local-types.ts'
import { CredentialsForm, identifyingFields } from './pages.tsx'
import { createCredentialsRoutes } from './routes.tsx'
import { CREDENTIALS_STYLE } from './style.ts'

/**
 * Sign-in with a form whose values `authorize` checks. Use it to move an existing user base to this
 * service.
 */
export function Credentials<Inputs extends Record<string, CredentialInput>>(
  options: CredentialsUserConfig<Inputs>,
): CredentialsConfig {
  const config = { id: 'credentials', name: 'Credentials', style: CREDENTIALS_STYLE, ...options }
  // `authorize` is called with the fields of `credentials`, which have the names of its type.
  return { ...config, type: 'credentials', options, method: credentialsMethod } as CredentialsConfig
}

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

const credentialsSchema = z.strictObject({
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
} satisfies Shape<CredentialsProvider & { allowDangerousEmailAccountLinking?: never }>)

const credentialsMethod: LocalMethod<CredentialsProvider> = {
  schema: credentialsSchema,

  createRoutes: createCredentialsRoutes,

  async signInPart(c, provider, { messages, params, isLastUsed, isPrimary }) {
    return {
      content: (
        <CredentialsForm
          messages={messages}
          action={`/api/auth/callback/${provider.id}`}
          name={provider.name}
          inputs={provider.credentials}
          fields={[...params, ['csrfToken', await csrfToken(c)]]}
          isLastUsed={isLastUsed}
          isPrimary={isPrimary}
        />
      ),
    }
  },
}
