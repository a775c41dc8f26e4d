import { BLOCK_REASON } from '../src/features/admin/operations/operation-table.ts'
import { endedSessions, USER_FIELDS, type User } from '../src/features/admin/resources/user.ts'
import { objectsIn } from '../src/foundation/values/json.ts'
import { AdminApi, type Resource } from './admin/admin-api.ts'
import { CONNECTION_OPTIONS } from './admin/connection.ts'
import { printFields, printJson, printLine, printTable, withTimes } from './admin/format.ts'
import { importUsers } from './admin/import-users.ts'
import { LIMIT_OPTION, parseLimit, reportIfCut } from './admin/limit.ts'
import { operationCommand } from './admin/operation-command.ts'
import { operationHelp } from './admin/operation-help.ts'
import { type Command, defineCommand, defineGroup, type OptionValues } from './command.ts'

const INTRODUCTION = `Users are named by their id, usr_…, which \`list\` and \`find\` return.`

const ARGUMENT = '<usr_…>'

/** The format of the ids that the service creates. */
const USER_ID = /^usr_[\w-]{22}$/

const INCOMPLETE_BLOCK =
  'The database and the sessions of the user disagree about the block: it was interrupted, or the database was restored. Run `users block` or `users unblock`.'

/** What fits on a screen. */
const DEFAULT_LIMIT = 20

const LIST_OPTIONS = { ...LIMIT_OPTION, ...CONNECTION_OPTIONS }

const COMMANDS: Record<string, Command> = {
  list: defineCommand({
    summary: 'List the users, the newest first',
    details: `Without --limit, the newest ${DEFAULT_LIMIT}.`,
    options: {
      blocked: { type: 'boolean', help: 'only blocked users, those who were blocked last first' },
      ...LIST_OPTIONS,
    },
    run: ({ values, rejectUsage }) =>
      listUsers({ list: values.blocked ? 'blocked' : undefined }, values, rejectUsage),
  }),
  find: defineCommand({
    argument: '<text>',
    ...operationHelp('searchUsers'),
    details: `Names and usernames are found by any part, addresses by their beginning; everything else has to be complete.
An id that begins with a hyphen needs two more before it: npx vestibule-auth users find -- -000… Without --limit, the
first ${DEFAULT_LIMIT}.`,
    options: LIST_OPTIONS,
    run: ({ values, argument, rejectUsage }) => listUsers({ query: argument }, values, rejectUsage),
  }),
  show: defineCommand({
    argument: ARGUMENT,
    ...operationHelp('getUser'),
    options: CONNECTION_OPTIONS,
    async run({ values, argument: id, rejectUsage }) {
      checkUserId(id, rejectUsage)
      const api = await AdminApi.open(values)
      const user = await api.send('getUser', { id })
      if (values.json) return printJson(user)
      printUser(user)
    },
  }),
  block: operationCommand('blockUser', {
    argument: ARGUMENT,
    checkId: checkUserId,
    bodyOption: {
      name: BLOCK_REASON.name,
      value: 'TEXT',
      help: `why, in at most ${BLOCK_REASON.maxLength} characters. ${BLOCK_REASON.hint}`,
    },
    json: (id) => ({ id, blocked: true }),
    text: (id, _, __, response) => `Blocked ${id}.${describeEnded(response)}`,
  }),
  unblock: operationCommand('unblockUser', {
    argument: ARGUMENT,
    checkId: checkUserId,
    json: (id) => ({ id, blocked: false }),
    text: (id) => `Unblocked ${id}. The user has to sign in again.`,
  }),
  'end-sessions': defineCommand({
    argument: ARGUMENT,
    ...operationHelp('endUserSessions'),
    options: {
      sid: { type: 'string', value: 'SID', help: 'end only this session, which `show` lists' },
      ...CONNECTION_OPTIONS,
    },
    async run({ values, argument: id, rejectUsage }) {
      checkUserId(id, rejectUsage)
      const { sid } = values
      const api = await AdminApi.open(values)
      const response =
        sid === undefined
          ? await api.send('endUserSessions', { id })
          : await api.send('endUserSession', { id, sid })
      if (values.json) return printJson({ id, ended: sid ?? 'all', ...response })
      printLine(
        sid === undefined
          ? `Ended all sessions of ${id}.${describeEnded(response)}`
          : `Ended the session ${sid}.`,
      )
    },
  }),
  'revoke-client': operationCommand('revokeUserClient', {
    argument: ARGUMENT,
    checkId: checkUserId,
    option: { name: 'client', value: 'CLIENT_ID', help: 'the client, which `show` lists' },
    subject: (id, client) => `${client} and ${id}`,
    json: (id, client) => ({ id, revoked: client }),
    text: (id, _, client) => `Revoked the access of ${client} to ${id}.`,
  }),
  'remove-account': operationCommand('removeUserAccount', {
    argument: ARGUMENT,
    checkId: checkUserId,
    option: { name: 'account', value: 'PROVIDER:ID', help: 'the account, which `show` lists' },
    subject: (id, account) => `${account} of ${id}`,
    json: (id, account) => ({ id, removed: account }),
    text: (id, _, account) => `Removed ${account} of ${id}.`,
  }),
  'reset-second-factor': operationCommand('resetTotp', {
    argument: ARGUMENT,
    checkId: checkUserId,
    json: (id) => ({ id, second_factor: false }),
    text: (id) => `Removed the second factor of ${id}, and signed the user out.`,
  }),
  delete: operationCommand('deleteUser', {
    argument: ARGUMENT,
    checkId: checkUserId,
    lookup: 'getUser',
    json: (id) => ({ id, deleted: true }),
    text: (id) => `Deleted ${id}.`,
  }),
  export: defineCommand({
    argument: ARGUMENT,
    ...operationHelp('exportUser'),
    options: CONNECTION_OPTIONS,
    async run({ values, argument: id, rejectUsage }) {
      checkUserId(id, rejectUsage)
      const api = await AdminApi.open(values)
      printJson(await api.send('exportUser', { id }))
    },
  }),
  import: importUsers,
}

