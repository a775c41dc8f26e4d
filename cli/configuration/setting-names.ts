import { basename } from 'node:path'
import { isObject, parseJson } from '../../src/foundation/values/json.ts'
import { nearestName } from '../../src/foundation/values/nearest-name.ts'
import { type Finding, problem, warning } from '../finding.ts'
import {
  readSecrets,
  type SettingsFiles,
  secretsFilePath,
  type WranglerConfig,
} from './read-settings.ts'

const NAME = 'settings'

/** The settings that are tables, and a field that only their tables have. */
const TABLE_SETTINGS = {
  CLIENTS: 'client_id',
  APIS: 'identifier',
  UNREGISTERED_CLIENTS: 'hosts',
} as const

/** Checks under which names settings are set, and that each is set once. */
export async function checkSettingNames(
  wrangler: WranglerConfig,
  options: SettingsFiles,
): Promise<Finding[]> {
  const { configPath, vars } = wrangler
  const file = secretsFilePath(wrangler, options)
  const secrets = file === undefined ? {} : await readSecrets(file)
  const place = basename(file ?? '')
  return [
    ...checkNames(vars, `[vars] of ${basename(configPath)}`),
    ...checkNames(secrets, place),
    ...Object.keys(secrets)
      .filter((name) => vars[name] !== undefined)
      .flatMap((name) => {
        if (options['secrets-file'] !== undefined) return [alsoSecret(name, place, configPath)]
        return name in TABLE_SETTINGS ? [replacedLocally(name, place, configPath)] : []
      }),
  ]
}

/** A table under a similar name would be ignored, and so would the name of a setting in lower case. */
function checkNames(settings: Readonly<Record<string, unknown>>, place: string): Finding[] {
  return Object.entries(settings).flatMap(([name, value]) => {
    const upperCase = name.toUpperCase()
    const meant = upperCase.startsWith('AUTH_')
      ? upperCase
      : nearestName(upperCase, namesOfTable(value))
    if (meant === undefined || meant === name) return []
    return [
      problem(NAME, {
        what: `${name} in ${place} is not a setting of this service.`,
        why: 'It has no effect.',
        fix: `Rename it to ${meant}.`,
      }),
    ]
  })
}

/** The settings that a table, a list of tables or the JSON text of one can be meant for. */
function namesOfTable(value: unknown): string[] {
  const parsed = typeof value === 'string' ? parseJson(value) : value
  const tables = [parsed].flat().filter(isObject)
  return Object.entries(TABLE_SETTINGS)
    .filter(([, field]) => tables.some((table) => field in table))
    .map(([name]) => name)
}

function alsoSecret(name: string, place: string, configPath: string): Finding {
  return problem(NAME, {
    what: `${name} is in [vars] of ${basename(configPath)} and in ${place}.`,
    why: 'Cloudflare rejects a deployment in which a variable and a secret have the same name.',
    fix: `Remove it from ${place}, unless it is a secret.`,
  })
}

/** In development, other settings have other values. Lists that replace each other are confused. */
function replacedLocally(name: string, place: string, configPath: string): Finding {
  return warning(NAME, {
    what: `${name} is in [vars] of ${basename(configPath)} and in ${place}.`,
    why: `In development, the list in ${place} replaces the other one as a whole. This check has read only ${place}.`,
    fix: `Nothing, if this is on purpose. Otherwise remove it from ${place}.`,
  })
}
