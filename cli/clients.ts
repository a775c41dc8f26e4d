import { CLIENT_KINDS } from '../src/administration/client-kinds.ts'
import { unknownScopes } from '../src/administration/unknown-scopes.ts'
import {
  UNREGISTERED_CLIENT_FIELDS,
  type UnregisteredClient,
} from '../src/features/agents/resource.ts'
import { previewParent, sharedHostProblem } from '../src/features/previews/wildcard-patterns.ts'
import type { AdminApi, Resource } from './admin/admin-api.ts'
import { printFields, printLine } from './admin/format.ts'
import { LOGIN_SYSTEMS } from './admin/login-systems.ts'
import { moveClients } from './admin/move-clients.ts'
import { listCommand, operationCommand } from './admin/operation-command.ts'
import { registrationCommands, secretCommands } from './admin/registration-commands.ts'
import { CLIENT_SCHEMA } from './admin/registration-schemas.ts'
import { type Command, defineGroup } from './command.ts'
import { CommandError } from './command-error.ts'
import { readPublicSuffixes } from './public-suffixes.ts'

const INTRODUCTION = `Clients are the apps that users sign in to. Clients that are registered here are stored in the
database of the deployment; changes take effect within a minute, without deploying. Clients of
[[vars.CLIENTS]] in wrangler.toml are listed, but can be changed only there.`

const ARGUMENT = '<client_id>'

const UNREGISTERED_ARGUMENT = '<client_id | host>'

const { delete: deleteClient, ...commonCommands } = registrationCommands({
  name: 'clients',
  type: 'Client',
  idField: 'client_id',
  nameField: 'client_name',
  schema: CLIENT_SCHEMA,
  extraOptions: {
    public: {
      type: 'boolean',
      help: 'it cannot keep a secret, such as an app in the browser, and uses PKCE only',
    },
    machine: { type: 'boolean', help: 'it acts for itself, not for users (client_credentials)' },
  },
  extraFields: (values) => ({
    ...(values['public'] === true && CLIENT_KINDS.browser.fields),
    ...(values['machine'] === true && CLIENT_KINDS.machine.fields),
  }),
  addOptions: {
    for: {
      type: 'string',
      value: 'SYSTEM',
      help: `a login system with users of its own, for which this one is a provider:\n${Object.keys(LOGIN_SYSTEMS).join(', ')}.\nPrints what to enter there`,
    },
  },
  complete: completeForSystem,
  printNextSteps: printSettings,
  example: 'shop --name "The shop" --redirect https://shop.example.com/callback',
  check: checkPreview,
  warn: warnAboutUnknownScopes,
})

const COMMANDS: Record<string, Command> = {
  ...commonCommands,
  disable: operationCommand('disableClient', {
    argument: ARGUMENT,
    text: (id) => `Disabled ${id}.`,
  }),
  enable: operationCommand('enableClient', {
    argument: ARGUMENT,
    text: (id) => `Enabled ${id}.`,
  }),
  ...secretCommands('Client', {
    replaced: 'The oldest secret stops working within a minute.',
    created:
      'The new secret works within a minute. The former secret stays valid: once the app uses the new one',
    removed: (id) => `Within a minute, ${id} is accepted only with its newest secret.`,
  }),
  delete: deleteClient,
  move: moveClients,
  unregistered: listCommand<UnregisteredClient>(
    'listUnregisteredClients',
    { ID: ({ id }) => id, ...UNREGISTERED_CLIENT_FIELDS },
    'There are none.',
  ),
  block: operationCommand('blockUnregisteredClient', {
    argument: UNREGISTERED_ARGUMENT,
    text: (id) => `Blocked ${id}.`,
  }),
  unblock: operationCommand('unblockUnregisteredClient', {
    argument: UNREGISTERED_ARGUMENT,
    text: (id) => `Unblocked ${id}.`,
  }),
}

/** Manages the clients of a deployment. */
export const clients = defineGroup({
  summary: 'Register apps, and change their registrations',
  introduction: INTRODUCTION,
  commands: { Commands: COMMANDS },
})

/** Adds the fields that the login system of `--for` needs, and that are not given. */
function completeForSystem(
  registration: Resource,
  { for: name }: Resource,
  rejectUsage: (message: string) => never,
): Resource {
  if (name === undefined) return registration
  const system = findSystem(name)
  if (!system) {
    return rejectUsage(`--for takes ${Object.keys(LOGIN_SYSTEMS).join(', ')}, not ${name}`)
  }
  const { title, redirectUri, fields, fieldsOf } = system
  const [given] = [registration['redirect_uris']].flat()
  if (typeof given !== 'string') {
    return rejectUsage(`--redirect is missing. With ${title}, it is similar to ${redirectUri}`)
  }
  return { client_name: title, ...fields, ...fieldsOf?.(given), ...registration }
}

/** Prints what to enter in the login system of `--for`. */
function printSettings({ for: name }: Resource, clientId: string, issuer: string): void {
  const system = findSystem(name)
  if (!system) return
  const { title, place, settings } = system
  printLine(`\nEnter in ${title}, at ${place}:`)
  printFields(settings({ issuer, clientId }))
  printLine(
    `docs/other-login-systems.md says what else to set there, and which claims arrive: see ${title}.`,
  )
}

function findSystem(name: unknown) {
  return typeof name === 'string' && Object.hasOwn(LOGIN_SYSTEMS, name)
    ? LOGIN_SYSTEMS[name]
    : undefined
}

/** Apart from the output, as what is registered is valid: an API may get the scope later. */
async function warnAboutUnknownScopes(api: AdminApi, { client_id, scope }: Resource) {
  const scopes = String(scope ?? '')
  if (unknownScopes(scopes, []).length === 0) return
  // Who may not read APIs gets no warning.
  const apis = await api.list('listApis').catch(() => undefined)
  if (!apis) return
  const known = apis.map((resource) => ({
    scopes: Array.isArray(resource['scopes']) ? resource['scopes'] : [],
  }))
  for (const unknown of unknownScopes(scopes, known)) {
    process.stderr.write(
      `Warning: the client ${client_id} has the scope ${unknown}, which no API has. No token will contain it, until an API does: npx vestibule-auth apis list\n`,
    )
  }
}

/** The service knows only the most used of the suffixes below which nobody may have a wildcard. */
async function checkPreview({ redirect_uris = [] }: Resource): Promise<void> {
  const uris = [redirect_uris].flat().map(String)
  const parents = uris.flatMap((uri) => previewParent(uri) ?? [])
  if (parents.length === 0) return
  const suffixes = await readPublicSuffixes()
  if (!suffixes) {
    process.stderr.write(
      'The Public Suffix List cannot be read: make sure that only you can have names below the host of the wildcard.\n',
    )
  }
  for (const parent of parents) {
    if (suffixes?.has(parent)) throw new CommandError(`redirect_uris ${sharedHostProblem(parent)}`)
  }
}
