import { registrationCommands } from './admin/registration-commands.ts'
import { API_SCHEMA } from './admin/registration-schemas.ts'
import { defineGroup } from './command.ts'

const INTRODUCTION = `APIs are the services that accept our access tokens. An API is named by its identifier, an address.
APIs that are registered here are stored in the database of the deployment; changes take effect
within a minute. APIs of [[vars.APIS]] in wrangler.toml can be changed only there.`

const COMMANDS = registrationCommands({
  name: 'apis',
  type: 'Api',
  idField: 'identifier',
  nameField: 'name',
  schema: API_SCHEMA,
  example: 'https://orders.example.com --name Orders --scope "orders:read=See your orders."',
})

/** Manages the APIs of a deployment. */
export const apis = defineGroup({
  summary: 'Register APIs',
  introduction: INTRODUCTION,
  commands: { Commands: COMMANDS },
})
