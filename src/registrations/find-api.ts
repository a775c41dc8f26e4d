import { type Api, adminApi } from '../config/apis.ts'
import type { Config } from '../config/config.ts'
import { readSnapshot } from './snapshot.ts'

/** The registered API with this identifier. Those of the settings are found without reading storage. */
export async function findApi(
  env: Env,
  config: Config,
  identifier: string,
): Promise<Api | undefined> {
  const builtIn = [adminApi(config), ...config.apis].find((api) => api.identifier === identifier)
  // Clients may list APIs that are not registered, so an unknown one is not looked up individually.
  return builtIn ?? (await readSnapshot(env, config)).apis.get(identifier)?.api
}

/** Those of these APIs that are registered. */
export async function findApis(
  env: Env,
  config: Config,
  identifiers: readonly string[],
): Promise<Api[]> {
  const apis = await Promise.all(identifiers.map((identifier) => findApi(env, config, identifier)))
  return apis.filter((api) => api !== undefined)
}

/** All registered APIs. */
export async function listRegisteredApis(env: Env, config: Config): Promise<Api[]> {
  const { apis } = await readSnapshot(env, config)
  const stored = Array.from(apis.values(), ({ api }) => api).filter((api) => api !== undefined)
  return [adminApi(config), ...config.apis, ...stored]
}
