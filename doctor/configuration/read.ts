import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'

const OWN_CONFIG = fileURLToPath(new URL('../../wrangler.toml', import.meta.url))

export interface Sources {
  config?: string | undefined
  'secrets-file'?: string | undefined
}

/** The settings as `wrangler dev` would hand them to the service, or as a deployment with that file would. */
export async function readSettings(sources: Sources): Promise<Record<string, unknown>> {
  // It reports which files it reads otherwise.
  process.env['WRANGLER_LOG'] ??= 'none'
  const { unstable_getVarsForDev, unstable_readConfig } = await import('wrangler')
  const config = unstable_readConfig({ config: sources.config ?? OWN_CONFIG })
  const file = sources['secrets-file']
  if (file !== undefined) return { ...config.vars, ...(await readSecrets(file)) }
  const { configPath, vars, secrets } = config
  const found = unstable_getVarsForDev(configPath, undefined, vars, undefined, true, secrets)
  return Object.fromEntries(Object.entries(found).map(([name, { value }]) => [name, value]))
}

/** JSON, or one `NAME=value` in a line: the two forms that `wrangler deploy --secrets-file` takes. */
async function readSecrets(file: string): Promise<Record<string, unknown>> {
  const text = await readFile(file, 'utf8')
  return text.trimStart().startsWith('{') ? JSON.parse(text) : { ...parseEnv(text) }
}
