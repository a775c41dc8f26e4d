import type { Config } from '../../src/core/config/config.ts'
import { type Finding, problem } from '../finding.ts'

/** Checks that the administrators of the settings can sign in. */
export function checkAdministrators(config: Config): Finding[] {
  const ids = [...config.providers, ...config.localProviders].map(({ id }) => id)
  return config.administrators
    .filter((name) => !name.startsWith('usr_'))
    .map((name) => name.slice(0, name.indexOf(':')))
    .filter((provider) => !ids.includes(provider))
    .map((provider) =>
      problem('administrators', {
        what: `AUTH_ADMINS has an account of ${provider}, but no such provider is enabled.`,
        why: 'This administrator cannot sign in.',
        fix: `Correct AUTH_ADMINS: the enabled providers are ${ids.join(', ')}.`,
      }),
    )
}
