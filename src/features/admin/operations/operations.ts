import { implement, type Operation } from '../../../administration/operation.ts'
import { get } from '../../../administration/operation-description.ts'
import type { OperationGroup } from '../../../administration/operation-group.ts'
import { createOperationSchemas } from '../../../administration/operation-schemas.ts'
import type { Feature } from '../../../core/config/feature.ts'
import { administratorOperations } from './administrator-operations.ts'
import { keyOperations } from './key-operations.ts'
import { openApiDocument } from './open-api.ts'
import { OPERATIONS } from './operation-table.ts'
import { registrationOperations } from './registration-operations.ts'
import { reportOperations } from './report-operations.ts'
import { protectOwner, userOperations } from './user-operations.ts'

type Operations<Id extends string = string> = Omit<OperationGroup<Id>, 'sections'>

/** What the API has in every deployment with it, besides its description. */
function ownOperations(features: readonly Feature[]): Operations<keyof typeof OPERATIONS> {
  return {
    table: OPERATIONS,
    createImplementations: (schemas) => ({
      ...registrationOperations(schemas, features),
      ...userOperations(schemas),
      ...keyOperations(schemas),
      ...administratorOperations(schemas),
      ...reportOperations(schemas, features),
    }),
  }
}

/** The operations that these features add. */
export function featureOperations(features: readonly Feature[]): OperationGroup[] {
  return features.flatMap(({ operations }) => operations ?? [])
}

/** Every operation of the API of a deployment with these features. */
export function createOperations(features: readonly Feature[]): Operation[] {
  const schemas = createOperationSchemas()
  const groups: Operations[] = [ownOperations(features), ...featureOperations(features)]
  const operations = groups.flatMap(({ table, createImplementations }) => {
    const implementations = createImplementations(schemas)
    return Object.entries(table).map(([id, description]): Operation => {
      const implementation = implementations[id]
      if (!implementation) throw new Error(`The operation ${id} has no implementation.`)
      return protectOwners({ id, ...description, ...implementation })
    })
  })
  const getOpenApi: Operation = {
    id: 'getOpenApi',
    ...get('/openapi.json', 'admin:read', { summary: 'Show this document' }),
    ...implement({
      response: schemas.fields,
      handle: async ({ config }) => openApiDocument(config, [getOpenApi, ...operations]),
    }),
  }
  return [getOpenApi, ...operations]
}

function protectOwners(operation: Operation): Operation {
  if (!operation.protectsOwners) return operation
  return {
    ...operation,
    async handle(request) {
      await protectOwner(request.env, request.config, request)
      return operation.handle(request)
    },
  }
}
