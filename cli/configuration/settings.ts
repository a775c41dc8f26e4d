import { type Config, createConfigReader } from '../../src/config/config.ts'
import { ConfigurationError } from '../../src/config/configuration-error.ts'
import { type VestibuleOptions, validateOptions } from '../../src/config/options.ts'
import { themeCorrections } from '../../src/pages/theme.ts'
import { isObject } from '../../src/values/json.ts'
import { type Finding, good, problem, warning } from '../finding.ts'

const NAME = 'settings'

const NOTHING_IS_SERVED =
  'Until this is fixed, the service responds to every request with an error.'

/** The configuration, if it is valid, and what was found out about it. */
interface ReadConfiguration {
  config: Config | undefined
  findings: Finding[]
}

/** Runs the checks of the service itself, so that both report the same problems. */
export function checkSettings(
  options: VestibuleOptions,
  settings: Record<string, unknown>,
): ReadConfiguration {
  const { problems, declared } = validateOptions(options)
  if (problems.length > 0) return { config: undefined, findings: problems.map(invalidOption) }
  try {
    const config = createConfigReader(declared)({ ...settings })
    const findings = [
      good(NAME),
      good(
        'providers',
        [...config.providers, ...config.localProviders].map(({ id }) => id).join(', '),
      ),
      ...themeCorrections(options.theme ?? {}).map(correctedColor),
      ...checkOlderSecrets(settings),
    ]
    return { config, findings }
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    const findings = error.problems
      .map((what) => nameClient(what, settings['CLIENTS']))
      .map((what) => problem(NAME, { what, why: NOTHING_IS_SERVED, fix: fixFor(what) }))
    return { config: undefined, findings }
  }
}

/** The service names a client by its position in the list, because its id may be what is wrong. */
function nameClient(what: string, clients: unknown): string {
  return what.replaceAll(/\bCLIENTS\.(\d+)(\.?)/g, (path, index: string, dot: string) => {
    const client: unknown = Array.isArray(clients) ? clients[Number(index)] : undefined
    const id = isObject(client) ? client['client_id'] : undefined
    return typeof id === 'string' ? `The client ${id}${dot && ': '}` : path
  })
}

function checkOlderSecrets(settings: Record<string, unknown>): Finding[] {
  return Object.keys(settings)
    .filter((name) => /^AUTH_SECRET_\d+$/.test(name))
    .filter((name) => settings[name] === settings['AUTH_SECRET'])
    .map((name) =>
      problem('secrets', {
        what: `${name} is equal to AUTH_SECRET.`,
        why: 'The secret has not been replaced: whoever has the old value has the current one.',
        fix: `Set AUTH_SECRET to a new value, such as the output of \`openssl rand -base64 32\`. If no rotation is intended, remove ${name}.`,
      }),
    )
}

function correctedColor(what: string): Finding {
  return warning('theme', {
    what,
    why: 'Links and outlines in the original colour would be hard to read (WCAG 2.2 AA).',
    fix: 'Nothing, if you like the result. Otherwise set theme.brandColor to an object with the colours light and dark.',
  })
}

function invalidOption(what: string): Finding {
  return problem('options', {
    what,
    why: 'The service does not start.',
    fix: 'Correct the options of createVestibule: docs/configuration.md lists all of them.',
  })
}

function fixFor(what: string): string {
  if (/is not a setting of this service|does not exist: the names are/.test(what)) {
    return 'Correct the name, add the provider that reads the setting to the options of createVestibule, or remove the setting: docs/operations.md lists all names.'
  }
  if (what.startsWith('Passkey()')) {
    return 'Add another provider to the options of createVestibule, or the settings of one that is listed there.'
  }
  if (
    /^AUTH_\S*(SECRET|ID|KEY|FROM|REGION)\S* is missing/.test(what) ||
    what.startsWith('No provider')
  ) {
    return 'Run `npx vestibule-auth setup`, add the missing settings to .dev.vars, or pass the secrets file that you deploy with: --secrets-file FILE.'
  }
  if (what.endsWith(' is missing.')) {
    return 'Add it to wrangler.toml if it is a variable, or to .dev.vars or the secrets of the deployment if it is a secret: docs/operations.md lists all settings.'
  }
  return 'Correct the value where it is set: in wrangler.toml, in .dev.vars or in the secrets of the deployment.'
}
