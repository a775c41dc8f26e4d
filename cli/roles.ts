import type { Role, RoleUser } from '../src/features/roles/resource.ts'
import { AdminApi } from './admin/admin-api.ts'
import { confirm } from './admin/confirm.ts'
import { CONNECTION_OPTIONS } from './admin/connection.ts'
import { printJson, printLine } from './admin/format.ts'
import { LIMIT_OPTION, parseLimit } from './admin/limit.ts'
import { listCommand, operationCommand } from './admin/operation-command.ts'
import { operationHelp } from './admin/operation-help.ts'
import { printList } from './admin/table.ts'
import { type Command, defineCommand, defineGroup } from './command.ts'
import { checkUserId } from './users.ts'

const INTRODUCTION = `Roles are what users may do in your apps and APIs, whose tokens name them. The deployment declares their
names: docs/roles.md. They are not the roles of administrators, which \`admins\` changes.`

const ARGUMENT = '<usr_…>'

const ROLE_OPTION = {
  name: 'role',
  value: 'NAME',
  help: 'one of those that `list` returns',
} as const

const DEFAULT_LIMIT = 50

const COMMANDS: Record<string, Command> = {
  list: listCommand<Role>('listRoles', { Name: ({ name }) => name }, 'There are no roles.'),
  users: defineCommand({
    argument: '<role>',
    ...operationHelp('listRoleUsers'),
    options: { ...LIMIT_OPTION, ...CONNECTION_OPTIONS },
    async run({ values, argument: role, rejectUsage }) {
      const limit = parseLimit(values.limit, rejectUsage) ?? DEFAULT_LIMIT
      const api = await AdminApi.open(values)
      const list = await api.listUpTo<RoleUser>(limit, 'listRoleUsers', {}, role)
      printList(
        list,
        values,
        { ID: ({ id }) => id, Name: ({ name }) => ({ name }) },
        `Nobody has the role ${role}.`,
      )
    },
  }),
  give: operationCommand('giveRole', {
    argument: ARGUMENT,
    checkId: checkUserId,
    option: ROLE_OPTION,
    text: (id, _, role) => `${id} has the role ${role}.`,
  }),
  take: defineCommand({
    argument: ARGUMENT,
    ...operationHelp('takeRole'),
    options: {
      role: { type: 'string', ...ROLE_OPTION },
      'keep-tokens': {
        type: 'boolean',
        help: 'let tokens that have the role expire, instead of ending them',
      },
      ...CONNECTION_OPTIONS,
    },
    async run({ values, argument: id, rejectUsage }) {
      checkUserId(id, rejectUsage)
      const { role, 'keep-tokens': keepsTokens = false } = values
      if (!role) return rejectUsage('--role is required.')
      const operationId = keepsTokens ? 'takeRoleLater' : 'takeRole'
      const api = await AdminApi.open(values)
      if (!keepsTokens) {
        const subject = `${role} of ${id} at ${api.url}`
        await confirm({ operationId, subject, isConfirmed: values.yes })
      }
      const response = await api.send(operationId, { id, role })
      if (values.json) return printJson(response)
      printLine(`${id} does not have the role ${role} any more.`)
    },
  }),
}

/** Manages the roles of users in the operator's apps. */
export const roles = defineGroup({
  summary: 'Give users roles in your apps, and take them away',
  introduction: INTRODUCTION,
  commands: { Commands: COMMANDS },
})
