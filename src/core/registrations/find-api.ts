import type { Config } from '../config/config.ts'
import { type Api, serviceApis } from '../registration-schemas/apis.ts'
import type { Client } from '../registration-schemas/clients.ts'
import { type FoundApi, mayUseForUsers } from './api-access.ts'
import { readSnapshot, type Snapshot } from './snapshot.ts'

/** The API with this identifier; one of the settings without reading storage. */
export async function findApi(env: Env, config: Config, identifier: string): Promise<FoundApi> {
  const found = findConfigured(config, identifier)
  return found ?? findStored(config, await readSnapshot(env, config), identifier)
}

/** An API of the settings or of this service; undefined if the database decides. */
function findConfigured(config: Config, identifier: string): FoundApi | undefined {
  const configured = [...serviceApis(config), ...config.apis]
  const api = configured.find((other) => other.identifier === identifier)
  if (api) return { kind: 'found', api }
  const isDisabled =
    config.disabledApis.includes(identifier) ||
    (config.hasUnidentifiedApi && !isOwnUrl(config, identifier))
  return isDisabled ? { kind: 'unusable' } : undefined
}

function findStored(config: Config, { apis }: Snapshot, identifier: string): FoundApi {
  const stored = apis.get(identifier)
  if (stored?.enabled) return { kind: 'found', api: stored.enabled }
  const hasUnidentified = [...apis.values()].some(({ isUnidentified }) => isUnidentified)
  const isUnusable = stored || (hasUnidentified && !isOwnUrl(config, identifier))
  return { kind: isUnusable ? 'unusable' : 'unknown' }
}

/** An entry without a valid identifier may be meant for any API that is not part of this service. */
function isOwnUrl({ issuer }: Config, identifier: string): boolean {
  return URL.parse(identifier)?.origin === issuer
}

/**
 * Those of these resources that a client may request access tokens of its users for, and those of
 * them that are registered.
 */
export async function findUserApis(
  env: Env,
  config: Config,
  { client, resources }: { client: Client; resources: readonly string[] },
): Promise<{ resources: string[]; apis: Api[] }> {
  const all = await Promise.all(
    resources.map(async (identifier) => ({
      identifier,
      found: await findApi(env, config, identifier),
    })),
  )
  const allowed = all.filter((resource) => mayUseForUsers(config, client, resource))
  return {
    resources: allowed.map(({ identifier }) => identifier),
    apis: allowed.flatMap(({ found }) => (found.kind === 'found' ? found.api : [])),
  }
}

/** All APIs that can be used, and whether there are others, which are unusable. */
export async function listApis(
  env: Env,
  config: Config,
): Promise<{ apis: Api[]; hasUnusable: boolean }> {
  const stored = [...(await readSnapshot(env, config)).apis.values()]
  const usable = config.hasUnidentifiedApi ? [] : stored.flatMap(({ enabled }) => enabled ?? [])
  return {
    apis: [...serviceApis(config), ...config.apis, ...usable],
    hasUnusable:
      config.disabledApis.length > 0 || config.hasUnidentifiedApi || usable.length < stored.length,
  }
}
