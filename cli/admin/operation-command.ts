import { type Command, defineCommand } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { AdminApi, type Resource } from './admin-api.ts'
import { confirm } from './confirm.ts'
import { CONNECTION_OPTIONS } from './connection.ts'
import { printJson, printLine } from './format.ts'
import { operationHelp } from './operation-help.ts'
import { OPERATIONS, type OperationId } from './operations.ts'

interface OperationCommand {
  /** In the help text. Its value is the id of what the operation changes. */
  argument: string
  checkId?: (id: string, rejectUsage: (message: string) => never) => void
  /** Reads what the operation changes first, and reports if it does not exist. */
  lookup?: OperationId
  /** Whether the operation needs confirmation for what was read, even if it is harmless for others. */
  isDanger?: (record: Resource) => boolean
  /** Why there is nothing to do for what was read. */
  refusal?: (id: string, record: Resource) => string | undefined
  /** What `--json` prints if the API responds with nothing. */
  json?: (id: string) => Resource
  /** The line that is printed without `--json`. */
  text: (id: string, record: Resource) => string
  /** Prints what precedes the line. */
  print?: (id: string, response: Resource) => void
}

/** A command that runs one operation on what its argument names. */
export function operationCommand(operationId: OperationId, command: OperationCommand): Command {
  const { argument, lookup } = command
  const { isDanger = false } = OPERATIONS[operationId]
  return defineCommand({
    argument,
    ...operationHelp(operationId),
    options: CONNECTION_OPTIONS,
    async run({ values, argument: id, rejectUsage }) {
      command.checkId?.(id, rejectUsage)
      const api = await AdminApi.open(values)
      const record = lookup ? await api.send(lookup, { id }) : {}
      const refusal = command.refusal?.(id, record)
      if (refusal !== undefined) throw new CommandError(refusal)
      if (isDanger || command.isDanger?.(record)) {
        const subject = `${id} at ${api.url}`
        await confirm({ operationId, subject, isConfirmed: values.yes })
      }
      const response = await api.send(operationId, { id })
      if (values.json) return printJson(command.json?.(id) ?? response)
      command.print?.(id, response)
      printLine(command.text(id, record))
    },
  })
}
