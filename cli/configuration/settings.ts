import { createConfigReader } from '../../src/config/config.ts'
import { options } from '../../src/deployment.ts'
import { ConfigurationError } from '../../src/errors.ts'
import { validateOptions } from '../../src/options.ts'
import { type Finding, good, problem } from '../finding.ts'

const NAME = 'settings'

const readConfig = createConfigReader(validateOptions(options).declared)

/** Runs the checks of the service itself, so that both report the same problems. */
export function checkSettings(settings: Record<string, unknown>): Finding[] {
  try {
    const { clients, providers } = readConfig({ ...settings })
    return [
      good(NAME),
      good('clients', String(clients.length)),
      good('providers', providers.map(({ id }) => id).join(', ')),
    ]
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.problems.map((what) =>
      problem(NAME, {
        what,
        why: 'Until this is fixed, the service responds to every request with an error.',
        fix: fixFor(what),
      }),
    )
  }
}

function fixFor(what: string): string {
  if (what.includes('is not a setting of this service')) {
    return 'Correct the name, or remove the setting: docs/operations.md lists all names.'
  }
  if (/^AUTH_\S*(SECRET|ID)\S* is missing/.test(what) || what.startsWith('No provider')) {
    return 'Add the missing settings to .dev.vars, or pass the secrets file that you deploy with: --secrets-file FILE.'
  }
  return 'Correct the value where it is set: in wrangler.toml, in .dev.vars or in the secrets of the deployment.'
}
