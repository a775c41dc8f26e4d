import { dirname, resolve } from 'node:path'
import { isLoopback } from '../../src/foundation/values/loopback.ts'
import { CommandError } from '../command-error.ts'
import {
  type Credentials,
  environmentKey,
  findCredentials,
  readCredentials,
} from './credentials-file.ts'

interface ConnectionValues {
  env?: string | undefined
  local?: boolean | undefined
  config?: string | undefined
}

/** The credentials of a connection, and where they are stored if they are in the file. */
export interface Connection {
  credentials: Credentials
  file?: { folder: string; key: string } | undefined
}

/** Commands that ask nothing accept it too, so that scripts can always use it. */
export const CONFIRMATION_OPTION = {
  yes: { type: 'boolean', help: 'do not ask for confirmation' },
} as const

/** The options of commands that call the admin API. */
export const CONNECTION_OPTIONS = {
  env: { type: 'string', value: 'NAME', help: 'use the connection of this environment' },
  local: {
    type: 'boolean',
    help: 'use the connection to the local service, made with `connect --local`',
  },
  config: {
    type: 'string',
    value: 'FILE',
    help: 'the wrangler.toml of the deployment, by default in this folder or above',
  },
  json: { type: 'boolean', help: 'print one JSON document' },
  ...CONFIRMATION_OPTION,
} as const

const VARIABLES = {
  url: 'VESTIBULE_URL',
  client_id: 'VESTIBULE_CLIENT_ID',
  client_secret: 'VESTIBULE_CLIENT_SECRET',
} as const

/**
 * Finds the credentials for the admin API: variables of the environment, or the file that `connect`
 * writes.
 */
export async function findConnection(values: ConnectionValues): Promise<Connection> {
  const connection = await lookUpConnection(values)
  if (!connection) throw notConnected(values)
  const { credentials, file } = connection
  return { credentials: { ...credentials, url: requireSafeUrl(credentials.url) }, file }
}

/** The origin of a service to which secrets can be sent. */
export function requireSafeUrl(text: string): string {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && !isLoopback(text))) {
    throw new CommandError(
      `${text} is not an https address. Only loopback addresses may use http, because the secret of the client would be readable on the way.`,
    )
  }
  return url.origin
}

/** The same, without a check; undefined if this computer is not connected. */
export async function lookUpConnection(values: ConnectionValues): Promise<Connection | undefined> {
  const credentials = fromEnvironment()
  return credentials ? { credentials } : fromFile(values)
}

function fromEnvironment(): Credentials | undefined {
  const entries = Object.entries(VARIABLES).map(([name, variable]) => [name, process.env[variable]])
  const missing = entries.filter(([, value]) => !value).map(([name]) => name)
  if (missing.length === entries.length) return undefined
  if (missing.length === 0) return Object.fromEntries(entries)
  const names = missing.map((name) => VARIABLES[name as keyof typeof VARIABLES])
  throw new CommandError(
    `${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} missing: ${Object.values(VARIABLES).join(', ')} belong together.`,
  )
}

async function fromFile({
  env,
  local = false,
  config,
}: ConnectionValues): Promise<Connection | undefined> {
  const found = await findFile(config)
  if (!found) return undefined
  const { folder, file } = found
  const connectionOf = (key: string): Connection | undefined =>
    file[key] && { credentials: file[key], file: { folder, key } }
  const ordinary = connectionOf(environmentKey(env, false))
  if (!local) return ordinary
  return (
    connectionOf(environmentKey(env, true)) ??
    (ordinary && isLoopback(ordinary.credentials.url) ? ordinary : undefined)
  )
}

async function findFile(config: string | undefined) {
  if (config === undefined) return findCredentials(process.cwd())
  const folder = dirname(resolve(config))
  const file = await readCredentials(folder)
  return file && { folder, file }
}

function notConnected({ env, local = false }: ConnectionValues): CommandError {
  const flags = `${env === undefined ? '' : ` --env ${env}`}${local ? ' --local' : ''}`
  return new CommandError(
    `This computer has no access to the admin API${flags && ` with${flags}`}. Run \`npx vestibule-auth connect${flags}\` in the folder of the deployment, or \`npx vestibule-auth login <url>\`, or set ${Object.values(VARIABLES).join(', ')}.`,
  )
}
