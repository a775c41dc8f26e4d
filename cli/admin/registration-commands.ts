import { AdminApi, type Resource } from './admin-api.ts'
import { type Command, defineCommand, type OptionTable } from './command.ts'
import { CONFIRMATION_OPTION, confirm } from './confirm.ts'
import { CONNECTION_OPTIONS } from './connection.ts'
import { formatTime, printFields, printJson, printLine, printTable } from './format.ts'
import { RegistrationOptions } from './registration-options.ts'

/** Clients and APIs have the same commands. */
interface RegistrationKind {
  path: '/clients' | '/apis'
  noun: string
  idField: 'client_id' | 'identifier'
  nameField: string
  schema: ConstructorParameters<typeof RegistrationOptions>[0]
  /** Further options of `add` and `update`, and the fields that they set. */
  extraOptions?: OptionTable
  extraFields?: (values: Resource) => Resource
  /** The arguments of a typical `add`. */
  example: string
  columns: Record<string, (registration: Resource) => unknown>
  /** What happens when a registration is deleted, in sentences. */
  deletion: string
}

/** The commands that list, show, add, change and delete registrations. */
export function registrationCommands(kind: RegistrationKind) {
  const { path, noun, idField, nameField, schema, extraOptions = {}, columns } = kind
  const name = path.slice(1)
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
      summary: `list all ${noun}s`,
      options: CONNECTION_OPTIONS,
      async run({ values }) {
        const api = await AdminApi.open(values)
        const registrations = await api.list(path)
        if (values.json) return printJson(registrations)
        printTable(
          [idField, 'name', 'source', ...Object.keys(columns)],
          registrations.map((registration) => [
            registration[idField],
            registration[nameField] ?? registration[idField],
            registration['source'],
            ...Object.values(columns).map((column) => column(registration)),
          ]),
          `There are no ${noun}s. Add one: npx vestibule-auth ${name} add ${kind.example}`,
        )
      },
    }),
    show: defineCommand({
      argument,
      summary: `show the registration of a ${noun}`.replace('a API', 'an API'),
      options: CONNECTION_OPTIONS,
      async run({ values, argument: id }) {
        const api = await AdminApi.open(values)
        const registration = await api.send(registrationPath(path, id))
        if (values.json) return printJson(registration)
        printRegistration(registration)
      },
    }),
    add: defineCommand({
      argument,
      summary: noun === 'client' ? 'register a client, and print its secret' : 'register an API',
      details: `Example: npx vestibule-auth ${name} add ${kind.example}`,
      options: fieldOptions,
      async run({ values, argument: id, rejectUsage }) {
        const registration = await readFields(values, rejectUsage)
        const api = await AdminApi.open(values)
        const body = { ...registration, [idField]: id }
        const created = await api.send(path, { method: 'POST', body })
        if (values.json) return printJson(created)
        if (noun === 'client') printSecret(id, created)
        else printLine(`Registered ${id}.`)
      },
    }),
    update: defineCommand({
      argument,
      summary: 'change fields of a registration; lists are replaced',
      options: fieldOptions,
      async run({ values, argument: id, rejectUsage }) {
        const changes = await readFields(values, rejectUsage)
        if (Object.keys(changes).length === 0) rejectUsage('There is nothing to change.')
        const api = await AdminApi.open(values)
        const request = { method: 'PATCH', body: changes } as const
        const registration = await api.send(registrationPath(path, id), request)
        if (values.json) return printJson(registration)
        printLine(`Updated ${id}.`)
        printRegistration(registration)
      },
    }),
    delete: defineCommand({
      argument,
      summary: 'delete a registration',
      options: { ...CONFIRMATION_OPTION, ...CONNECTION_OPTIONS },
      async run({ values, argument: id, rejectUsage }) {
        const api = await AdminApi.open(values)
        await confirm({
          consequences: `The registration of ${id} at ${api.url} will be deleted. ${kind.deletion}`,
          isConfirmed: values.yes,
          rejectUsage,
        })
        await api.send(registrationPath(path, id), { method: 'DELETE' })
        if (values.json) return printJson({ [idField]: id, deleted: true })
        printLine(`Deleted ${id}.`)
      },
    }),
  } satisfies Record<string, Command>
}

/** The path of one registration in the admin API. */
export function registrationPath(path: RegistrationKind['path'], id: string): string {
  return `${path}/${encodeURIComponent(id)}`
}

/** Prints the secret in a response, which cannot be shown again. */
export function printSecret(clientId: string, { client_secret: secret }: Resource): void {
  printFields({
    client_id: clientId,
    client_secret:
      secret === undefined ? 'none (it is a public client, or has keys)' : `${secret} (shown once)`,
  })
}

function printRegistration({ disabled_at, created_at, updated_at, ...fields }: Resource): void {
  printFields({
    ...fields,
    disabled_at: formatTime(disabled_at),
    created_at: formatTime(created_at),
    updated_at: formatTime(updated_at),
  })
}
