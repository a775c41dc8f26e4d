import type { Config } from '../config/config.ts'
import { type Api, serviceApis } from '../registration-schemas/apis.ts'
import type { Client } from '../registration-schemas/clients.ts'
import { mayUseForUsers } from './api-access.ts'
import { readSnapshot } from './snapshot.ts'

/** The registered API with this identifier; one of the settings without reading storage. */
export async function findApi(
  env: Env,
  config: Config,
  identifier: string,
): Promise<Api | undefined> {
  const [api] = await findApis(env, config, [identifier])
  return api
}

/** Those of these APIs that are registered. */
async function findApis(env: Env, config: Config, identifiers: readonly string[]): Promise<Api[]> {
  const configured = [...serviceApis(config), ...config.apis]
  const found = configured.filter(({ identifier }) => identifiers.includes(identifier))
  const others = identifiers.filter((id) => !found.some(({ identifier }) => identifier === id))
  if (others.length === 0) return found
  // Clients may list APIs that are not registered, so unknown ones are not looked up individually.
  const { apis } = await readSnapshot(env, config)
  const stored = others.map((identifier) => apis.get(identifier)?.enabled)
  return [...found, ...stored.filter((api) => api !== undefined)]
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
  const registered = await findApis(env, config, resources)
  const allowed = resources.filter((identifier) => {
    const api = registered.find((other) => other.identifier === identifier)
    return mayUseForUsers(config, client, { identifier, api })
  })
  return {
    resources: allowed,
    apis: registered.filter(({ identifier }) => allowed.includes(identifier)),
  }
}

/** All registered APIs. */
export async function listRegisteredApis(env: Env, config: Config): Promise<Api[]> {
  const { apis } = await readSnapshot(env, config)
  const stored = Array.from(apis.values(), ({ enabled }) => enabled).filter(
    (api) => api !== undefined,
  )
  return [...serviceApis(config), ...config.apis, ...stored]
}
