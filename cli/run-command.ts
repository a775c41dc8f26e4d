import { VERSION } from '../src/foundation/values/version.ts'
import { admins } from './admins.ts'
import { apis } from './apis.ts'
import { audit } from './audit.ts'
import { clients } from './clients.ts'
import { defineGroup } from './command.ts'
import { UsageError } from './command-error.ts'
import { connect } from './connect.ts'
import { deploy } from './deploy.ts'
import { doctor } from './doctor.ts'
import { explain } from './explain.ts'
import { init } from './init.ts'
import { keys } from './keys.ts'
import { login, logout } from './login.ts'
import { platform } from './platform.ts'
import { roles } from './roles.ts'
import { schedule } from './schedule.ts'
import { setup } from './setup.ts'
import { users } from './users.ts'
import { webhooks } from './webhooks.ts'

const vestibule = defineGroup({
  summary: 'Create and manage a login service',
  introduction:
    'The commands for a running service need `connect` or `login` once. `--version` prints the version.',
  commands: {
    'Create and deploy': { init, setup, deploy },
    'Find problems': { doctor, explain },
    Develop: { platform, schedule },
    'Get access to a running service': { connect, login, logout },
    'Manage users': { users, audit },
    'Manage apps': { clients, apis, roles, webhooks },
    'Manage the service': { keys, admins },
  },
})

/**
 * Runs a command and returns its exit code: 0 for success, 1 for problems, 2 for invalid arguments.
 */
export async function runCommand(args: string[]): Promise<number> {
  if (args[0] === '--version' || args[0] === '-v') {
    process.stdout.write(`${VERSION}\n`)
    return 0
  }
  try {
    return await vestibule.execute('npx vestibule-auth', args)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`${error.message}\n${error.help === undefined ? '' : `\n${error.help}`}`)
    return 2
  }
}
