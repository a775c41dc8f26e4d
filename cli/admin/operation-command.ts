import { OPERATIONS, type OperationId } from '../../src/admin/operation-table.ts'
import { AdminApi, type Resource } from './admin-api.ts'
import { type Command, defineCommand } from './command.ts'
import { CONFIRMATION_OPTION, confirm, UNUSED_CONFIRMATION_OPTION } from './confirm.ts'
import { CONNECTION_OPTIONS } from './connection.ts'
import { printJson, printLine } from './format.ts'
import { operationHelp } from './operation-help.ts'

interface OperationCommand {
  /** In the help text. Its value is the id of what the operation changes. */
  argument: string
  checkId?: (id: string, rejectUsage: (message: string) => never) => void
  /** What `--json` prints if the API responds with nothing. */
  json?: (id: string) => Resource
  /** The line that is printed without `--json`. */
  text: (id: string) => string
  /** Prints what precedes the line. */
  print?: (id: string, response: Resource) => void
}

/** A command that runs one operation on what its argument names. */
export function operationCommand(operationId: OperationId, command: OperationCommand): Command {
  const { argument } = command
  const asks = OPERATIONS[operationId].isDanger
  return defineCommand({
    argument,
    ...operationHelp(operationId),
    options: {
      ...(asks ? CONFIRMATION_OPTION : UNUSED_CONFIRMATION_OPTION),
      ...CONNECTION_OPTIONS,
    },
    async run({ values, argument: id, rejectUsage }) {
      command.checkId?.(id, rejectUsage)
      const api = await AdminApi.open(values)
      if (asks) {
        const subject = `${id} at ${api.url}`
        await confirm({ operationId, subject, isConfirmed: values.yes === true, rejectUsage })
      }
      const response = await api.send(operationId, { id })
      if (values.json) return printJson(command.json?.(id) ?? response)
      command.print?.(id, response)
      printLine(command.text(id))
    },
  })
}
