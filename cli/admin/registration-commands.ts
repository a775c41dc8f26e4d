import {
  REGISTRATION_FIELDS,
  type StoredRegistration,
} from '../../src/administration/registration-resource.ts'
import type { ShownFields } from '../../src/administration/shown-fields.ts'
import { type Command, defineCommand, type OptionTable } from '../command.ts'
import { AdminApi, type Resource } from './admin-api.ts'
import { CONNECTION_OPTIONS } from './connection.ts'
import { printFields, printJson, printLine } from './format.ts'
import { listCommand, operationCommand } from './operation-command.ts'
import { operationHelp } from './operation-help.ts'
import { RegistrationOptions } from './registration-options.ts'

type Registration = Resource & StoredRegistration

type RejectUsage = (message: string) => never

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
  /** Further options of `add`, which may fill in fields, and print what to do next. */
  addOptions?: OptionTable
  complete?: (registration: Resource, values: Resource, rejectUsage: RejectUsage) => Resource
  printNextSteps?: (values: Resource, id: string, url: string) => void
  /** The arguments of a typical `add`. */
  example: string
  /** Throws if something is wrong that the service cannot know. */
  check?: (registration: Resource) => Promise<void>
  /** Warns about what is valid, but may not work as the operator expects. */
  warn?: (api: AdminApi, registration: Resource) => Promise<void>
  columns?: ShownFields<Registration>
}

/** The commands that list, show, add, change and delete registrations. */
export function registrationCommands(kind: RegistrationKind) {
  const { name, type, idField, nameField, schema, columns = {} } = kind
  const { extraOptions = {}, addOptions = {} } = kind
  const argument = `<${idField}>`
  const fields = new RegistrationOptions(schema, idField)
  const fieldOptions: OptionTable & typeof CONNECTION_OPTIONS = {
    ...extraOptions,
    ...fields.options,
    ...CONNECTION_OPTIONS,
  }
  const readFields = (values: Resource, rejectUsage: RejectUsage) =>
    fields.read(values, kind.extraFields?.(values) ?? {}, rejectUsage)
  return {
    list: listCommand<Registration>(
      `list${type}s`,
      {
        [idField]: (registration) => String(registration[idField]),
        Name: (registration) => String(registration[nameField] ?? registration[idField]),
        ...REGISTRATION_FIELDS,
        ...columns,
      },
      `There are none. Add one: npx vestibule-auth ${name} add ${kind.example}`,
    ),
    show: defineCommand({
      argument,
      ...operationHelp(`get${type}`),
      options: CONNECTION_OPTIONS,
      async run({ values, argument: id }) {
        const api = await AdminApi.open(values)
        const registration = await api.send(`get${type}`, { id })
        if (values.json) return printJson(registration)
        printFields(registration)
      },
    }),
    add: defineCommand({
      argument,
      ...operationHelp(`create${type}`),
      details: `Example: npx vestibule-auth ${name} add ${kind.example}`,
      options: { ...addOptions, ...fieldOptions },
      async run({ values, argument: id, rejectUsage }) {
        const given = await readFields(values, rejectUsage)
        const registration = kind.complete?.(given, values, rejectUsage) ?? given
        await kind.check?.(registration)
        const api = await AdminApi.open(values)
        const body = { ...registration, [idField]: id }
        const created = await api.send(`create${type}`, { body })
        await kind.warn?.(api, body)
        if (values.json) return printJson(created)
        if (type === 'Api') printLine(`Registered ${id}.`)
        else printSecret(type === 'Client' ? 'client' : 'webhook', id, created)
        kind.printNextSteps?.(values, id, api.url)
      },
    }),
    update: defineCommand({
      argument,
      ...operationHelp(`update${type}`),
      options: fieldOptions,
      async run({ values, argument: id, rejectUsage }) {
        const changes = await readFields(values, rejectUsage)
        if (Object.keys(changes).length === 0) rejectUsage('There is nothing to change.')
        await kind.check?.(changes)
        const api = await AdminApi.open(values)
        const registration = await api.send(`update${type}`, { id, body: changes })
        await kind.warn?.(api, { ...changes, [idField]: id })
        if (values.json) return printJson(registration)
        printLine(`Updated ${id}.`)
        printFields(registration)
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

interface SecretTexts {
  /** What happens to the oldest secret, if there are three already. */
  replaced: string
  created: string
  /** The text instead, if the former secrets cannot be used any more. */
  createdAlone?: string
  removed: (id: string) => string
}

/** The commands for the secrets of clients and webhooks. */
export function secretCommands(type: 'Client' | 'Webhook', texts: SecretTexts) {
  const noun = type === 'Client' ? 'client' : 'webhook'
  const common = { argument: `<${noun}_id>`, lookup: `get${type}` } as const
  return {
    'rotate-secret': operationCommand(`rotate${type}Secret`, {
      ...common,
      isDanger: replacesSecret,
      print: (id, response) => printSecret(noun, id, response),
      text: (id, record, _part, { secret_count: count }) =>
        count === 1 && texts.createdAlone !== undefined
          ? texts.createdAlone
          : `${replacesSecret(record) ? `${texts.replaced} ` : ''}${texts.created}, run \`npx vestibule-auth ${noun}s remove-former-secret ${id}\`.`,
    }),
    'remove-former-secret': operationCommand(`removeFormer${type}Secret`, {
      ...common,
      refusal: (id, record) =>
        hasFormerSecret(record) ? undefined : `${id} has no former secret.`,
      text: texts.removed,
    }),
  }
}

/** Whether there is a former secret, next to the present one. */
function hasFormerSecret({ secret_count: count }: Resource): boolean {
  return Number(count) > 1
}

/** Whether a new secret ends the oldest one. */
function replacesSecret({ secret_count: count }: Resource): boolean {
  return Number(count) > 2
}

/** Prints the secret in a response, which cannot be shown again. */
function printSecret(noun: 'client' | 'webhook', id: string, response: Resource): void {
  const secret = response[`${noun}_secret`]
  printFields({
    [`${noun}_id`]: id,
    [`${noun}_secret`]:
      secret === undefined ? 'none (it is a public client, or has keys)' : `${secret} (shown once)`,
  })
}
