import type { Config } from '../../src/core/config/config.ts'
import { ConfigurationError } from '../../src/core/config/configuration-error.ts'
import type { Feature } from '../../src/core/config/feature.ts'
import { validateOptions } from '../../src/core/config/options.ts'
import { settingName } from '../../src/core/config/providers.ts'
import { parseConfig } from '../../src/core/config/read-config.ts'
import type { VestibuleOptions } from '../../src/core/config/vestibule-options.ts'
import { en } from '../../src/core/messages/en.ts'
import { themeCorrections } from '../../src/core/pages/theme.ts'
import { PRIVATE_KEY_FOUND } from '../../src/core/registration-schemas/public-keys.ts'
import { isObject } from '../../src/foundation/values/json.ts'
import { isLoopback } from '../../src/foundation/values/loopback.ts'
import { formatProblem, type Problem, UNLISTED } from '../../src/foundation/values/problem.ts'
import { DIGEST_COMMAND } from '../../src/foundation/values/schemas.ts'
import { type Finding, good, problem, warning } from '../finding.ts'
import type { WranglerConfig } from './read-settings.ts'
import { describePlace } from './setting-place.ts'

const NAME = 'settings'

const NOTHING_IS_SERVED =
  'Until this is fixed, the service responds to every request with an error.'

/** The configuration, if it is valid, and what was found out about it. */
interface ReadConfiguration {
  config: Config | undefined
  /** What the deployment lists, as far as it is valid. */
  features: readonly Feature[]
  findings: Finding[]
}

/** Runs the checks of the service itself, so that both report the same problems. */
export function checkSettings(
  options: VestibuleOptions,
  settings: Record<string, unknown>,
  wrangler: Pick<WranglerConfig, 'configPath' | 'vars' | 'environment'>,
): ReadConfiguration {
  const { problems, declared } = validateOptions(options, () => en)
  const { features } = declared
  if (problems.length > 0) {
    return { config: undefined, features, findings: problems.map(invalidOption) }
  }
  const describe = (invalid: Problem, why: string) =>
    problem(NAME, {
      what: describeProblem(invalid, settings) + describePlace(invalid, wrangler),
      why,
      fix: fixForAddress(invalid, settings) ?? fixFor(invalid),
    })
  try {
    const config = parseConfig(settings, declared)
    const findings = [
      ...(config.problems.length > 0
        ? config.problems.map((invalid) => describe(invalid, consequenceOf(invalid)))
        : [good(NAME)]),
      good(
        'providers',
        [...config.providers, ...config.localProviders].map(({ id }) => id).join(', '),
      ),
      ...config.switchedOff.map(switchedOff),
      ...themeCorrections(options.theme ?? {}).map(correctedColor),
      ...checkOlderSecrets(settings),
    ]
    return { config, features: config.features, findings }
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    const findings = error.problems.map((invalid) => describe(invalid, NOTHING_IS_SERVED))
    return { config: undefined, features, findings }
  }
}

/** What a problem means for a service that runs nevertheless. */
function consequenceOf({ path, code }: Problem): string {
  const [setting] = path
  if (code === 'unlisted' || (code === 'unknown' && path.length === 1)) return 'It has no effect.'
  if (setting === 'CLIENTS') return 'The service runs without this client.'
  if (setting === 'APIS') return 'The service runs, but nobody gets tokens for this API.'
  if (setting === 'providers' && path.length === 1) {
    return 'The service runs, but only users who have a passkey can sign in.'
  }
  return 'The service runs without this provider.'
}

/** The names of settings, which are not names of fields. */
export const SETTING_NAME = /^AUTH_|^(CLIENTS|APIS|UNREGISTERED_CLIENTS)$/

/** Whether a setting is in a table: in TOML, each line belongs to the table above it. */
function isMisplaced({ path, code }: Problem): boolean {
  return code === 'unknown' && path.length > 1 && SETTING_NAME.test(String(path.at(-1)))
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
  if (isMisplaced(problem)) {
    const table =
      typeof id === 'string' ? `the table of the ${noun} ${id}` : `a table of ${setting}`
    return `${path.at(-1)} is in ${table}, because it comes after [[vars.${setting}]].`
  }
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
  const names = Object.keys(settings).filter((name) => /^AUTH_SECRET(_LEAKED)?(_\d+)?$/.test(name))
  const isLeaked = (name: string) => name.startsWith('AUTH_SECRET_LEAKED')
  const others = names.filter((name) => name !== 'AUTH_SECRET')
  const accepted = names.filter((name) => !isLeaked(name) && name !== 'AUTH_SECRET')
  return [
    ...others
      .filter((name) => settings[name] === settings['AUTH_SECRET'])
      .map((name) =>
        problem('secrets', {
          what: `${name} is equal to AUTH_SECRET.`,
          why: 'The secret has not been replaced: whoever has the old value has the current one.',
          fix: `Set AUTH_SECRET to a new value, such as the output of \`openssl rand -base64 32\`. If no rotation is intended, remove ${name}.`,
        }),
      ),
    ...accepted
      .filter((name) =>
        others.some((other) => isLeaked(other) && settings[other] === settings[name]),
      )
      .map((name) =>
        problem('secrets', {
          what: `${name} is a leaked secret, which AUTH_SECRET_LEAKED has, too.`,
          why: 'It is still accepted: whoever has it can sign in as anyone.',
          fix: `Remove ${name}.`,
        }),
      ),
  ]
}

