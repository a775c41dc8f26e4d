import { ADMINISTRATOR } from '../src/config/settings.ts'
import { nowInSeconds } from '../src/values/clock.ts'
import { type Command, defineCommand, runSubcommand } from './admin/command.ts'
import { UNUSED_CONFIRMATION_OPTION } from './admin/confirm.ts'
import { printJson, printLine, printTable } from './admin/format.ts'
import { auditSql, quoteSql } from './admin/sql.ts'
import { openStorage, STORAGE_OPTIONS } from './admin/storage.ts'

const INTRODUCTION = `Administrators may use the console at /admin. They sign in like everyone else. A user is named by
their id, usr_…, or by an account: the provider and the provider's id of the account, as in
tiktok:8a1f…. These commands change the storage of the deployment through wrangler, so they also
create the first administrator.`

const ARGUMENT = '<usr_… | provider:account id>'

/** Longer than every id that a provider is known to use, and short enough for a command line. */
const MAX_NAME_LENGTH = 512 // characters

const LIST_OPTIONS = {
  ...STORAGE_OPTIONS,
  json: { type: 'boolean', help: 'print one JSON document' },
} as const

const SUBCOMMANDS: Record<string, Command> = {
  list: defineCommand({
    summary: 'List the administrators',
    options: LIST_OPTIONS,
    async run({ values, rejectUsage }) {
      const { execute, settings } = await openStorage(values, rejectUsage)
      const [stored = []] = await execute(['SELECT name FROM administrators ORDER BY name'])
      const administrators = [
        ...namesInSettings(settings).map((name) => ({ name, source: 'settings' })),
        ...stored.map(({ name }) => ({ name: String(name), source: 'database' })),
      ]
      if (values.json) return printJson(administrators)
      printTable(
        ['name', 'source'],
        administrators.map(({ name, source }) => [name, source]),
        'There are no administrators. Add one: npx vestibule-auth admins add usr_…',
      )
    },
  }),
  add: defineCommand({
    argument: ARGUMENT,
    summary: 'Make a user an administrator',
    options: { ...UNUSED_CONFIRMATION_OPTION, ...LIST_OPTIONS },
    async run({ values, argument, rejectUsage }) {
      const name = parseName(argument, rejectUsage)
      const { execute, origin } = await openStorage(values, rejectUsage)
      const isStored = `EXISTS (SELECT 1 FROM administrators WHERE name = ${quoteSql(name)})`
      const [[status] = []] = await execute([
        `SELECT ${isStored} AS stored, ${userExists(name)} AS registered`,
        auditSql('administrator_added', name, `NOT ${isStored}`),
        `INSERT OR IGNORE INTO administrators (name, created_at) VALUES (${quoteSql(name)}, ${nowInSeconds()})`,
      ])
      if (values.json) return printJson({ name, added: !status?.['stored'] })
      printLine(
        status?.['stored']
          ? `${name} is an administrator already.`
          : `${name} is an administrator now: sign in, and open ${origin}/admin`,
      )
      if (!status?.['registered']) {
        printLine('Note: nobody has signed in with this id yet. Check the spelling.')
      }
    },
  }),
  remove: defineCommand({
    argument: ARGUMENT,
    summary: 'Remove an administrator; the user can still sign in to apps',
    options: { ...UNUSED_CONFIRMATION_OPTION, ...LIST_OPTIONS },
    async run({ values, argument, rejectUsage }) {
      const name = parseName(argument, rejectUsage)
      const { execute, settings } = await openStorage(values, rejectUsage)
      const isStored = `EXISTS (SELECT 1 FROM administrators WHERE name = ${quoteSql(name)})`
      const [[status] = []] = await execute([
        `SELECT ${isStored} AS stored`,
        auditSql('administrator_removed', name, isStored),
        `DELETE FROM administrators WHERE name = ${quoteSql(name)}`,
      ])
      if (values.json) return printJson({ name, removed: Boolean(status?.['stored']) })
      printLine(
        status?.['stored']
          ? `${name} is no longer an administrator.`
          : `${name} was not an administrator.`,
      )
      if (namesInSettings(settings).includes(name)) {
        printLine(
          'Note: AUTH_ADMINS in the settings still contains it. Remove it there, and deploy.',
        )
      }
    },
  }),
}

/** Lists, adds and removes administrators. */
export function runAdmins(args: string[]): Promise<number> {
  return runSubcommand('admins', INTRODUCTION, SUBCOMMANDS, args)
}

function parseName(name: string, rejectUsage: (message: string) => never): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters cannot be quoted in SQL.
  const isValid = ADMINISTRATOR.test(name) && !/[\u0000-\u001f\u007f]/.test(name)
  if (isValid && name.length <= MAX_NAME_LENGTH) return name
  return rejectUsage(`${JSON.stringify(name)} is neither usr_… nor provider:account id.`)
}

function namesInSettings(settings: Record<string, unknown>): string[] {
  return String(settings['AUTH_ADMINS'] ?? '')
    .split(',')
    .filter(Boolean)
}

function userExists(name: string): string {
  if (name.startsWith('usr_')) {
    return `EXISTS (SELECT 1 FROM users WHERE id = ${quoteSql(name)})`
  }
  const separator = name.indexOf(':')
  const provider = quoteSql(name.slice(0, separator))
  const accountId = quoteSql(name.slice(separator + 1))
  return `EXISTS (SELECT 1 FROM accounts WHERE provider = ${provider} AND provider_account_id = ${accountId})`
}
