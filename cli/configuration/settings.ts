import type { Config } from '../../src/config/config.ts'
import { ConfigurationError } from '../../src/config/configuration-error.ts'
import { validateOptions } from '../../src/config/options.ts'
import { createConfigReader } from '../../src/config/read-config.ts'
import type { VestibuleOptions } from '../../src/config/vestibule-options.ts'
import { en } from '../../src/messages/en.ts'
import { themeCorrections } from '../../src/pages/theme.ts'
import { isObject } from '../../src/values/json.ts'
import { formatProblem, type Problem } from '../../src/values/problem.ts'
import { type Finding, good, problem, warning } from '../finding.ts'
import type { WranglerConfig } from './read-settings.ts'
import { describePlace } from './setting-place.ts'

const NAME = 'settings'

const NOTHING_IS_SERVED =
  'Until this is fixed, the service responds to every request with an error.'

const DISABLED =
  'The service runs without it: a provider, client or API whose settings are invalid is disabled. An unknown setting, or a value that needs a feature which is not listed, has no effect.'

/** The configuration, if it is valid, and what was found out about it. */
interface ReadConfiguration {
  config: Config | undefined
  findings: Finding[]
}

/** Runs the checks of the service itself, so that both report the same problems. */
export function checkSettings(
  options: VestibuleOptions,
  settings: Record<string, unknown>,
  wrangler: Pick<WranglerConfig, 'configPath' | 'vars'>,
): ReadConfiguration {
  const { problems, declared } = validateOptions(options, () => en)
  if (problems.length > 0) return { config: undefined, findings: problems.map(invalidOption) }
  const describe = (why: string) => (invalid: Problem) =>
    problem(NAME, {
      what: describeProblem(invalid, settings) + describePlace(invalid, wrangler),
      why,
      fix: fixFor(invalid),
    })
  try {
    const config = createConfigReader(declared)({ ...settings })
    const findings = [
      ...(config.problems.length > 0 ? config.problems.map(describe(DISABLED)) : [good(NAME)]),
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
    return { config: undefined, findings: error.problems.map(describe(NOTHING_IS_SERVED)) }
  }
}

/** What the entries of lists are called, and the field that identifies them. */
const LISTS: Readonly<Record<string, readonly [noun: string, idField: string]>> = {
  CLIENTS: ['client', 'client_id'],
  APIS: ['API', 'identifier'],
}

/** The service names an entry by its position in the list, because its id may be what is wrong. */
function describeProblem(problem: Problem, settings: Record<string, unknown>): string {
  const { path, message } = problem
  const [setting = '', index, ...field] = path
  const [noun, idField = ''] = LISTS[setting] ?? []
  const entry = objectAt(settings[setting], index)
  const id = entry?.[idField]
  if (typeof id !== 'string') return formatProblem(problem)
  return field.length === 0
    ? `The ${noun} ${id} ${message}`
    : `The ${noun} ${id}: ${formatProblem({ path: field, message })}`
}

function objectAt(list: unknown, index: string | number | undefined) {
  const entry: unknown = Array.isArray(list) ? list[Number(index)] : undefined
  return isObject(entry) ? entry : undefined
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

function invalidOption(invalid: Problem): Finding {
  return problem('options', {
    what: formatProblem(invalid),
    why: 'The service does not start.',
    fix: 'Correct the options of createVestibule: docs/configuration.md lists all of them.',
  })
}

/** Settings that the command `setup` asks for. */
const ENTERED_BY_SETUP = /^AUTH_\S*(SECRET|ID|KEY|FROM|REGION)/

function fixFor({ path: [setting, ...field], code }: Problem): string {
  if (field.at(-1) === 'client_secret') {
    return 'Replace the secret, because it may already have been read. Remove the field, and enter the SHA-256 of the new secret in client_secrets_sha256: printf %s "$SECRET" | sha256sum'
  }
  if (code === 'unknown' && field.length > 0) return 'Correct the name of the field, or remove it.'
  if (code === 'unknown') {
    return 'Correct the name, add the provider that reads the setting to the options of createVestibule, or remove the setting: docs/operations.md lists all names.'
  }
  if (code === 'unlisted' && field.includes('redirect_uris')) {
    return 'List every address. For previews of an app of your own, docs/previews.md says which wildcard it may have, and which feature it needs.'
  }
  if (code === 'unlisted') {
    return 'Add the feature to features in the options of createVestibule, or remove the value.'
  }
  if (setting === 'providers') {
    return 'Correct the options of createVestibule, or add the settings of another provider that is listed there.'
  }
  // Without a path, no provider is enabled.
  if (code === 'missing' && (setting === undefined || ENTERED_BY_SETUP.test(String(setting)))) {
    return 'Run `npx vestibule-auth setup`, add the missing settings to .dev.vars, or pass the secrets file that you deploy with: --secrets-file FILE.'
  }
  if (code === 'missing') {
    return 'Add it to wrangler.toml if it is a variable, or to .dev.vars or the secrets of the deployment if it is a secret: docs/operations.md lists all settings.'
  }
  return 'Correct the value where it is set: in wrangler.toml, in .dev.vars or in the secrets of the deployment.'
}
