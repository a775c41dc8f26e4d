import type { CredentialsProvider, LocalMethod } from '../../config/local-method.ts'
import { unknownOptionProblems } from '../../config/local-providers.ts'
import { csrfToken } from '../../http/csrf.ts'
import type {
  CredentialInput,
  CredentialsConfig,
  CredentialsUserConfig,
} from '../../providers/local-types.ts'
import { isObject } from '../../values/json.ts'
import { CredentialsForm, INPUT_TYPES } from './pages.tsx'
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

const credentialsMethod: LocalMethod<CredentialsProvider> = {
  problems(provider) {
    return findProblems(provider).map((problem) => `The provider ${provider.id}: ${problem}`)
  },

  createRoutes: createCredentialsRoutes,

  async signInPart(c, provider, { messages, params, isLastUsed }) {
    return {
      content: (
        <CredentialsForm
          messages={messages}
          action={`/api/auth/callback/${provider.id}`}
          name={provider.name}
          inputs={provider.credentials}
          fields={[...params, ['csrfToken', await csrfToken(c)]]}
          isLastUsed={isLastUsed}
        />
      ),
    }
  },
}

/** More would not be a form to sign in. */
const MAX_FIELDS = 10

const FIELD_NAME = /^[A-Za-z][\w-]{0,39}$/

const FIELDS: Record<keyof CredentialsProvider, true> = {
  id: true,
  name: true,
  type: true,
  style: true,
  method: true,
  options: true,
  credentials: true,
  authorize: true,
}

function findProblems(provider: CredentialsProvider): string[] {
  const { credentials, authorize } = provider
  // Has a reason of its own.
  const known = { ...FIELDS, allowDangerousEmailAccountLinking: true } as const
  const problems = unknownOptionProblems(provider, known)
  if ('allowDangerousEmailAccountLinking' in provider) {
    problems.push(
      'allowDangerousEmailAccountLinking is not supported: whoever has the password of an address would become its user.',
    )
  }
  if (typeof authorize !== 'function') problems.push('authorize must be a function.')
  if (!isObject(credentials) || Object.keys(credentials).length === 0) {
    return [...problems, 'credentials must be an object with one entry for each field of the form.']
  }
  if (Object.keys(credentials).length > MAX_FIELDS) {
    problems.push(`credentials has more than ${MAX_FIELDS} fields.`)
  }
  return [
    ...problems,
    ...Object.entries(credentials).flatMap(([name, input]) => fieldProblems(name, input)),
  ]
}

function fieldProblems(name: string, input: unknown): string[] {
  if (!FIELD_NAME.test(name)) {
    return [`credentials.${name}: use letters, digits, _ and -, beginning with a letter.`]
  }
  if (!isObject(input)) return [`credentials.${name} must be an object such as { label: 'Name' }.`]
  const { type = 'text' } = input
  const problems = Object.entries(input)
    .filter(([, value]) => value !== undefined && typeof value !== 'string')
    .map(([key]) => `credentials.${name}.${key} must be text.`)
  if (!INPUT_TYPES.some((known) => known === type)) {
    problems.push(`credentials.${name}.type must be one of ${INPUT_TYPES.join(', ')}.`)
  }
  return problems
}
