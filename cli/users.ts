import { BLOCK_REASON } from '../src/features/admin/operations/operation-table.ts'
import {
  endedSessions,
  USER_FIELDS,
  type User,
  type UserDetails,
} from '../src/features/admin/resources/user.ts'
import { AdminApi, type Resource } from './admin/admin-api.ts'
import { CONNECTION_OPTIONS } from './admin/connection.ts'
import { printJson, printLine } from './admin/format.ts'
import { importUsers } from './admin/import-users.ts'
import { LIMIT_OPTION, parseLimit } from './admin/limit.ts'
import { operationCommand } from './admin/operation-command.ts'
import { operationHelp } from './admin/operation-help.ts'
import { printUser } from './admin/print-user.ts'
import { printList } from './admin/table.ts'
import { type Command, defineCommand, defineGroup, type OptionValues } from './command.ts'

const INTRODUCTION = `Users are named by their id, usr_…, which \`list\` and \`find\` return.`

const ARGUMENT = '<usr_…>'

/** The format of the ids that the service creates. */
const USER_ID = /^usr_[\w-]{22}$/

/** What fits on a screen. */
const DEFAULT_LIMIT = 20

/** How many entries of the audit log `show` prints. */
const ACTIVITY_LENGTH = 15

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
    summary: 'Show who a user is, what happened, sessions, ways to sign in, and apps',
    options: CONNECTION_OPTIONS,
    async run({ values, argument: id, rejectUsage }) {
      checkUserId(id, rejectUsage)
      const api = await AdminApi.open(values)
      const [user, { items: activity }] = await Promise.all([
        api.send<UserDetails>('getUser', { id }),
        api.listUpTo(ACTIVITY_LENGTH, 'listAuditEntries', { subject: id }),
      ])
      if (values.json) printJson({ ...user, activity })
      else printUser(user, activity)
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
  commands: { Commands: COMMANDS },
})

async function listUsers(
  query: { query?: string; list?: string | undefined },
  values: OptionValues<typeof LIST_OPTIONS>,
  rejectUsage: (message: string) => never,
): Promise<void> {
  const limit = parseLimit(values.limit, rejectUsage) ?? DEFAULT_LIMIT
  const api = await AdminApi.open(values)
  const list = await api.listUpTo<User>(limit, 'searchUsers', query)
  printList(
    list,
    values,
    { ID: ({ id }) => ({ id }), Name: ({ name }) => ({ name }), ...USER_FIELDS },
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