/** Manages the users of a deployment. */
export const users = defineGroup({
  summary: 'Find, block, delete, export and import users',
  introduction: INTRODUCTION,
  commands: COMMANDS,
})

async function listUsers(
  query: { query?: string; list?: string | undefined },
  values: OptionValues<typeof LIST_OPTIONS>,
  rejectUsage: (message: string) => never,
): Promise<void> {
  const limit = parseLimit(values.limit, rejectUsage) ?? DEFAULT_LIMIT
  const api = await AdminApi.open(values)
  const list = await api.listUpTo<User>(limit, 'searchUsers', query)
  reportIfCut(list)
  if (values.json) return printJson(list.items)
  printTable(
    list.items,
    { ID: ({ id }) => id, Name: ({ name }) => name, ...USER_FIELDS },
    'No user was found.',
  )
}

/** How many sessions have ended, if the service says so. */
function describeEnded({ sessions_ended: count }: Resource): string {
  return typeof count === 'number' && count > 0 ? ` ${endedSessions(count)}` : ''
}

/** Rejects what is not the id of a user. */
export function checkUserId(id: string, rejectUsage: (message: string) => never): void {
  if (USER_ID.test(id)) return
  rejectUsage(
    `${JSON.stringify(id)} is not the id of a user. Ids begin with usr_; \`npx vestibule-auth users find\` finds them.`,
  )
}

function printUser(user: Resource): void {
  const { accounts, passkeys, sessions, consents, grants, ...rest } = user
  const { recent_sign_ins: signIns, is_block_incomplete: isBlockIncomplete, ...fields } = rest
  printFields(fields)
  if (isBlockIncomplete) printLine(INCOMPLETE_BLOCK)
  printSection('Accounts', accounts)
  printSection('Passkeys', passkeys)
  printSection('Sessions', sessions)
  printSection('Consents', consents)
  printSection('Grants', grants)
  printSection('Recent sign-ins', signIns)
}

function printSection(heading: string, value: unknown): void {
  const items = objectsIn(value)
  printLine(`${heading}${items.length === 0 ? ': none' : ''}`)
  for (const item of items) {
    const fields = Object.entries(withTimes(item)).filter(
      ([, field]) => field !== null && !(Array.isArray(field) && field.length === 0),
    )
    printLine(`  ${fields.map(([name, field]) => `${name}=${describe(field)}`).join('  ')}`)
  }
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return value.map(describe).join(',')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
