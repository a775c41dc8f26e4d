import { AdminApi, type Resource } from './admin/admin-api.ts'
import { type Command, defineCommand, runSubcommand } from './admin/command.ts'
import { CONFIRMATION_OPTION, confirm } from './admin/confirm.ts'
import { CONNECTION_OPTIONS } from './admin/connection.ts'
import { formatTime, printFields, printJson, printLine, printTable } from './admin/format.ts'
import { moveClients } from './admin/move-clients.ts'
import { REGISTRATION_OPTIONS, readRegistration } from './admin/registration-options.ts'

const INTRODUCTION = `Clients are the apps that users sign in to. Clients that are registered here are stored in the
database of the deployment; changes take effect within a minute, without deploying. Clients of
[[vars.CLIENTS]] in wrangler.toml are listed, but can be changed only there.`

const ARGUMENT = '<client_id>'

const FIELD_OPTIONS = {
  name: { type: 'string', value: 'NAME', help: 'the name that users see' },
  redirect: {
    type: 'string',
    multiple: true,
    value: 'URL',
    help: 'where users return to after signing in; can be repeated',
  },
  'post-logout-redirect': {
    type: 'string',
    multiple: true,
    value: 'URL',
    help: 'where users return to after signing out; can be repeated',
  },
  resource: {
    type: 'string',
    multiple: true,
    value: 'URL',
    help: 'an API that the client may request tokens for; can be repeated',
  },
  scope: { type: 'string', value: 'SCOPES', help: 'the scopes it may have, separated by spaces' },
  'first-party': {
    type: 'boolean',
    help: 'your own app: its users are not asked for consent',
  },
  public: {
    type: 'boolean',
    help: 'it cannot keep a secret, such as an app in the browser, and uses PKCE only',
  },
  machine: {
    type: 'boolean',
    help: 'it acts for itself, not for users (client_credentials)',
  },
  ...REGISTRATION_OPTIONS,
} as const

interface FieldValues {
  name?: string | undefined
  redirect?: string[] | undefined
  'post-logout-redirect'?: string[] | undefined
  resource?: string[] | undefined
  scope?: string | undefined
  'first-party'?: boolean | undefined
  public?: boolean | undefined
  machine?: boolean | undefined
  set?: string[] | undefined
  file?: string | undefined
}

