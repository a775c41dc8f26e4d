import { administratorOperations } from './administrator-operations.ts'
import { keyOperations } from './key-operations.ts'
import { openApiDocument } from './open-api.ts'
import { type Implementation, implement, type Operation } from './operation.ts'
import { createOperationSchemas } from './operation-schemas.ts'
import { OPERATIONS, type OperationId } from './operation-table.ts'
import { registrationOperations } from './registration-operations.ts'
import { reportOperations } from './report-operations.ts'
import { unregisteredClientOperations } from './unregistered-client-operations.ts'
import { userOperations } from './user-operations.ts'
import { webhookOperations } from './webhook-operations.ts'

let operations: readonly Operation[] | undefined

/** Every operation, created on first use, because most isolates never need them. */
export function listOperations(): readonly Operation[] {
  operations ??= createOperations()
  return operations
}

function createOperations(): Operation[] {
  const schemas = createOperationSchemas()
  const implementations: Record<OperationId, Implementation> = {
    getOpenApi: implement({
      response: schemas.fields,
      handle: async ({ config }) => openApiDocument(config, listOperations()),
    }),
    ...registrationOperations(schemas),
    ...unregisteredClientOperations(schemas),
    ...webhookOperations(schemas),
    ...userOperations(schemas),
    ...keyOperations(schemas),
    ...administratorOperations(schemas),
    ...reportOperations(schemas),
  }
  const ids = Object.keys(OPERATIONS) as OperationId[]
  return ids.map((id) => ({ id, ...OPERATIONS[id], ...implementations[id] }))
}
