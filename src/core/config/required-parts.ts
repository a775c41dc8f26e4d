import type { Problem } from '../../foundation/values/problem.ts'
import type { ConfigurationError } from './configuration-error.ts'

/**
 * What every deployment needs, whichever its options are. The documentation names all of them, so
 * anyone may read which of them are missing, but nothing else about the configuration.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  AUTH_URL:
    'AUTH_URL is not the public URL yet. Run `npx vestibule-auth setup --url` with it, and deploy again.',
  AUTH_SECRET:
    'AUTH_SECRET is missing. Run `npx vestibule-auth setup`, and deploy again with `--secrets-file .secrets`.',
}

const BINDING_STEP =
  'Copy it from the wrangler.toml that `npx vestibule-auth init` creates, and deploy again.'

/** Not the rate limits, which protect capacity only: `/readyz` reports them. */
const BINDINGS = [
  'DIRECTORY',
  'SESSIONS',
  'USERS',
  'KEYRING',
  'GUARDS',
  'REVOCATIONS',
  'CLIENT_METADATA',
]

export function missingBindings(env: object): Problem[] {
  return BINDINGS.filter((name) => Reflect.get(env, name) === undefined).map((name) => ({
    path: [name],
    code: 'missing',
    message: 'is missing.',
  }))
}

/** What is missing, and what to do next. Empty if the deployment has other problems. */
export function describeMissingParts({ problems }: ConfigurationError): string[] {
  return problems
    .filter(({ code, path }) => code === 'missing' && path.length === 1)
    .flatMap(({ path: [name = ''] }) => {
      if (BINDINGS.includes(String(name))) return `The binding ${name} is missing. ${BINDING_STEP}`
      return (Object.hasOwn(SETTINGS, name) && SETTINGS[name]) || []
    })
}
