import type { AppContext } from '../../core/http/app-env.ts'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { createOperationRequest } from '../create-operation-request.ts'
import { HttpProblem } from '../http-problem.ts'
import type { Operation } from '../operation.ts'
import { mayUse } from './authorization.ts'
import type { OperationsById } from './section.ts'

/** Runs an operation for the signed-in administrator, as their requests to the API would. */
export async function runOperation(
  c: AppContext,
  operation: Operation,
  request: { id?: string; body?: unknown } = {},
): Promise<unknown> {
  const administrator = c.get('administrator')
  if (!administrator) throw new SignInError('not_found')
  if (!mayUse(c, operation)) throw new HttpProblem(403, 'Your role does not allow this.')
  const caller = { actor: administrator.id, scopes: administrator.scopes }
  return operation.handle(createOperationRequest(c, caller, request))
}

/** The operation with this id, which a section is written for. */
export function findOperation(operations: OperationsById, id: string): Operation {
  const operation = operations.get(id)
  if (!operation) throw new Error(`There is no operation ${id}.`)
  return operation
}
