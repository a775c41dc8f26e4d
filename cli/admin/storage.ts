import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { isObject } from '../../src/values/json.ts'
import { isLoopback } from '../../src/values/loopback.ts'
import { readSettings, readWranglerConfig } from '../configuration/read-settings.ts'
import { errorMessage } from '../error-message.ts'
import { parseJson } from '../parse-json.ts'
import { sanitizeForTerminal } from '../sanitize-for-terminal.ts'
import { CommandError } from './command-error.ts'

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

export type Row = Record<string, unknown>

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

/** Wrangler responds within seconds; this only ends a command that would hang. */
const WRANGLER_TIMEOUT = 120_000 // milliseconds

/** Opens the storage of the deployment in the current folder. */
export async function openStorage(
  values: StorageValues,
  rejectUsage: (message: string) => never,
): Promise<Storage> {
  const { local = false, remote = false, env, config: configFile } = values
  if (local && remote) rejectUsage('--local and --remote exclude each other.')
  const { configPath, vars, devSettings } = await readConfiguration({ env, config: configFile })
  const isPublic = !isLoopback(String(vars['AUTH_URL']))
  const isLocal = local || (!remote && !isPublic)
  const settings = isLocal ? devSettings : vars
  const origin = String(settings['AUTH_URL'])
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
    isLocalCopy: isLocal && isPublic,
    execute: (statements) => execute(statements, flags, dirname(configPath)),
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

async function execute(
  statements: readonly string[],
  flags: readonly string[],
  cwd: string,
): Promise<Row[][]> {
  const args = ['d1', 'execute', 'DIRECTORY', '--json', '--yes', ...flags]
  const output = await runWrangler([...args, '--command', statements.join('; ')], cwd)
  // Wrangler may print warnings before the document.
  const document = parseJson(output.slice(Math.max(0, output.search(/^[[{]/m))))
  if (isObject(document)) throw wranglerError(document)
  if (!Array.isArray(document)) throw wranglerError({ error: { text: output } })
  return document.map((result) => (isObject(result) ? rows(result['results']) : []))
}

function rows(results: unknown): Row[] {
  return Array.isArray(results) ? results.filter(isObject) : []
}

/** Runs wrangler without a shell, and returns what it prints, also if it fails. */
async function runWrangler(args: readonly string[], cwd: string): Promise<string> {
  const require = createRequire(import.meta.url)
  const program = join(dirname(require.resolve('wrangler/package.json')), 'bin/wrangler.js')
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], {
      cwd,
      env: { ...process.env, WRANGLER_LOG: 'log', NO_COLOR: '1' },
      timeout: WRANGLER_TIMEOUT,
      maxBuffer: 64 * 1024 * 1024, // bytes, more than any table that is read here
    })
    return stdout
  } catch (cause) {
    if (cause instanceof Error && 'stdout' in cause && cause.stdout) return String(cause.stdout)
    throw new CommandError(`Wrangler failed: ${sanitizeForTerminal(errorMessage(cause))}`, {
      cause,
    })
  }
}

function wranglerError({ error }: Record<string, unknown>): CommandError {
  const text = isObject(error) ? String(error['text'] ?? '') : ''
  const message = `Wrangler failed: ${sanitizeForTerminal(text.trim())}`
  if (/no such (table|column)/.test(text)) {
    return new CommandError(
      `${message}\nMigrations were not applied: run \`npm run migrate\`, or with --local \`npx wrangler d1 migrations apply DIRECTORY --local\`.`,
    )
  }
  if (/CLOUDFLARE_API_TOKEN|not authenticated|logged in/i.test(text)) {
    return new CommandError(
      `${message}\nThis command needs access to the Cloudflare account: run \`npx wrangler login\`.`,
    )
  }
  return new CommandError(message)
}
