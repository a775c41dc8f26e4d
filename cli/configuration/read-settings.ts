import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'

const DEFAULT_CONFIG = fileURLToPath(new URL('../../wrangler.toml', import.meta.url))

/** Named after the options of the command. */
export interface SettingsFiles {
  config?: string | undefined
  'secrets-file'?: string | undefined
}

/** Reads the settings as the service would receive them from `wrangler dev`, or from a deployment with the secrets file. */
export async function readSettings(files: SettingsFiles): Promise<Record<string, unknown>> {
  // Otherwise wrangler prints the names of the files it reads. It reads this variable when it is imported.
  process.env['WRANGLER_LOG'] ??= 'none'
  const { unstable_getVarsForDev, unstable_readConfig } = await import('wrangler')
  const config = unstable_readConfig({ config: files.config ?? DEFAULT_CONFIG })
  const secretsFile = files['secrets-file']
  if (secretsFile !== undefined) return { ...config.vars, ...(await readSecrets(secretsFile)) }
  const { configPath, vars, secrets } = config
  const bindings = unstable_getVarsForDev(configPath, undefined, vars, undefined, true, secrets)
  return Object.fromEntries(Object.entries(bindings).map(([name, { value }]) => [name, value]))
}

/** Reads JSON or lines of `NAME=value`: the two formats that `wrangler deploy --secrets-file` accepts. */
async function readSecrets(file: string): Promise<Record<string, unknown>> {
  const text = await readFile(file, 'utf8')
  return text.trimStart().startsWith('{') ? JSON.parse(text) : { ...parseEnv(text) }
}
