import { createConfigReader } from '../../src/config/config.ts'
import { ConfigurationError } from '../../src/errors.ts'
import { type VestibuleOptions, validateOptions } from '../../src/options.ts'
import { type Finding, good, problem, warning } from '../finding.ts'

const NAME = 'settings'

const NOTHING_IS_SERVED =
  'Until this is fixed, the service responds to every request with an error.'

/** Runs the checks of the service itself, so that both report the same problems. */
export function checkSettings(
  options: VestibuleOptions,
  settings: Record<string, unknown>,
): Finding[] {
  const { problems, warnings, declared } = validateOptions(options)
  if (problems.length > 0) return problems.map(invalidOption)
  try {
    const { clients, providers } = createConfigReader(declared)({ ...settings })
    return [
      good(NAME),
      good('clients', String(clients.length)),
      good('providers', providers.map(({ id }) => id).join(', ')),
      ...warnings.map(ignoredOption),
    ]
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.problems.map((what) =>
      problem(NAME, { what, why: NOTHING_IS_SERVED, fix: fixFor(what) }),
    )
  }
}

function invalidOption(what: string): Finding {
  return problem('options', {
    what,
    why: 'The service does not start.',
    fix: 'Correct the options of createVestibule: docs/configuration.md lists all of them.',
  })
}

function ignoredOption(what: string): Finding {
  return warning('options', {
    what,
    why: 'The service works without it.',
    fix: 'Remove it from the options of createVestibule.',
  })
}

function fixFor(what: string): string {
  if (what.includes('is not a setting of this service')) {
    return 'Correct the name, or remove the setting: docs/operations.md lists all names.'
  }
  if (/^AUTH_\S*(SECRET|ID)\S* is missing/.test(what) || what.startsWith('No provider')) {
    return 'Run `npx vestibule setup`, add the missing settings to .dev.vars, or pass the secrets file that you deploy with: --secrets-file FILE.'
  }
  return 'Correct the value where it is set: in wrangler.toml, in .dev.vars or in the secrets of the deployment.'
}
