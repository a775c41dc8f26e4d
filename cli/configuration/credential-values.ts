import { callProvider, settingName } from '../../src/core/config/providers.ts'
import type { VestibuleOptions } from '../../src/core/config/vestibule-options.ts'
import { parseJsonObject } from '../../src/foundation/values/json.ts'
import { type Diagnosis, diagnoseUnmet, type Finding, problem } from '../finding.ts'

const NAME = 'credentials'

/** What providers compare. `AUTH_SECRET` is our own: every value that it has works as it is. */
const CREDENTIAL = /^AUTH_(?!REDIRECT_PROXY_).+_(ID|SECRET|SECRET_1|KEY)$/

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** What the ids and secrets of a provider look like, if they can be told apart. */
const FORMATS: Readonly<Record<string, { id: RegExp; secret: RegExp }>> = {
  google: { id: /\.apps\.googleusercontent\.com$/, secret: /^GOCSPX-/ },
  github: { id: /^(Ov23|Iv1\.|Iv23)\w+$|^[\da-f]{20}$/, secret: /^[\da-f]{40}$/ },
  facebook: { id: /^\d{15,17}$/, secret: /^[\da-f]{32}$/ },
  discord: { id: /^\d{17,20}$/, secret: /^[\w-]{32}$/ },
  slack: { id: /^\d+\.\d+$/, secret: /^[\da-f]{32}$/ },
  'microsoft-entra-id': { id: UUID, secret: /~/ },
}

/** Checks the ids and secrets of providers, without printing them. */
export function checkCredentialValues(settings: Record<string, unknown>): Finding[] {
  const spelled = Object.entries(settings).flatMap(([name, value]) =>
    CREDENTIAL.test(name) && typeof value === 'string' ? diagnoseSpelling(name, value) : [],
  )
  const formats = Object.keys(FORMATS).flatMap((id) => diagnoseFormat(id, settings))
  return [...spelled, ...formats, ...diagnoseAppleKey(settings)].map((diagnosis) =>
    problem(NAME, diagnosis),
  )
}

/** What was copied along with a value is hard to see. Keys in JSON have spaces and quotes. */
function diagnoseSpelling(name: string, value: string): Diagnosis[] {
  if (parseJsonObject(value) || value.includes('-----BEGIN')) return []
  const why = 'The provider treats it as part of the value, and rejects it.'
  const [diagnosis] = diagnoseUnmet([
    {
      isMet: value === value.trim(),
      what: `${name} starts or ends with whitespace.`,
      why,
      fix: 'Remove the whitespace.',
    },
    {
      isMet: !/^(["'`]).*\1$/s.test(value),
      what: `${name} is in quotes, which are part of the value.`,
      why,
      fix: 'Remove the quotes: in JSON, and in a value that is already in quotes, they need no others.',
    },
    {
      isMet: !/\s/.test(value),
      what: `${name} contains spaces or line breaks.`,
      why,
      fix: 'Copy the value again, without what is around it.',
    },
  ])
  return diagnosis ? [diagnosis] : []
}

function diagnoseFormat(id: string, settings: Record<string, unknown>): Diagnosis[] {
  const formats = FORMATS[id]
  const [idName, secretName] = [settingName(id, 'ID'), settingName(id, 'SECRET')]
  const [clientId, secret] = [settings[idName], settings[secretName]].map((value) =>
    typeof value === 'string' ? value : '',
  )
  if (!formats || !clientId || !secret) return []
  const isIdSecret = formats.secret.test(clientId) && !formats.id.test(clientId)
  const isSecretId = formats.id.test(secret) && !formats.secret.test(secret)
  if (isIdSecret) {
    return [
      {
        what: isSecretId
          ? `${idName} and ${secretName} are swapped.`
          : `${idName} looks like a secret of ${id}.`,
        why: 'Nobody can sign in through this provider, and whoever tries sees the secret: the id is part of an address.',
        fix: `Enter the id in ${idName}, and the secret in ${secretName}. If this was deployed, replace the secret at the provider.`,
      },
    ]
  }
  if (!isSecretId) return []
  return [
    {
      what: `${secretName} looks like an id of ${id}.`,
      why: 'The provider rejects it, so that nobody can sign in through it.',
      fix: `Enter the secret itself in ${secretName}, and not the id of the app or of the secret.`,
    },
  ]
}

/** A signed JWT, or the ids of the team and of the key, and the key. */
const APPLE_SECRET = /^eyJ|^[A-Z\d]{10}\.[A-Z\d]{10}\.[\w+/=-]+$/

function diagnoseAppleKey({ AUTH_APPLE_SECRET: secret }: Record<string, unknown>): Diagnosis[] {
  if (typeof secret !== 'string' || APPLE_SECRET.test(secret)) return []
  return [
    {
      what: 'AUTH_APPLE_SECRET is neither <team id>.<key id>.<key> nor a signed JWT.',
      why: 'No sign-in with Apple could be completed: the key alone does not say which one it is.',
      fix: 'Enter the team id, the key id and the .p8 file without its first and last line and without line breaks, with dots between them: <team id>.<key id>.$(grep -v -- ----- AuthKey.p8 | tr -d "\\n")',
    },
  ]
}

/** Secrets that are part of the code, which whoever reads the repository sees. */
export function checkSecretsInCode({ providers }: VestibuleOptions): Finding[] {
  return providers.flatMap((provider) => {
    const { id, clientSecret } = callProvider(provider).config
    if (!clientSecret) return []
    return problem('secrets', {
      what: `The provider ${id} has clientSecret in code.`,
      why: 'Everyone who can read the repository or the Worker can read it.',
      fix: `Replace the secret at the provider, because it may already have been read. Remove the option, and set ${settingName(id, 'SECRET')}: run \`npx vestibule-auth setup\`.`,
    })
  })
}
