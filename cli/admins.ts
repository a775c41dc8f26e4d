import {
  ADMINISTRATOR_FIELDS,
  type Administrator,
} from '../src/features/admin/resources/administrator.ts'
import { ADMIN_ROLES, type AdminRole, administratorSchema } from '../src/features/admin/roles.ts'
import { nowInSeconds } from '../src/foundation/values/clock.ts'
import { AdminApi } from './admin/admin-api.ts'
import { CONNECTION_OPTIONS, lookUpConnection } from './admin/connection.ts'
import { printJson, printLine } from './admin/format.ts'
import { listCommand, operationCommand } from './admin/operation-command.ts'
import { auditSql, quoteSql } from './admin/sql.ts'
import { openStorage, STORAGE_OPTIONS, type Storage } from './admin/storage.ts'
import { type Command, defineCommand, defineGroup } from './command.ts'
import { CommandError } from './command-error.ts'

const INTRODUCTION = `Administrators may use the console at /admin. They sign in like everyone else. A user is named by
their id, usr_…, or by an account: the provider and the provider's id of the account, as in
tiktok:8a1f…. An owner may do everything. The role support reads everything, exports, blocks,
unblocks and signs out users, revokes the access of their clients, and removes their accounts.`

const ARGUMENT = '<usr_… | provider:account id>'

const COMMANDS: Record<string, Command> = {
  list: listCommand<Administrator>(
    'listAdministrators',
    { Name: ({ name }) => name, ...ADMINISTRATOR_FIELDS },
    'There are no administrators. Add one: npx vestibule-auth admins add usr_…',
  ),
  add: defineCommand({
    argument: ARGUMENT,
    summary: 'Make a user an administrator, or change the role of one',
    details: `While this computer is not connected, and with --remote, the command adds the administrator to the
database through wrangler: this creates the first one. To find your own id, sign in, and open
/api/auth/session of the service: it is the id of the user there.`,
    options: {
      role: {
        type: 'string',
        value: 'ROLE',
        help: `${ADMIN_ROLES.join(' or ')}; by default the present one, and owner for a new administrator`,
      },
      ...CONNECTION_OPTIONS,
      ...STORAGE_OPTIONS,
    },
    async run({ values, argument: name, rejectUsage }) {
      checkName(name, rejectUsage)
      const role = parseRole(values.role, rejectUsage)
      if (values.local && values.remote) {
        rejectUsage('--local and --remote exclude each other.')
      }
      const isConnected = !values.remote && (await lookUpConnection(values)) !== undefined
      const report = isConnected
        ? await addThroughApi(await AdminApi.open(values), name, role)
        : await addToStorage(await openStorage(values, rejectUsage), name, role)
      const { isKnown, origin, ...result } = report
      if (values.json) return printJson(result)
      printLine(
        result.changed
          ? `${name} is an administrator now, as ${result.role}: sign in, and open ${origin}/admin`
          : `${name} is an administrator already, as ${result.role}.`,
      )
      if (!isKnown) printLine('Note: nobody has signed in with this id yet. Check the spelling.')
    },
  }),
  remove: operationCommand('removeAdministrator', {
    argument: ARGUMENT,
    checkId: checkName,
    json: (name) => ({ name, removed: true }),
    text: (name) => `${name} is no longer an administrator.`,
  }),
}

/** Lists, adds and removes administrators. */
export const admins = defineGroup({
  summary: 'List, add and remove administrators',
  introduction: INTRODUCTION,
  commands: { Commands: COMMANDS },
})

function checkName(name: string, rejectUsage: (message: string) => never): void {
  if (administratorSchema().shape.name.safeParse(name).success) return
  rejectUsage(`${JSON.stringify(name)} is neither usr_… nor provider:account id.`)
}

function parseRole(
  text: string | undefined,
  rejectUsage: (message: string) => never,
): AdminRole | undefined {
  if (text === undefined) return undefined
  const role = ADMIN_ROLES.find((known) => known === text)
  return role ?? rejectUsage(`--role takes ${ADMIN_ROLES.join(' or ')}.`)
}

interface AddReport {
  name: string
  role: string
  /** Whether the user was no administrator, or had another role. */
  changed: boolean
  /** Whether somebody has signed in with this name. */
  isKnown: boolean
  /** The address of the service. */
  origin: string
}

async function addThroughApi(
  api: AdminApi,
  name: string,
  requestedRole: AdminRole | undefined,
): Promise<AddReport> {
  const administrators = await api.list<Administrator>('listAdministrators')
  const present = administrators.find((entry) => entry.name === name && entry.source === 'database')
  const role = requestedRole ?? present?.role ?? 'owner'
  const stored = await api.send('setAdministrator', { id: name, body: { role } })
  return {
    name,
    role,
    changed: present?.role !== role,
    isKnown: stored['user_id'] !== undefined,
    origin: api.url,
  }
}

/** Adds an administrator. The role of one who exists is changed only by the service. */
async function addToStorage(
  { execute, origin }: Storage,
  name: string,
  requestedRole: AdminRole | undefined,
): Promise<AddReport> {
  const role = requestedRole ?? 'owner'
  const quoted = quoteSql(name)
  const presentRole = `(SELECT role FROM administrators WHERE name = ${quoted})`
  const [[status] = []] = await execute([
    `SELECT ${presentRole} AS role, ${userExists(name)} AS registered`,
    auditSql('administrator_added', name, `${presentRole} IS NULL`, role),
    `INSERT OR IGNORE INTO administrators (name, role, created_at, created_by) VALUES (${quoted}, ${quoteSql(role)}, ${nowInSeconds()}, 'operator')`,
  ])
  const present = status?.['role'] ?? undefined
  if (present !== undefined && requestedRole !== undefined && present !== requestedRole) {
    throw new CommandError(
      `${name} is an administrator already, as ${present}. To change the role, run \`npx vestibule-auth connect\`, then this command without --remote.`,
    )
  }
  return {
    name,
    role: String(present ?? role),
    changed: present === undefined,
    isKnown: Boolean(status?.['registered']),
    origin,
  }
}

function userExists(name: string): string {
  if (name.startsWith('usr_')) {
    return `EXISTS (SELECT 1 FROM users WHERE id = ${quoteSql(name)})`
  }
  const separator = name.indexOf(':')
  const provider = quoteSql(name.slice(0, separator))
  const accountId = quoteSql(name.slice(separator + 1))
  return `EXISTS (SELECT 1 FROM accounts WHERE provider = ${provider} AND provider_account_id = ${accountId})`
}