function switchedOff(id: string): Finding {
  return warning('providers', {
    what: `${id} is switched off by ${settingName(id, 'ENABLED')}.`,
    why: 'Nobody can sign in through it.',
    fix: 'Nothing, if this is on purpose. Otherwise remove the setting.',
  })
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

/** If the address of the service is spelt in another way than browsers do, the way to spell it. */
function fixForAddress({ path }: Problem, { AUTH_URL }: Record<string, unknown>) {
  const url = path.join() === 'AUTH_URL' ? URL.parse(String(AUTH_URL)) : null
  if (!url || (url.protocol !== 'https:' && !isLoopback(url.href))) return undefined
  const { origin } = url
  return origin === AUTH_URL ? undefined : `Enter ${origin}.`
}

function fixFor(invalid: Problem): string {
  const { path, code, message } = invalid
  const [setting, ...field] = path
  if (isMisplaced(invalid)) {
    return `Move it above the first [[vars.${setting}]], and above every other table of [vars]: in TOML, a line belongs to the table above it.`
  }
  if (message === PRIVATE_KEY_FOUND) {
    return 'Create another key pair, because the private key may already have been read. Enter only the public key: without d, p, q, dp, dq, qi and k.'
  }
  if (field.at(-1) === 'client_secret') {
    return `Replace the secret, because it may already have been read. Remove the field, and enter the SHA-256 of the new secret in client_secrets_sha256: ${DIGEST_COMMAND}`
  }
  if (
    setting === 'CLIENTS' &&
    field.at(-1) === 'redirect_uris' &&
    message.startsWith('is missing')
  ) {
    return 'Enter the addresses to which the app lets users return. For an app that acts for itself, without users, set grant_types = ["client_credentials"].'
  }
  if (setting === 'providers') return fixForProviders(field)
  switch (code) {
    case 'unknown':
      return field.length > 0
        ? 'Correct the name of the field, or remove it.'
        : 'Correct the name, add the provider that reads the setting to the options of createVestibule, or remove the setting: docs/reference.md lists all names.'
    case 'unlisted':
      return fixForUnlisted(message, field)
    case 'missing':
      return fixForMissing(setting)
    default:
      return 'Correct the value where it is set: in wrangler.toml, in .dev.vars or in the secrets of the deployment.'
  }
}

/** Without a field, the only provider is Passkey(). */
function fixForProviders(field: Problem['path']): string {
  return field.length === 0
    ? 'Add another provider to providers in the options of createVestibule, with its settings, such as TikTok or Email().'
    : 'Correct the options of createVestibule, or add the settings of another provider that is listed there.'
}

/** A value without an effect belongs to a feature that is not listed, or nothing is called so. */
function fixForUnlisted(message: string, field: Problem['path']): string {
  if (field.includes('redirect_uris')) {
    return 'List every address. For previews of an app of your own, docs/previews.md says which wildcard it may have, and which feature it needs.'
  }
  if (message.includes(UNLISTED)) {
    return 'Add the feature to features in the options of createVestibule, or remove the value.'
  }
  if (field.includes('roles')) {
    return 'Correct the name, or add it to names of roles() in the options of createVestibule.'
  }
  return 'Correct the value, or add its feature to features in the options of createVestibule.'
}

/** Without a setting, no provider is enabled. */
function fixForMissing(setting: string | number | undefined): string {
  if (setting === undefined || ENTERED_BY_SETUP.test(String(setting))) {
    return 'Run `npx vestibule-auth setup`, add the missing settings to .dev.vars, or pass the secrets file that you deploy with: --secrets-file FILE.'
  }
  return 'Add it to wrangler.toml if it is a variable, or to .dev.vars or the secrets of the deployment if it is a secret: docs/reference.md lists all settings.'
}
