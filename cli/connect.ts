import { createHash, randomBytes } from 'node:crypto'
import { relative } from 'node:path'
import { nowInSeconds } from '../src/foundation/values/clock.ts'
import { isLoopback } from '../src/foundation/values/loopback.ts'
import { AdminApi } from './admin/admin-api.ts'
import { confirm } from './admin/confirm.ts'
import { CONFIRMATION_OPTION } from './admin/connection.ts'
import {
  type Credentials,
  credentialsPath,
  environmentKey,
  ignoreInGit,
  type MachineCredentials,
  readCredentials,
  writeCredentials,
} from './admin/credentials-file.ts'
import { printJson, printLine } from './admin/format.ts'
import { revokeFormerAccess } from './admin/personal-access.ts'
import { auditSql, quoteSql } from './admin/sql.ts'
import { openStorage, STORAGE_OPTIONS, type Storage } from './admin/storage.ts'
import { type Command, defineCommand } from './command.ts'
import { CommandError } from './command-error.ts'

const CLIENT_ID = 'vestibule-cli'

/** Whoever can run this command can use the Cloudflare account, and so change everything. */
const FULL_SCOPE = 'admin:read admin:write admin:administrators'

/** The service reads the registrations of clients at most once a minute. */
const MAX_PROPAGATION_TIME = 75 // seconds

/** The service accepts ten wrong secrets per minute. */
const ATTEMPT_INTERVAL = 10 // seconds

/** Gives this computer access to the admin API, or removes it. */
export const connect: Command = defineCommand({
  summary: 'Give this computer access to the admin API of the deployment in this folder',
  details: `Registers a machine client in the storage of the deployment, through wrangler, and writes its secret
to .vestibule/credentials.json, which only you can read and git ignores. The commands clients, apis,
users, keys and audit use it. Running it again replaces the secret, and the scope.

In CI, set VESTIBULE_URL, VESTIBULE_CLIENT_ID and VESTIBULE_CLIENT_SECRET instead.`,
  options: {
    name: {
      type: 'string',
      value: 'NAME',
      help: `register the client ${CLIENT_ID}-NAME instead of ${CLIENT_ID}, so that several computers have\ntheir own secrets, and the audit log distinguishes them`,
    },
    'read-only': {
      type: 'boolean',
      help: 'allow this computer to read, but not to change anything',
    },
    enable: { type: 'boolean', help: 'enable the client if it was disabled' },
    remove: { type: 'boolean', help: 'delete the client and the credentials of this computer' },
    ...CONFIRMATION_OPTION,
    ...STORAGE_OPTIONS,
    json: { type: 'boolean', help: 'print one JSON document, without the secret' },
  },
  async run({ values, rejectUsage }) {
    const { name, env } = values
    if (name !== undefined && !/^[a-z0-9-]{1,64}$/.test(name)) {
      rejectUsage('--name takes lowercase letters, digits and hyphens.')
    }
    if (values.remove && (values['read-only'] || values.enable)) {
      rejectUsage('--remove and the options --read-only and --enable exclude each other.')
    }
    const storage = await openStorage(values, rejectUsage)
    const key = environmentKey(env, storage.isLocalCopy)
    const former = (await readCredentials(storage.folder))?.[key]
    const existing = machineClientId(former)
    const clientId = name === undefined ? (existing ?? CLIENT_ID) : `${CLIENT_ID}-${name}`
    const connection = { storage, key, clientId }
    if (values.remove) {
      const subject = `${clientId} at ${storage.origin}`
      const isConfirmed = values.yes
      await confirm({ operationId: 'deleteClient', subject, isConfirmed })
    }
    const report = values.remove
      ? await disconnect(connection)
      : await register(connection, {
          scope: values['read-only'] ? 'admin:read' : FULL_SCOPE,
          isOwnClient: existing === clientId,
          mayEnable: values.enable ?? false,
        })
    await revokeFormerAccess(former)
    if (values.json) printJson(report.json)
    else printLine(report.text)
  },
})

interface Connection {
  storage: Storage
  /** The name of the credentials in the file. */
  key: string
  clientId: string
}

interface Report {
  json: Record<string, unknown>
  text: string
}

/** The machine client of this computer, if it has one. */
function machineClientId(credentials: Credentials | undefined): string | undefined {
  return credentials && 'client_secret' in credentials ? credentials.client_id : undefined
}

async function disconnect({ storage, key, clientId }: Connection): Promise<Report> {
  const isRemoved = await deleteClient(storage, clientId)
  await writeCredentials(storage.folder, key, undefined)
  return {
    json: { client_id: clientId, removed: isRemoved },
    text: isRemoved
      ? `Deleted the client ${clientId}, and its credentials on this computer. The service accepts its secret for up to a minute.`
      : `There was no client ${clientId}.`,
  }
}

