import { adminApi, OPENID_SCOPES } from '../src/config/apis.ts'
import { clientSchema } from '../src/config/clients.ts'
import type { AdminApi, Resource } from './admin/admin-api.ts'
import { type Command, runSubcommand } from './admin/command.ts'
import { formatTime } from './admin/format.ts'
import { moveClients } from './admin/move-clients.ts'
import { operationCommand } from './admin/operation-command.ts'
import {
  hasFormerSecret,
  printSecret,
  refuseWithoutFormerSecret,
  registrationCommands,
} from './admin/registration-commands.ts'

const INTRODUCTION = `Clients are the apps that users sign in to. Clients that are registered here are stored in the
database of the deployment; changes take effect within a minute, without deploying. Clients of
[[vars.CLIENTS]] in wrangler.toml are listed, but can be changed only there.`

const ARGUMENT = '<client_id>'

const { delete: deleteClient, ...commonCommands } = registrationCommands({
  name: 'clients',
  type: 'Client',
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
  warn: warnAboutUnknownScopes,
  columns: {
    status: ({ disabled_at }) =>
      disabled_at ? `disabled since ${formatTime(disabled_at)}` : 'enabled',
  },
})

const SUBCOMMANDS: Record<string, Command> = {
  ...commonCommands,
  disable: operationCommand('disableClient', {
    argument: ARGUMENT,
    text: (id) => `Disabled ${id}.`,
  }),
  enable: operationCommand('enableClient', {
    argument: ARGUMENT,
    text: (id) => `Enabled ${id}.`,
  }),
  'rotate-secret': operationCommand('rotateClientSecret', {
    argument: ARGUMENT,
    lookup: 'getClient',
    isDanger: hasFormerSecret,
    print: (id, response) => printSecret('client', id, response),
    text: (id, client) =>
      `${hasFormerSecret(client) ? 'The oldest secret stops working within a minute. ' : ''}The new secret works within a minute. The former secret stays valid: once the app uses the new one, run \`npx vestibule-auth clients remove-former-secret ${id}\`.`,
  }),
  'remove-former-secret': operationCommand('removeFormerClientSecret', {
    argument: ARGUMENT,
    lookup: 'getClient',
    refusal: refuseWithoutFormerSecret,
    text: (id) => `Within a minute, ${id} is accepted only with its newest secret.`,
  }),
  delete: deleteClient,
  move: moveClients,
}

/** Manages the clients of a deployment. */
export function runClients(args: string[]): Promise<number> {
  return runSubcommand('clients', INTRODUCTION, SUBCOMMANDS, args)
}

/** Apart from the output, as what is registered is valid: an API may get the scope later. */
async function warnAboutUnknownScopes(api: AdminApi, { client_id, scope }: Resource) {
  const own = adminApi({ issuer: api.url }).scopes.map(({ name }) => name)
  const custom = String(scope ?? '')
    .split(' ')
    .filter((name) => name !== '' && ![...OPENID_SCOPES, ...own].includes(name))
  if (custom.length === 0) return
  // Who may not read APIs gets no warning.
  const apis = await api.list('listApis').catch(() => undefined)
  if (!apis) return
  const known = apis.flatMap(({ scopes }) => (Array.isArray(scopes) ? scopes : []))
  for (const unknown of custom.filter((name) => !known.some((other) => other?.name === name))) {
    process.stderr.write(
      `Warning: the client ${client_id} has the scope ${unknown}, which no API has. No token will contain it, until an API does: npx vestibule-auth apis list\n`,
    )
  }
}
