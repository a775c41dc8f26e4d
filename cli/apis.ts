import { AdminApi, type Resource } from './admin/admin-api.ts'
import { type Command, defineCommand, runSubcommand } from './admin/command.ts'
import { CONFIRMATION_OPTION, confirm } from './admin/confirm.ts'
import { CONNECTION_OPTIONS } from './admin/connection.ts'
import { formatTime, printFields, printJson, printLine, printTable } from './admin/format.ts'
import { REGISTRATION_OPTIONS, readRegistration } from './admin/registration-options.ts'

const INTRODUCTION = `APIs are the services that accept our access tokens. An API is named by its identifier, an address.
APIs that are registered here are stored in the database of the deployment; changes take effect
within a minute. APIs of [[vars.APIS]] in wrangler.toml can be changed only there.`

const ARGUMENT = '<identifier>'

const FIELD_OPTIONS = {
  name: { type: 'string', value: 'NAME', help: 'the name that users see' },
  scope: {
    type: 'string',
    multiple: true,
    value: 'SCOPE=TEXT',
    help: 'a scope, and the sentence about it on the consent page; can be repeated',
  },
  ...REGISTRATION_OPTIONS,
} as const

const SUBCOMMANDS: Record<string, Command> = {
  list: defineCommand({
    summary: 'list all APIs',
    options: CONNECTION_OPTIONS,
    async run({ values }) {
      const api = await AdminApi.open(values)
      const apis = await api.list('/apis')
      if (values.json) return printJson(apis)
      printTable(
        ['identifier', 'name', 'source'],
        apis.map(({ identifier, name, source }) => [identifier, name, source]),
        'There are no APIs. Add one: npx vestibule-auth apis add https://orders.example.com --name Orders',
      )
    },
  }),
  show: defineCommand({
    argument: ARGUMENT,
    summary: 'show the registration of an API',
    options: CONNECTION_OPTIONS,
    async run({ values, argument }) {
      const api = await AdminApi.open(values)
      const registration = await api.send(apiPath(argument))
      if (values.json) return printJson(registration)
      printApi(registration)
    },
  }),
  add: defineCommand({
    argument: ARGUMENT,
    summary: 'register an API',
    details:
      'Example: npx vestibule-auth apis add https://orders.example.com --name Orders --scope "orders:read=See your orders"',
    options: { ...FIELD_OPTIONS, ...CONNECTION_OPTIONS },
    async run({ values, argument, rejectUsage }) {
      const registration = await readRegistration(
        values,
        toFields(values, rejectUsage),
        rejectUsage,
      )
      const api = await AdminApi.open(values)
      const created = await api.send('/apis', {
        method: 'POST',
        body: { ...registration, identifier: argument },
      })
      if (values.json) return printJson(created)
      printLine(`Registered ${argument}.`)
    },
  }),
  update: defineCommand({
    argument: ARGUMENT,
    summary: 'change fields of a registration; lists are replaced',
    options: { ...FIELD_OPTIONS, ...CONNECTION_OPTIONS },
    async run({ values, argument, rejectUsage }) {
      const changes = await readRegistration(values, toFields(values, rejectUsage), rejectUsage)
      if (Object.keys(changes).length === 0) rejectUsage('There is nothing to change.')
      const api = await AdminApi.open(values)
      const registration = await api.send(apiPath(argument), { method: 'PATCH', body: changes })
      if (values.json) return printJson(registration)
      printLine(`Updated ${argument}.`)
      printApi(registration)
    },
  }),
  delete: defineCommand({
    argument: ARGUMENT,
    summary: 'delete a registration',
    options: { ...CONFIRMATION_OPTION, ...CONNECTION_OPTIONS },
    async run({ values, argument, rejectUsage }) {
      const api = await AdminApi.open(values)
      await confirm({
        consequences: `The registration of ${argument} at ${api.url} will be deleted. Within a minute, its scopes are no longer granted. Clients that list it under resources keep it there.`,
        isConfirmed: values.yes,
        rejectUsage,
      })
      await api.send(apiPath(argument), { method: 'DELETE' })
      if (values.json) return printJson({ identifier: argument, deleted: true })
      printLine(`Deleted ${argument}.`)
    },
  }),
}

/** Manages the APIs of a deployment. */
export function runApis(args: string[]): Promise<number> {
  return runSubcommand('apis', INTRODUCTION, SUBCOMMANDS, args)
}

function apiPath(identifier: string): string {
  return `/apis/${encodeURIComponent(identifier)}`
}

interface FieldValues {
  name?: string | undefined
  scope?: string[] | undefined
}

function toFields({ name, scope }: FieldValues, rejectUsage: (message: string) => never): Resource {
  return { name, scopes: scope?.map((assignment) => parseScope(assignment, rejectUsage)) }
}

function parseScope(assignment: string, rejectUsage: (message: string) => never): Resource {
  const separator = assignment.indexOf('=')
  if (separator < 1) return rejectUsage(`--scope takes SCOPE=TEXT, not ${assignment}`)
  return { name: assignment.slice(0, separator), description: assignment.slice(separator + 1) }
}

function printApi({ created_at, updated_at, ...fields }: Resource): void {
  printFields({
    ...fields,
    created_at: formatTime(created_at),
    updated_at: formatTime(updated_at),
  })
}
