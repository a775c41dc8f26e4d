import { runAdmins } from './admins.ts'
import { runApis } from './apis.ts'
import { runAudit } from './audit.ts'
import { runClients } from './clients.ts'
import { UsageError } from './command-line.ts'
import { runConnect } from './connect.ts'
import { runDoctor } from './doctor.ts'
import { runExplain } from './explain.ts'
import { runInit } from './init.ts'
import { runKeys } from './keys.ts'
import { runLogin, runLogout } from './login.ts'
import { runSetup } from './setup.ts'
import { runUsers } from './users.ts'
import { runWebhooks } from './webhooks.ts'

const HELP = `Usage: npx vestibule-auth <command>

Commands:
  init [folder]        create a login service of your own
  setup                enter its address and keys, and write its secrets file
  doctor [url]         check the configuration, or a running deployment
  explain <reference>  report what happened during one sign-in, step by step

  connect              give this computer access to the admin API of a deployment
  login [url]          sign in to the admin API as an administrator, with a browser on any device
  logout [url]         end that access
  admins …             list, add and remove administrators
  clients …            register apps and change their registrations
  apis …               register APIs
  webhooks …           send events to other services
  users …              find, block, delete, export and import users
  keys …               list and rotate the signing keys
  audit                list administrative actions and security events

Run \`npx vestibule-auth <command> --help\` for the options of a command.
`

const COMMANDS: Record<string, (args: string[]) => Promise<number>> = {
  init: runInit,
  setup: runSetup,
  doctor: runDoctor,
  explain: runExplain,
  connect: runConnect,
  login: runLogin,
  logout: runLogout,
  admins: runAdmins,
  clients: runClients,
  apis: runApis,
  webhooks: runWebhooks,
  users: runUsers,
  keys: runKeys,
  audit: runAudit,
}

/**
 * Runs a command and returns its exit code: 0 for success, 1 for problems, 2 for invalid arguments.
 */
export async function runCommand(name: string | undefined, args: string[]): Promise<number> {
  if (name === '--help' || name === '-h') {
    process.stdout.write(HELP)
    return 0
  }
  try {
    return await findCommand(name)(args)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`${error.message}\n${error.help === undefined ? '' : `\n${error.help}`}`)
    return 2
  }
}

function findCommand(name: string | undefined) {
  if (name === undefined) throw new UsageError('The command is missing.', { help: HELP })
  // Not `COMMANDS[name]` alone: `toString` and other inherited properties are not commands.
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) throw new UsageError(`Unknown command: ${name}`, { help: HELP })
  return command
}
