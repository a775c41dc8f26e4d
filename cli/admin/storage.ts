import { dirname } from 'node:path'
import { isLoopback } from '../../src/foundation/values/loopback.ts'
import { CommandError } from '../command-error.ts'
import { readSettings, readWranglerConfig } from '../configuration/read-settings.ts'
import { errorMessage } from '../error-message.ts'
import { executeSql, type Row } from '../run-wrangler.ts'

/** The database of a deployment, reached with wrangler and its access to the Cloudflare account. */
export interface Storage {
  /** The address of the service that uses the database. */
  origin: string
  /**
   * The variables of the service: those of wrangler.toml, and for a local one also those of
   * .dev.vars.
   */
  settings: Record<string, unknown>
  /** The folder of wrangler.toml. */
  folder: string
  /** The local database of a service that also has a public deployment. */
  isLocalCopy: boolean
  /** Runs statements in one transaction, and returns the rows of each. */
  execute: (statements: readonly string[]) => Promise<Row[][]>
}

interface StorageValues {
  local?: boolean | undefined
  remote?: boolean | undefined
  env?: string | undefined
  config?: string | undefined
}

/** The options of commands that use the storage. */
export const STORAGE_OPTIONS = {
  local: {
    type: 'boolean',
    help: 'use the database of `npm run dev`; the default if AUTH_URL in wrangler.toml is\na loopback address',
  },
  remote: { type: 'boolean', help: 'use the deployed database; the default otherwise' },
  env: { type: 'string', value: 'NAME', help: 'an environment of wrangler.toml' },
  config: { type: 'string', value: 'FILE', help: 'read this file instead of wrangler.toml' },
} as const

/** The deployment in the current folder. */
export async function readDeployment({ local, remote, env, config }: StorageValues) {
  const { configPath, vars, devSettings } = await readConfiguration({ env, config })
  const isPublic = !isLoopback(String(vars['AUTH_URL']))
  const isLocal = local || (!remote && !isPublic)
  const settings = isLocal ? devSettings : vars
  const origin = String(settings['AUTH_URL'])
  return { configPath, settings, origin, isLocal, isLocalCopy: isLocal && isPublic }
}

/** Opens the storage of the deployment in the current folder. */
export async function openStorage(
  values: StorageValues,
  rejectUsage: (message: string) => never,
): Promise<Storage> {
  const { local = false, remote = false, env } = values
  if (local && remote) rejectUsage('--local and --remote exclude each other.')
  const { configPath, settings, origin, isLocal, isLocalCopy } = await readDeployment(values)
  process.stderr.write(`Using the ${isLocal ? 'local' : 'deployed'} database of ${origin}\n`)
  const flags = [
    ...['--config', configPath],
    ...(env === undefined ? [] : ['--env', env]),
    isLocal ? '--local' : '--remote',
  ]
  return {
    origin,
    settings,
    folder: dirname(configPath),
    isLocalCopy,
    execute: (statements) => executeSql(statements, flags, dirname(configPath)),
  }
}

async function readConfiguration(files: { env: string | undefined; config: string | undefined }) {
  try {
    const config = await readWranglerConfig(files)
    const devSettings = await readSettings(config, files)
    if (config.vars['AUTH_URL'] === undefined && devSettings['AUTH_URL'] === undefined) {
      throw new Error(`${config.configPath} has no AUTH_URL.`)
    }
    return { configPath: config.configPath, vars: config.vars, devSettings }
  } catch (cause) {
    const message = errorMessage(cause).trim()
    throw new CommandError(
      `The configuration cannot be read: ${message}\nRun this command in the folder of the deployment.`,
      { cause },
    )
  }
}
