import { type ParseArgsConfig, parseArgs } from 'node:util'
import { nearestName } from '../src/foundation/values/nearest-name.ts'
import { CommandError, UsageError } from './command-error.ts'
import { errorMessage } from './error-message.ts'
import { sanitizeForTerminal } from './sanitize-for-terminal.ts'

interface OptionDescriptor {
  type: 'string' | 'boolean'
  multiple?: boolean
  /** The name of the value in the help text. */
  value?: string
  /** The lines of the help text. */
  help: string
}

export type OptionTable = Record<string, OptionDescriptor>

type OptionValue<T extends OptionDescriptor> = T extends { type: 'boolean' }
  ? boolean | undefined
  : T extends { multiple: true }
    ? string[] | undefined
    : string | undefined

export type OptionValues<T extends OptionTable> = { [Name in keyof T]: OptionValue<T[Name]> }

interface Invocation<T extends OptionTable> {
  values: OptionValues<T>
  /** The positional argument; empty if the command has none. */
  argument: string
  /** The arguments are invalid for a reason that the parser cannot detect. */
  rejectUsage: (message: string) => never
}

interface CommandDefinition<T extends OptionTable> {
  /** The positional argument in the help text, such as `<client_id>`, or `[url]` if optional. */
  argument?: string
  /** Other arguments that the command accepts, such as `--page [error]`. */
  alternative?: string
  /** What the command does, in one line without a full stop. */
  summary: string
  /** Further lines of the help text. */
  details?: string | undefined
  options: T
  /** What the exit codes 0 and 1 mean, if there is more to say than success and failure. */
  exitCodes?: string
  /**
   * Returns the exit code, if it is not 0. Throws a {@link CommandError} if the command cannot be
   * completed.
   */
  run: (invocation: Invocation<T>) => Promise<void> | Promise<number>
}

/** A command, or a group of them. */
export interface Command {
  argument: string
  summary: string
  /**
   * Runs the command with its arguments, and returns the exit code. `name` is what precedes the
   * arguments on the command line.
   */
  execute: (name: string, args: string[]) => Promise<number>
}

const HELP_OPTION = { type: 'boolean', help: 'print this help' } as const

/** Defines a command whose help text is generated from its options. */
export function defineCommand<const T extends OptionTable>(
  definition: CommandDefinition<T>,
): Command {
  const { argument = '', summary, options } = definition
  return {
    argument,
    summary,
    async execute(name, args) {
      const help = formatHelp(name, definition)
      const { values, positionals } = parseArguments(
        {
          args,
          allowPositionals: true,
          options: { ...parserOptions(options), help: { type: 'boolean', short: 'h' } },
        },
        help,
      )
      if (values['help'] === true) {
        process.stdout.write(help)
        return 0
      }
      const rejectUsage = (message: string): never => {
        throw new UsageError(message, { help })
      }
      const [positional, unexpected] = positionals
      if (unexpected !== undefined) rejectUsage(`Unexpected argument: ${unexpected}`)
      if (positional !== undefined && !argument) rejectUsage(`Unexpected argument: ${positional}`)
      if (!positional && argument.startsWith('<')) rejectUsage(`${argument} is missing.`)
      return await reportErrors(() =>
        definition.run({
          // The parser has checked each value against the table.
          values: values as OptionValues<T>,
          argument: positional ?? '',
          rejectUsage,
        }),
      )
    },
  }
}

/** Commands of which the first argument selects one. */
interface CommandGroup {
  summary: string
  introduction: string
  /** By the headings of the help text, and by name. */
  commands: Readonly<Record<string, Readonly<Record<string, Command>>>>
}

/** Defines a command whose first argument selects one of others. */
export function defineGroup(group: CommandGroup): Command {
  const { summary } = group
  const commands = new Map(Object.values(group.commands).flatMap(Object.entries<Command>))
  return {
    argument: '…',
    summary,
    async execute(name, [commandName, ...args]) {
      const help = formatGroupHelp(name, group)
      if (commandName === '--help' || commandName === '-h') {
        process.stdout.write(help)
        return 0
      }
      if (commandName === undefined) throw new UsageError('The command is missing.', { help })
      const command = commands.get(commandName)
      if (!command) throw unknownCommand(name, commandName, { names: [...commands.keys()], help })
      return await command.execute(`${name} ${commandName}`, args)
    },
  }
}

/** If one command is meant, it is named instead of all of them. */
function unknownCommand(
  name: string,
  commandName: string,
  { names, help }: { names: readonly string[]; help: string },
): UsageError {
  const message = `Unknown command: ${sanitizeForTerminal(commandName)}`
  const nearest = nearestName(commandName, names)
  if (nearest === undefined) return new UsageError(message, { help })
  return new UsageError(
    `${message}. Did you mean \`${name} ${nearest}\`? \`${name} --help\` lists all commands.`,
  )
}

function parseArguments<T extends ParseArgsConfig>(config: T, help: string) {
  try {
    return parseArgs(config)
  } catch (cause) {
    // Node appends advice about positional arguments that start with a dash; no command takes any.
    const [message = ''] = errorMessage(cause).split('. ')
    throw new UsageError(message, { help, cause })
  }
}

async function reportErrors(run: () => Promise<void> | Promise<number>): Promise<number> {
  try {
    return (await run()) || 0
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    process.stderr.write(`${error.message}\n`)
    return 1
  }
}

function parserOptions(options: OptionTable) {
  return Object.fromEntries(
    Object.entries(options).map(([name, { type, multiple = false }]) => [name, { type, multiple }]),
  )
}

function formatHelp<T extends OptionTable>(name: string, definition: CommandDefinition<T>): string {
  const { argument, alternative, summary, details, options } = definition
  const { exitCodes = '0 for success, 1 if the command fails' } = definition
  const usages = [[argument, '[options]'].filter(Boolean).join(' '), alternative]
  const usage = usages.filter(Boolean).map((words) => `${name} ${words}`)
  const rows = Object.entries<OptionDescriptor>({ ...options, help: HELP_OPTION }).map(
    ([option, { value, help }]) => [optionTerm(option, value), help] as const,
  )
  return `Usage: ${usage.join('\n       ')}

${summary}.
${details === undefined ? '' : `\n${details}\n`}
Options:
${formatRows(rows)}

Exit codes: ${exitCodes}, 2 for invalid arguments.
`
}

function optionTerm(option: string, value: string | undefined): string {
  if (option === 'help') return '-h, --help'
  return value === undefined ? `--${option}` : `--${option} ${value}`
}

function formatGroupHelp(name: string, { introduction, commands }: CommandGroup): string {
  const sections = Object.entries(commands).map(([heading, members]) => ({
    heading,
    rows: Object.entries(members).map(
      ([command, { argument, summary }]) => [`${command} ${argument}`.trimEnd(), summary] as const,
    ),
  }))
  const width = termWidth(sections.flatMap(({ rows }) => rows))
  return `Usage: ${name} <command>

${introduction}

${sections.map(({ heading, rows }) => `${heading}:\n${formatRows(rows, width)}`).join('\n\n')}

Run \`${name} <command> --help\` for its options.
`
}

type HelpRow = readonly [term: string, text: string]

function termWidth(rows: readonly HelpRow[]): number {
  return Math.max(...rows.map(([term]) => term.length)) + 2
}

function formatRows(rows: readonly HelpRow[], width = termWidth(rows)): string {
  const indent = `\n${' '.repeat(width + 2)}`
  return rows
    .map(([term, text]) => `  ${term.padEnd(width)}${text.replaceAll('\n', indent)}`)
    .join('\n')
}
