import { type Api, serviceApis } from '../config/apis.ts'
import type { Config } from '../config/config.ts'
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
export async function findApis(
  env: Env,
  config: Config,
  identifiers: readonly string[],
): Promise<Api[]> {
  const configured = [...serviceApis(config), ...config.apis]
  const found = configured.filter(({ identifier }) => identifiers.includes(identifier))
  const others = identifiers.filter((id) => !found.some(({ identifier }) => identifier === id))
  if (others.length === 0) return found
  // Clients may list APIs that are not registered, so unknown ones are not looked up individually.
  const { apis } = await readSnapshot(env, config)
  const stored = others.map((identifier) => apis.get(identifier)?.enabled)
  return [...found, ...stored.filter((api) => api !== undefined)]
}

/** All registered APIs. */
export async function listRegisteredApis(env: Env, config: Config): Promise<Api[]> {
  const { apis } = await readSnapshot(env, config)
  const stored = Array.from(apis.values(), ({ enabled }) => enabled).filter(
    (api) => api !== undefined,
  )
  return [...serviceApis(config), ...config.apis, ...stored]
}
