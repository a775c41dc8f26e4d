import { relative } from 'node:path'
import { isObject } from '../../src/foundation/values/json.ts'
import { defineCommand } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { readWranglerConfig } from '../configuration/read-settings.ts'
import { errorMessage } from '../error-message.ts'
import { AdminApi, type Resource } from './admin-api.ts'
import { CONNECTION_OPTIONS } from './connection.ts'
import { printJson, printLine } from './format.ts'

/**
 * Copies the clients of wrangler.toml to the database, so that they can be removed from
 * wrangler.toml.
 */
export const moveClients = defineCommand({
  summary: 'Copy the clients of wrangler.toml to the database',
  details: `A client that is in both places is used as wrangler.toml defines it, so nothing changes until you remove its
table there and deploy. Secrets and addresses stay the same, and no app is interrupted.`,
  options: CONNECTION_OPTIONS,
  async run({ values }) {
    const { configPath, clients } = await readConfiguredClients(values)
    const api = await AdminApi.open(values)
    const stored = await api.list('listClients')
    const inDatabase = stored
      .filter(({ source }) => source === 'database')
      .map(({ client_id }) => client_id)
    const missing = clients.filter(({ client_id }) => !inDatabase.includes(client_id))
    for (const client of missing) {
      await copyClient(api, client)
    }
    const copied = missing.map(({ client_id }) => client_id)
    const removable = clients.map(({ client_id }) => client_id)
    if (values.json) return printJson({ copied, removable })
    if (clients.length === 0) return printLine('wrangler.toml has no clients.')
    const table =
      values.env === undefined ? '[[vars.CLIENTS]]' : `[[env.${values.env}.vars.CLIENTS]]`
    printLine('All clients of wrangler.toml are in the database now. Next:')
    printLine(
      `  1. In ${relative('.', configPath)}, remove the tables ${table} of: ${removable.join(', ')}`,
    )
    printLine(`  2. npm run deploy${values.env === undefined ? '' : ` -- --env ${values.env}`}`)
    printLine('Until then, the tables have precedence, and changes in the database have no effect.')
  },
})

async function readConfiguredClients(values: {
  env?: string | undefined
  config?: string | undefined
}): Promise<{ configPath: string; clients: Resource[] }> {
  try {
    const { configPath, vars } = await readWranglerConfig(values)
    const clients: unknown = vars['CLIENTS'] ?? []
    if (Array.isArray(clients)) return { configPath, clients: clients.filter(isObject) }
  } catch (cause) {
    throw new CommandError(`The configuration cannot be read: ${errorMessage(cause)}`, { cause })
  }
  throw new CommandError('CLIENTS in wrangler.toml is not a list of tables.')
}

/** The service accepts only an exact copy of a client that its settings have. */
async function copyClient(api: AdminApi, client: Resource): Promise<void> {
  try {
    await api.send('createClient', { body: client })
  } catch (cause) {
    if (!(cause instanceof CommandError)) throw cause
    throw new CommandError(
      `${client['client_id']} was not copied. ${cause.message}\nIf wrangler.toml was changed since the last deployment, deploy it first.`,
      { cause },
    )
  }
  process.stderr.write(`Copied ${client['client_id']}.\n`)
}
