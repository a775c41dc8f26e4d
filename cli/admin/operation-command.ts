import type { PathParameters } from '../../src/administration/operation-description.ts'
import type { ShownFields } from '../../src/administration/shown-fields.ts'
import { type Command, defineCommand, type OptionTable } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { AdminApi, type Resource } from './admin-api.ts'
import { confirm } from './confirm.ts'
import { CONNECTION_OPTIONS } from './connection.ts'
import { printJson, printLine } from './format.ts'
import { operationHelp } from './operation-help.ts'
import { OPERATIONS, type OperationId } from './operations.ts'
import { printTable } from './table.ts'

interface OperationCommand {
  /** In the help text. Its value is the id of what the operation changes. */
  argument: string
  checkId?: (id: string, rejectUsage: (message: string) => never) => void
  /** A required option, for another parameter of the path; its value is the `part` below. */
  option?: { name: Exclude<keyof PathParameters, 'id'>; value: string; help: string }
  /** An option that is not required, for a field of the body. */
  bodyOption?: { name: string; value: string; help: string }
  /** What the operation changes, if that is not the id. */
  subject?: (id: string, part: string) => string
  /** Reads what the operation changes first, and reports if it does not exist. */
  lookup?: OperationId
  /** Whether the operation needs confirmation for what was read, even if it is harmless for others. */
  isDanger?: (record: Resource) => boolean
  /** Why there is nothing to do for what was read. */
  refusal?: (id: string, record: Resource) => string | undefined
  /** What `--json` prints besides the response of the API. */
  json?: (id: string, part: string) => Resource
  /** The line that is printed without `--json`. */
  text: (id: string, record: Resource, part: string, response: Resource) => string
  /** Prints what precedes the line. */
  print?: (id: string, response: Resource) => void
}

/** A command that prints all items of a list. */
export function listCommand<Item>(
  operationId: OperationId,
  columns: ShownFields<Item>,
  emptyText: string,
): Command {
  return defineCommand({
    ...operationHelp(operationId),
    options: CONNECTION_OPTIONS,
    async run({ values }) {
      const api = await AdminApi.open(values)
      const items = await api.list<Item>(operationId)
      if (values.json) return printJson(items)
      printTable(items, columns, emptyText)
    },
  })
}

/** A command that runs one operation on what its argument names. */
export function operationCommand(operationId: OperationId, command: OperationCommand): Command {
  const { argument, option, bodyOption, lookup } = command
  const { isDanger = false } = OPERATIONS[operationId]
  const options: OptionTable & typeof CONNECTION_OPTIONS = {
    ...(option && { [option.name]: { ...option, type: 'string' } }),
    ...(bodyOption && { [bodyOption.name]: { ...bodyOption, type: 'string' } }),
    ...CONNECTION_OPTIONS,
  }
  return defineCommand({
    argument,
    ...operationHelp(operationId),
    options,
    async run({ values, argument: id, rejectUsage }) {
      command.checkId?.(id, rejectUsage)
      const { part, ...parameters } = readOption(option, values, rejectUsage)
      const api = await AdminApi.open(values)
      const record = lookup ? await api.send(lookup, { id }) : {}
      const refusal = command.refusal?.(id, record)
      if (refusal !== undefined) throw new CommandError(refusal)
      if (isDanger || command.isDanger?.(record)) {
        const subject = `${command.subject?.(id, part) ?? id} at ${api.url}`
        await confirm({ operationId, subject, isConfirmed: values.yes })
      }
      const { [bodyOption?.name ?? '']: field }: Readonly<Record<string, unknown>> = values
      const body = bodyOption && field !== undefined ? { [bodyOption.name]: field } : undefined
      const response = await api.send(operationId, { id, ...parameters, body })
      if (values.json) return printJson({ ...command.json?.(id, part), ...response })
      command.print?.(id, response)
      printLine(command.text(id, record, part, response))
    },
  })
}

/** The parameter that a required option sets. */
function readOption(
  option: OperationCommand['option'],
  values: Readonly<Record<string, unknown>>,
  rejectUsage: (message: string) => never,
) {
  if (!option) return { part: '' }
  const { [option.name]: value } = values
  if (typeof value !== 'string' || value === '') return rejectUsage(`--${option.name} is required.`)
  return { part: value, [option.name]: value }
}
