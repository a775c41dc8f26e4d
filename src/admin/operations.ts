import { keyOperations } from './key-operations.ts'
import { openApiDocument } from './open-api.ts'
import { type Operation, operation } from './operation.ts'
import { createOperationSchemas } from './operation-schemas.ts'
import { registrationOperations } from './registration-operations.ts'
import { reportOperations } from './report-operations.ts'
import { userOperations } from './user-operations.ts'

let operations: readonly Operation[] | undefined

/** Every operation of the API, created on first use, because most isolates never need them. */
export function listOperations(): readonly Operation[] {
  operations ??= createOperations()
  return operations
}

function createOperations(): Operation[] {
  const schemas = createOperationSchemas()
  return [
    operation({
      id: 'getOpenApi',
      method: 'get',
      path: '/openapi.json',
      scope: 'admin:read',
      summary: 'This document.',
      response: schemas.fields,
      handle: async ({ config }) => openApiDocument(config, listOperations()),
    }),
    ...registrationOperations(schemas),
    ...userOperations(schemas),
    ...keyOperations(schemas),
    ...reportOperations(schemas),
  ]
}
