import { clientSchema } from '../src/config/clients.ts'
import { AdminApi } from './admin/admin-api.ts'
import { type Command, defineCommand, runSubcommand } from './admin/command.ts'
import { CONFIRMATION_OPTION, confirm } from './admin/confirm.ts'
import { CONNECTION_OPTIONS } from './admin/connection.ts'
import { formatTime, printJson, printLine } from './admin/format.ts'
import { moveClients } from './admin/move-clients.ts'
import {
  printSecret,
  registrationCommands,
  registrationPath,
} from './admin/registration-commands.ts'

const INTRODUCTION = `Clients are the apps that users sign in to. Clients that are registered here are stored in the
database of the deployment; changes take effect within a minute, without deploying. Clients of
[[vars.CLIENTS]] in wrangler.toml are listed, but can be changed only there.`

const ARGUMENT = '<client_id>'

const { delete: deleteClient, ...commonCommands } = registrationCommands({
  path: '/clients',
  noun: 'client',
  idField: 'client_id',
  nameField: 'client_name',
  schema: clientSchema,
  extraOptions: {
    public: {
      type: 'boolean',
      help: 'it cannot keep a secret, such as an app in the browser, and uses PKCE only',
    },
    machine: { type: 'boolean', help: 'it acts for itself, not for users (client_credentials)' },
  },
  extraFields: (values) => ({
    ...(values['public'] === true && { token_endpoint_auth_method: 'none' }),
    ...(values['machine'] === true && { grant_types: ['client_credentials'] }),
  }),
  example: 'shop --name "The shop" --redirect https://shop.example.com/callback',
  columns: {
    status: ({ disabled_at }) =>
      disabled_at ? `disabled since ${formatTime(disabled_at)}` : 'enabled',
  },
  deletion:
    'Its secrets are deleted, too. Within a minute, nobody can sign in to it, and its tokens can no longer be refreshed. To stop it temporarily, disable it instead.',
})

const SUBCOMMANDS: Record<string, Command> = {
  ...commonCommands,
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
      const client = await api.send(`${registrationPath('/clients', argument)}/disable`, {
        method: 'POST',
      })
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
      const client = await api.send(`${registrationPath('/clients', argument)}/enable`, {
        method: 'POST',
      })
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
      const result = await api.send(`${registrationPath('/clients', argument)}/rotate-secret`, {
        method: 'POST',
      })
      if (values.json) return printJson(result)
      printSecret(argument, result)
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
      const path = `${registrationPath('/clients', argument)}/remove-former-secret`
      const client = await api.send(path, { method: 'POST' })
      if (values.json) return printJson(client)
      printLine(`Within a minute, ${argument} is accepted only with its newest secret.`)
    },
  }),
  delete: deleteClient,
  move: moveClients,
}

/** Manages the clients of a deployment. */
export function runClients(args: string[]): Promise<number> {
  return runSubcommand('clients', INTRODUCTION, SUBCOMMANDS, args)
}
