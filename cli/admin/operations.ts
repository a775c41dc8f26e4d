import { OPERATIONS as ADMINISTRATION } from '../../src/features/admin/operations/operation-table.ts'
import { UNREGISTERED_CLIENT_OPERATIONS } from '../../src/features/agents/operation-table.ts'
import { OPERATIONS as WEBHOOKS } from '../../src/features/webhooks/operation-table.ts'

/** The operations of every feature. The service of the operator may not have all of them. */
export const OPERATIONS = {
  ...ADMINISTRATION,
  ...UNREGISTERED_CLIENT_OPERATIONS,
  ...WEBHOOKS,
}

export type OperationId = keyof typeof OPERATIONS
