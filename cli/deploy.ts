import { parseArgs } from 'node:util'
import { isLoopback } from '../src/foundation/values/loopback.ts'
import type { Command } from './command.ts'
import { readWranglerConfig, type SettingsFiles } from './configuration/read-settings.ts'
import { errorMessage } from './error-message.ts'
import { runWranglerInTerminal } from './run-wrangler.ts'

const HELP = `Usage: npx vestibule-auth deploy [options of wrangler deploy]

Uploads the service with \`wrangler deploy\`, and applies the migrations of the database: before the upload, because
the deployed version works with the migrated database. The first deployment creates the database, so they are
applied after it.

Options: those of \`npx wrangler deploy --help\`, such as --secrets-file .secrets, --env staging and --dry-run, which
applies no migrations.

Exit codes: 0 for success, otherwise that of wrangler.
`

/** Wrangler parses the options, so that all of its own can be used. */
export const deploy: Command = {
  argument: '[options]',
  summary: 'Upload the service, and apply the migrations of its database',
  async execute(_name, args) {
    const { values } = parseArgs({
      args,
      strict: false,
      options: {
        env: { type: 'string', short: 'e' },
        config: { type: 'string', short: 'c' },
        'dry-run': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    if (values.help) {
      process.stdout.write(HELP)
      return 0
    }
    const files = pickTexts({ env: values.env, config: values.config })
    const upload = () => runWranglerInTerminal(['deploy', ...args])
    try {
      const { database, vars } = await readWranglerConfig(files)
      warnAboutAddress(vars, args)
      if (values['dry-run']) return await upload()
      const isFirst = database.id === undefined
      const migrate = () => runWranglerInTerminal(migrationArguments(files))
      const [first, second] = isFirst ? [upload, migrate] : [migrate, upload]
      return (await first()) || (await second())
    } catch (error) {
      process.stderr.write(`${errorMessage(error)}\n`)
      return 1
    }
  },
}

/** `--var` replaces a variable of the file. */
function warnAboutAddress({ AUTH_URL }: Record<string, unknown>, args: readonly string[]): void {
  const isReplaced = args.some((arg) => arg.includes('AUTH_URL:'))
  if (typeof AUTH_URL !== 'string' || !isLoopback(AUTH_URL) || isReplaced) return
  process.stderr.write(
    `Warning: AUTH_URL is ${AUTH_URL}, for development. A deployment with it responds to every request with an error: enter the public address in wrangler.toml, for example with \`npx vestibule-auth setup\`.\n`,
  )
}

function migrationArguments({ env, config }: SettingsFiles): string[] {
  return [
    ...['d1', 'migrations', 'apply', 'DIRECTORY', '--remote'],
    ...(env === undefined ? [] : ['--env', env]),
    ...(config === undefined ? [] : ['--config', config]),
  ]
}

/** An option without a value is left to wrangler. */
function pickTexts(options: Record<'env' | 'config', unknown>): SettingsFiles {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => typeof value === 'string'),
  )
}
