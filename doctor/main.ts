import { doctor } from './doctor-command.ts'
import { explain } from './explain-command.ts'
import { UsageError } from './usage-error.ts'

const HELP = `Usage: npx vestibule <command>

  doctor [url]         checks the configuration here, or a running deployment
  explain <reference>  tells what happened to one sign-in, step by step

Each command has a --help of its own.
`

const COMMANDS: Record<string, (flags: string[]) => Promise<number>> = { doctor, explain }

const [name = '', ...flags] = process.argv.slice(2)
process.exitCode = await run(name, flags)

/** Runs a command, and says how it went: 0 well, 1 with problems, 2 not at all. */
async function run(name: string, flags: string[]): Promise<number> {
  if (name === '--help' || name === '-h') {
    process.stdout.write(HELP)
    return 0
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  try {
    if (command) return await command(flags)
    throw new UsageError(name ? `There is no command ${name}.` : 'Which command?', { help: HELP })
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`${error.message}\n\n${error.help}`)
    return 2
  }
}
