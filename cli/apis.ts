import { apiSchema } from '../src/config/apis.ts'
import { runSubcommand } from './admin/command.ts'
import { registrationCommands } from './admin/registration-commands.ts'

const INTRODUCTION = `APIs are the services that accept our access tokens. An API is named by its identifier, an address.
APIs that are registered here are stored in the database of the deployment; changes take effect
within a minute. APIs of [[vars.APIS]] in wrangler.toml can be changed only there.`

const SUBCOMMANDS = registrationCommands({
  name: 'apis',
  type: 'Api',
  idField: 'identifier',
  nameField: 'name',
  schema: apiSchema,
  example: 'https://orders.example.com --name Orders --scope "orders:read=See your orders."',
  columns: {},
})

/** Manages the APIs of a deployment. */
export function runApis(args: string[]): Promise<number> {
  return runSubcommand('apis', INTRODUCTION, SUBCOMMANDS, args)
}
