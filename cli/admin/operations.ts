import { OPERATIONS as ADMINISTRATION } from '../../src/features/admin/operations/operation-table.ts'
import { WEBHOOK_OPERATIONS } from '../../src/features/admin/operations/webhook-table.ts'
import { UNREGISTERED_CLIENT_OPERATIONS } from '../../src/features/agents/operation-table.ts'

/** The operations of every feature. The service of the operator may not have all of them. */
export const OPERATIONS = {
  ...ADMINISTRATION,
  ...UNREGISTERED_CLIENT_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
}

export type OperationId = keyof typeof OPERATIONS