const SUBCOMMANDS: Record<string, Command> = {
  list: defineCommand({
    summary: 'list all clients',
    options: CONNECTION_OPTIONS,
    async run({ values }) {
      const api = await AdminApi.open(values)
      const clients = await api.list('/clients')
      if (values.json) return printJson(clients)
      printTable(
        ['client_id', 'name', 'source', 'status'],
        clients.map((client) => [
          client['client_id'],
          client['client_name'] ?? client['client_id'],
          client['source'],
          describeStatus(client),
        ]),
        'There are no clients. Add one: npx vestibule-auth clients add shop --redirect https://…',
      )
    },
  }),
  show: defineCommand({
    argument: ARGUMENT,
    summary: 'show the registration of a client',
    options: CONNECTION_OPTIONS,
    async run({ values, argument }) {
      const api = await AdminApi.open(values)
      const client = await api.send(clientPath(argument))
      if (values.json) return printJson(client)
      printClient(client)
    },
  }),
  add: defineCommand({
    argument: ARGUMENT,
    summary: 'register a client, and print its secret',
    details: `Example: npx vestibule-auth clients add shop --name "The shop" --redirect https://shop.example.com/callback`,
    options: { ...FIELD_OPTIONS, ...CONNECTION_OPTIONS },
    async run({ values, argument, rejectUsage }) {
      const registration = await readRegistration(values, toFields(values), rejectUsage)
      const api = await AdminApi.open(values)
      const created = await api.send('/clients', {
        method: 'POST',
        body: { ...registration, client_id: argument },
      })
      if (values.json) return printJson(created)
      printSecret({ client_id: argument, client_secret: created['client_secret'] })
    },
  }),
  update: defineCommand({
    argument: ARGUMENT,
    summary: 'change fields of a registration; lists are replaced',
    options: { ...FIELD_OPTIONS, ...CONNECTION_OPTIONS },
    async run({ values, argument, rejectUsage }) {
      const changes = await readRegistration(values, toFields(values), rejectUsage)
      if (Object.keys(changes).length === 0) rejectUsage('There is nothing to change.')
      const api = await AdminApi.open(values)
      const client = await api.send(clientPath(argument), { method: 'PATCH', body: changes })
      if (values.json) return printJson(client)
      printLine(`Updated ${argument}.`)
      printClient(client)
    },
  }),
  disable: defineCommand({
    argument: ARGUMENT,
    summary: 'reject all requests of a client, until it is enabled again',
    options: { ...CONFIRMATION_OPTION, ...CONNECTION_OPTIONS },
    async run({ values, argument, rejectUsage }) {
      const api = await AdminApi.open(values)
      await confirm({
        consequences: `Within a minute, nobody can sign in to ${argument} at ${api.url}, and its tokens can no longer be refreshed. Access tokens that APIs verify themselves are accepted until they expire. Its registration is kept.`,
        isConfirmed: values.yes,
        rejectUsage,
      })
      const client = await api.send(`${clientPath(argument)}/disable`, { method: 'POST' })
      if (values.json) return printJson(client)
      printLine(`Disabled ${argument}.`)
    },
  }),
  enable: defineCommand({
    argument: ARGUMENT,
    summary: 'accept the requests of a disabled client again',
    options: CONNECTION_OPTIONS,
    async run({ values, argument }) {
      const api = await AdminApi.open(values)
      const client = await api.send(`${clientPath(argument)}/enable`, { method: 'POST' })
      if (values.json) return printJson(client)
      printLine(`Enabled ${argument}.`)
    },
  }),
  'rotate-secret': defineCommand({
    argument: ARGUMENT,
    summary: 'create a new secret; the former one stays valid until it is removed',
    options: CONNECTION_OPTIONS,
    async run({ values, argument }) {
      const api = await AdminApi.open(values)
      const result = await api.send(`${clientPath(argument)}/rotate-secret`, { method: 'POST' })
      if (values.json) return printJson(result)
      printSecret({ client_id: argument, client_secret: result['client_secret'] })
      printLine(
        `The new secret works within a minute. The former secret stays valid: once the app uses the new one, run \`npx vestibule-auth clients remove-former-secret ${argument}\`.`,
      )
    },
  }),
  'remove-former-secret': defineCommand({
    argument: ARGUMENT,
    summary: 'accept only the newest secret',
    options: CONNECTION_OPTIONS,
    async run({ values, argument }) {
      const api = await AdminApi.open(values)
      const path = `${clientPath(argument)}/remove-former-secret`
      const client = await api.send(path, { method: 'POST' })
      if (values.json) return printJson(client)
      printLine(`Within a minute, ${argument} is accepted only with its newest secret.`)
    },
  }),
  delete: defineCommand({
    argument: ARGUMENT,
    summary: 'delete a registration',
    options: { ...CONFIRMATION_OPTION, ...CONNECTION_OPTIONS },
    async run({ values, argument, rejectUsage }) {
      const api = await AdminApi.open(values)
      await confirm({
        consequences: `The registration and the secrets of ${argument} at ${api.url} will be deleted. Within a minute, nobody can sign in to it, and its tokens can no longer be refreshed. To stop it temporarily, disable it instead.`,
        isConfirmed: values.yes,
        rejectUsage,
      })
      await api.send(clientPath(argument), { method: 'DELETE' })
      if (values.json) return printJson({ client_id: argument, deleted: true })
      printLine(`Deleted ${argument}.`)
    },
  }),
  move: moveClients,
}

/** Manages the clients of a deployment. */
export function runClients(args: string[]): Promise<number> {
  return runSubcommand('clients', INTRODUCTION, SUBCOMMANDS, args)
}

function clientPath(clientId: string): string {
  return `/clients/${encodeURIComponent(clientId)}`
}

function toFields(values: FieldValues): Resource {
  return {
    client_name: values.name,
    redirect_uris: values.redirect,
    post_logout_redirect_uris: values['post-logout-redirect'],
    resources: values.resource,
    scope: values.scope,
    first_party: values['first-party'],
    token_endpoint_auth_method: values.public ? 'none' : undefined,
    grant_types: values.machine ? ['client_credentials'] : undefined,
  }
}

function describeStatus(client: Resource): string {
  return client['disabled_at'] ? `disabled since ${formatTime(client['disabled_at'])}` : 'enabled'
}

function printClient({ disabled_at, created_at, updated_at, ...fields }: Resource): void {
  printFields({
    ...fields,
    disabled_at: formatTime(disabled_at),
    created_at: formatTime(created_at),
    updated_at: formatTime(updated_at),
  })
}

function printSecret({ client_secret: secret, ...fields }: Resource): void {
  printFields({
    ...fields,
    client_secret:
      secret === undefined ? 'none (it is a public client, or has keys)' : `${secret} (shown once)`,
  })
}
