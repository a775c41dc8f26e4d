import { dirname } from 'node:path'
import { isObject } from '../../src/foundation/values/json.ts'
import {
  LOCATION_FIX,
  locationProblem,
  objectJurisdiction,
  READ_LOCATION,
} from '../../src/foundation/values/jurisdiction.ts'
import { isLoopback } from '../../src/foundation/values/loopback.ts'
import { errorMessage } from '../error-message.ts'
import { type Finding, good, problem, skipped } from '../finding.ts'
import { executeSql, readFromWrangler } from '../run-wrangler.ts'
import type { WranglerConfig } from './read-settings.ts'

const NAME = 'data location'

/**
 * Compares `AUTH_JURISDICTION` with where the objects and the database of the deployment are, which
 * wrangler asks Cloudflare.
 */
export async function checkDataLocation(
  settings: Record<string, unknown>,
  { configPath, database }: Pick<WranglerConfig, 'configPath' | 'database'>,
  { offline, env }: { offline: boolean; env?: string | undefined },
): Promise<Finding[]> {
  const jurisdiction = objectJurisdiction(settings)
  const isDeployed = database.id !== undefined
  if (isLoopback(String(settings['AUTH_URL'])) || (!isDeployed && !jurisdiction)) return []
  if (offline) return [skipped(NAME, 'not checked because of --offline')]
  const flags = ['--config', configPath, ...(env === undefined ? [] : ['--env', env])]
  const folder = dirname(configPath)
  try {
    const moved = isDeployed ? await checkObjects(settings, flags, folder) : undefined
    if (moved || !jurisdiction) return moved ? [moved] : []
    const state = await findDatabase(flags, folder)
    const isRight = state === `is in ${jurisdiction}`
    return [isRight ? good(NAME, jurisdiction) : otherDatabase(database.name, jurisdiction, state)]
  } catch (error) {
    return [skipped(NAME, `not checked: ${errorMessage(error).split('\n')[0]}`)]
  }
}

async function checkObjects(
  settings: Record<string, unknown>,
  flags: readonly string[],
  folder: string,
): Promise<Finding | undefined> {
  const [rows = []] = await executeSql([READ_LOCATION], ['--remote', ...flags], folder)
  const recorded = rows[0]?.['jurisdiction']
  const what = locationProblem(settings, typeof recorded === 'string' ? recorded : undefined)
  return what ? problem(NAME, { what, why: OTHER_OBJECTS, fix: LOCATION_FIX }) : undefined
}

/** Says where the database is. */
async function findDatabase(flags: readonly string[], folder: string): Promise<string> {
  try {
    const details = await readFromWrangler(['d1', 'info', 'DIRECTORY', ...flags], folder)
    const found = isObject(details) ? details['jurisdiction'] : undefined
    return found ? `is in ${found}` : 'is not restricted to a jurisdiction'
  } catch (error) {
    if (/Couldn't find/.test(errorMessage(error))) return 'does not exist'
    throw error
  }
}

const OTHER_OBJECTS =
  'The same names would be other objects, without sessions, consents and keys, so the service refuses sign-ins and creates no keys.'

function otherDatabase(name: string, jurisdiction: string, state: string): Finding {
  return problem(NAME, {
    what: `AUTH_JURISDICTION is ${jurisdiction}, but the database ${name} ${state}.`,
    why: 'Wrangler creates a missing database without a jurisdiction, and that of an existing one cannot be changed.',
    fix: `Create one before you deploy: npx wrangler d1 create ${name} --jurisdiction ${jurisdiction}. If that name is in use, choose another database_name in wrangler.toml, without a database_id.`,
  })
}
