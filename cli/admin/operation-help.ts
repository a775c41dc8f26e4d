import { wrap } from './format.ts'
import { OPERATIONS, type OperationId } from './operations.ts'

/** What the help text of a command says about the operation that it runs. */
export function operationHelp(operationId: OperationId) {
  const { summary, details } = OPERATIONS[operationId]
  return { summary, details: details?.map((sentence) => wrap(sentence, 100)).join('\n') }
}
