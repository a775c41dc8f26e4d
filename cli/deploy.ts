import { parseArgs } from 'node:util'
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
    if (values['dry-run']) return await upload()
    try {
      const isFirst = (await readWranglerConfig(files)).database.id === undefined
      const migrate = () => runWranglerInTerminal(migrationArguments(files))
      const [first, second] = isFirst ? [upload, migrate] : [migrate, upload]
      return (await first()) || (await second())
    } catch (error) {
      process.stderr.write(`${errorMessage(error)}\n`)
      return 1
    }
  },
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
