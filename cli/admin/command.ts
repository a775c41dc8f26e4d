import { parseArguments, UsageError } from '../command-line.ts'
import { CommandError } from './command-error.ts'

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
  /** What the command does, in one line without a full stop. */
  summary: string
  /** Further lines of the help text. */
  details?: string | undefined
  options: T
  /** Throws a {@link CommandError} if the command cannot be completed. */
  run: (invocation: Invocation<T>) => Promise<void>
}

/** A command, or one subcommand of it. */
export interface Command {
  argument: string
  summary: string
  /**
   * Runs the command with its arguments, and returns the exit code. `name` is the name in the help
   * text.
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

/** Runs the subcommand that the first argument names, and returns the exit code. */
export async function runSubcommand(
  name: string,
  introduction: string,
  subcommands: Record<string, Command>,
  [subcommandName, ...args]: string[],
): Promise<number> {
  const help = formatGroupHelp(name, introduction, subcommands)
  if (subcommandName === '--help' || subcommandName === '-h') {
    process.stdout.write(help)
    return 0
  }
  if (subcommandName === undefined) throw new UsageError('The subcommand is missing.', { help })
  const subcommand = Object.hasOwn(subcommands, subcommandName)
    ? subcommands[subcommandName]
    : undefined
  if (!subcommand) throw new UsageError(`Unknown subcommand: ${subcommandName}`, { help })
  return await subcommand.execute(`${name} ${subcommandName}`, args)
}

async function reportErrors(run: () => Promise<void>): Promise<number> {
  try {
    await run()
    return 0
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

function formatHelp<T extends OptionTable>(
  name: string,
  { argument = '', summary, details, options }: CommandDefinition<T>,
): string {
  const usage = ['npx vestibule-auth', name, argument, '[options]'].filter(Boolean).join(' ')
  const rows = Object.entries<OptionDescriptor>({ ...options, help: HELP_OPTION }).map(
    ([option, { value, help }]) => [optionTerm(option, value), help] as const,
  )
  return `Usage: ${usage}

${summary}.
${details === undefined ? '' : `\n${details}\n`}
Options:
${formatRows(rows)}

Exit codes: 0 for success, 1 if the command fails, 2 for invalid arguments.
`
}

function optionTerm(option: string, value: string | undefined): string {
  if (option === 'help') return '-h, --help'
  return value === undefined ? `--${option}` : `--${option} ${value}`
}

function formatGroupHelp(
  name: string,
  introduction: string,
  subcommands: Record<string, Command>,
): string {
  const rows = Object.entries(subcommands).map(
    ([subcommand, { argument, summary }]) =>
      [`${subcommand} ${argument}`.trimEnd(), summary] as const,
  )
  return `Usage: npx vestibule-auth ${name} <subcommand>

${introduction}

Subcommands:
${formatRows(rows)}

Run \`npx vestibule-auth ${name} <subcommand> --help\` for its options.
`
}

function formatRows(rows: readonly (readonly [term: string, text: string])[]): string {
  const width = Math.max(...rows.map(([term]) => term.length)) + 2
  const indent = `\n${' '.repeat(width + 2)}`
  return rows
    .map(([term, text]) => `  ${term.padEnd(width)}${text.replaceAll('\n', indent)}`)
    .join('\n')
}