async function register(
  { storage, key, clientId }: Connection,
  { scope, isOwnClient, mayEnable }: { scope: string; isOwnClient: boolean; mayEnable: boolean },
): Promise<Report> {
  const { origin, folder } = storage
  rejectPublicHttp(origin)
  await ignoreInGit(folder)
  const secret = randomBytes(32).toString('base64url')
  const credentials = { url: origin, client_id: clientId, client_secret: secret }
  const { isReplaced, formerDigests } = await registerClient(storage, credentials, {
    scope,
    mayEnable,
  })
  const others = Object.entries((await readCredentials(folder)) ?? {})
    .filter(([name]) => name !== key)
    .filter(([, other]) => other.url === origin && other.client_id === clientId)
    // With another secret, it is the client of another database.
    .filter(
      ([, other]) =>
        'client_secret' in other && formerDigests.includes(sha256(other.client_secret)),
    )
    .map(([name]) => name)
  for (const name of [key, ...others]) await writeCredentials(folder, name, credentials)
  if (isReplaced && !isOwnClient && others.length === 0) {
    process.stderr.write(
      `The former secret of ${clientId} is no longer valid: other computers that use it have to connect again, with a --name of their own.\n`,
    )
  }
  const isConfirmed = await waitUntilAccepted(credentials, isReplaced)
  const file = relative('.', credentialsPath(folder))
  const result = isConfirmed ? 'Connected' : 'Registered, but not confirmed'
  return {
    json: { url: origin, client_id: clientId, scope, file, confirmed: isConfirmed },
    text: `${result}: ${origin} as ${clientId} (${scope}). The secret is in ${file}${others.length === 0 ? '' : `, also for ${others.join(', ')}`}.`,
  }
}

function rejectPublicHttp(origin: string): void {
  if (origin.startsWith('https:') || isLoopback(origin)) return
  throw new CommandError(`AUTH_URL is ${origin}, which is neither https nor a loopback address.`)
}

/**
 * Returns whether there was a client with this id, whose secrets are replaced. A disabled client
 * stays as it is unless it may be enabled: an administrator has disabled it for a reason.
 */
async function registerClient(
  { execute }: Storage,
  { url, client_id: clientId, client_secret: secret }: MachineCredentials,
  { scope, mayEnable }: { scope: string; mayEnable: boolean },
): Promise<{ isReplaced: boolean; formerDigests: string }> {
  const registration = quoteSql(
    JSON.stringify({
      client_name: 'Vestibule command line',
      grant_types: ['client_credentials'],
      resources: [`${url}/admin/api`],
      scope,
      client_secrets_sha256: [sha256(secret)],
    }),
  )
  const id = quoteSql(clientId)
  const isStored = clientExists(id)
  const isDisabled = clientExists(id, 'disabled_at IS NOT NULL')
  const isChanged = clientExists(
    id,
    `${withoutSecrets('registration')} <> ${withoutSecrets(registration)}`,
  )
  const isAllowed = mayEnable ? 'TRUE' : `NOT ${isDisabled}`
  const detail = `scope ${scope}`
  const now = nowInSeconds()
  const [[status] = []] = await execute([
    `SELECT ${isStored} AS stored, ${isDisabled} AS disabled, (SELECT json_extract(registration, '$.client_secrets_sha256') FROM clients WHERE client_id = ${id}) AS digests`,
    auditSql('client_created', clientId, `NOT ${isStored}`, detail),
    auditSql('client_enabled', clientId, `${isDisabled} AND ${isAllowed}`, detail),
    auditSql('client_updated', clientId, `${isChanged} AND ${isAllowed}`, detail),
    auditSql('client_secret_rotated', clientId, `${isStored} AND ${isAllowed}`, detail),
    `INSERT INTO clients (client_id, registration, created_at, updated_at)
     SELECT ${id}, ${registration}, ${now}, ${now} WHERE ${isAllowed}
     ON CONFLICT (client_id) DO UPDATE SET
       registration = excluded.registration, disabled_at = NULL, updated_at = excluded.updated_at`.replaceAll(
      /\s+/g,
      ' ',
    ),
  ])
  if (status?.['disabled'] && !mayEnable) {
    throw new CommandError(
      `The client ${clientId} is disabled. Nothing was changed. To enable it, use --enable; to register another client, use --name NAME.`,
    )
  }
  return {
    isReplaced: Boolean(status?.['stored']),
    formerDigests: String(status?.['digests'] ?? ''),
  }
}

function sha256(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** The condition that a client with this id is stored, and meets another condition. */
function clientExists(id: string, condition = 'TRUE'): string {
  return `EXISTS (SELECT 1 FROM clients WHERE client_id = ${id} AND ${condition})`
}

/** The part of a registration that decides what the client may do. */
function withoutSecrets(registration: string): string {
  return `json_remove(${registration}, '$.client_secrets_sha256')`
}

/** Returns whether there was a client with this id. */
async function deleteClient({ execute }: Storage, clientId: string): Promise<boolean> {
  const id = quoteSql(clientId)
  const isStored = clientExists(id)
  const [[status] = []] = await execute([
    `SELECT ${isStored} AS stored`,
    auditSql('client_deleted', clientId, isStored, 'connect --remove'),
    `DELETE FROM clients WHERE client_id = ${id}`,
  ])
  return Boolean(status?.['stored'])
}

/** Uses the credentials once. The service may use the former secret for up to a minute. */
async function waitUntilAccepted(
  credentials: MachineCredentials,
  isReplaced: boolean,
): Promise<boolean> {
  const deadline = nowInSeconds() + (isReplaced ? MAX_PROPAGATION_TIME : 0)
  while (true) {
    try {
      await new AdminApi({ credentials }).send('listClients', { query: { limit: 1 } })
      return true
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      const isWrongSecret = /rejects the secret/.test(error.message)
      if (!isWrongSecret || nowInSeconds() + ATTEMPT_INTERVAL > deadline) {
        process.stderr.write(`${error.message}\n`)
        return false
      }
    }
    process.stderr.write('Waiting for the service to read the new secret, up to a minute …\n')
    await new Promise((resolve) => setTimeout(resolve, ATTEMPT_INTERVAL * 1000))
  }
}
