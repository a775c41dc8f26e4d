import { type Command, defineCommand, type OptionTable } from '../command.ts'
import { AdminApi, type Resource } from './admin-api.ts'
import { CONNECTION_OPTIONS } from './connection.ts'
import { formatTime, printFields, printJson, printLine, printTable } from './format.ts'
import { operationCommand } from './operation-command.ts'
import { operationHelp } from './operation-help.ts'
import { RegistrationOptions } from './registration-options.ts'

/** Clients, APIs and webhooks have the same commands. */
interface RegistrationKind {
  /** The name of the commands. */
  name: 'clients' | 'apis' | 'webhooks'
  /** Part of the ids of operations. */
  type: 'Client' | 'Api' | 'Webhook'
  idField: 'client_id' | 'identifier' | 'webhook_id'
  nameField: string
  schema: ConstructorParameters<typeof RegistrationOptions>[0]
  /** Further options of `add` and `update`, and the fields that they set. */
  extraOptions?: OptionTable
  extraFields?: (values: Resource) => Resource
  /** The arguments of a typical `add`. */
  example: string
  /** Warns about what is valid, but may not work as the operator expects. */
  warn?: (api: AdminApi, registration: Resource) => Promise<void>
  columns: Record<string, (registration: Resource) => unknown>
}

/** The commands that list, show, add, change and delete registrations. */
export function registrationCommands(kind: RegistrationKind) {
  const { name, type, idField, nameField, schema, extraOptions = {}, columns } = kind
  const argument = `<${idField}>`
  const fields = new RegistrationOptions(schema, idField)
  const fieldOptions: OptionTable & typeof CONNECTION_OPTIONS = {
    ...extraOptions,
    ...fields.options,
    ...CONNECTION_OPTIONS,
  }
  const readFields = (values: Resource, rejectUsage: (message: string) => never) =>
    fields.read(values, kind.extraFields?.(values) ?? {}, rejectUsage)
  return {
    list: defineCommand({
      ...operationHelp(`list${type}s`),
      options: CONNECTION_OPTIONS,
      async run({ values }) {
        const api = await AdminApi.open(values)
        const registrations = await api.list(`list${type}s`)
        if (values.json) return printJson(registrations)
        printTable(
          [idField, 'name', 'source', ...Object.keys(columns)],
          registrations.map((registration) => [
            registration[idField],
            registration[nameField] ?? registration[idField],
            registration['source'],
            ...Object.values(columns).map((column) => column(registration)),
          ]),
          `There are none. Add one: npx vestibule-auth ${name} add ${kind.example}`,
        )
      },
    }),
    show: defineCommand({
      argument,
      ...operationHelp(`get${type}`),
      options: CONNECTION_OPTIONS,
      async run({ values, argument: id }) {
        const api = await AdminApi.open(values)
        const registration = await api.send(`get${type}`, { id })
        if (values.json) return printJson(registration)
        printRegistration(registration)
      },
    }),
    add: defineCommand({
      argument,
      ...operationHelp(`create${type}`),
      details: `Example: npx vestibule-auth ${name} add ${kind.example}`,
      options: fieldOptions,
      async run({ values, argument: id, rejectUsage }) {
        const registration = await readFields(values, rejectUsage)
        const api = await AdminApi.open(values)
        const body = { ...registration, [idField]: id }
        const created = await api.send(`create${type}`, { body })
        await kind.warn?.(api, body)
        if (values.json) return printJson(created)
        if (type === 'Api') printLine(`Registered ${id}.`)
        else printSecret(type === 'Client' ? 'client' : 'webhook', id, created)
      },
    }),
    update: defineCommand({
      argument,
      ...operationHelp(`update${type}`),
      options: fieldOptions,
      async run({ values, argument: id, rejectUsage }) {
        const changes = await readFields(values, rejectUsage)
        if (Object.keys(changes).length === 0) rejectUsage('There is nothing to change.')
        const api = await AdminApi.open(values)
        const registration = await api.send(`update${type}`, { id, body: changes })
        await kind.warn?.(api, { ...changes, [idField]: id })
        if (values.json) return printJson(registration)
        printLine(`Updated ${id}.`)
        printRegistration(registration)
      },
    }),
    delete: operationCommand(`delete${type}`, {
      argument,
      lookup: `get${type}`,
      json: (id) => ({ [idField]: id, deleted: true }),
      text: (id) => `Deleted ${id}.`,
    }),
  } satisfies Record<string, Command>
}

/** Whether there is a former secret, next to the present one. */
export function hasFormerSecret({ secret_count: count }: Resource): boolean {
  return Number(count) > 1
}

/** Why a former secret cannot be removed. */
export function refuseWithoutFormerSecret(id: string, record: Resource): string | undefined {
  return hasFormerSecret(record) ? undefined : `${id} has no former secret.`
}

/** Prints the secret in a response, which cannot be shown again. */
export function printSecret(noun: 'client' | 'webhook', id: string, response: Resource): void {
  const secret = response[`${noun}_secret`]
  printFields({
    [`${noun}_id`]: id,
    [`${noun}_secret`]:
      secret === undefined ? 'none (it is a public client, or has keys)' : `${secret} (shown once)`,
  })
}

function printRegistration(registration: Resource): void {
  const { disabled_at, created_at, updated_at, unsent_since, ...fields } = registration
  printFields({
    ...fields,
    unsent_since: formatTime(unsent_since),
    disabled_at: formatTime(disabled_at),
    created_at: formatTime(created_at),
    updated_at: formatTime(updated_at),
  })
}
