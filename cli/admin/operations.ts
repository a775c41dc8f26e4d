import { describeOperation } from '../../src/define-feature/describe-operation.ts'
import { OPERATIONS as ADMIN } from '../../src/features/admin/operations/operation-table.ts'
import { OPERATIONS as AGENTS } from '../../src/features/agents/operation-table.ts'
import { OPERATIONS as ROLES } from '../../src/features/roles/operation-table.ts'
import { RESET } from '../../src/features/totp/operations.ts'
import { OPERATIONS as WEBHOOKS } from '../../src/features/webhooks/operation-table.ts'

/** The operations of every feature. The service of the operator may not have all of them. */
export const OPERATIONS = {
  ...ADMIN,
  ...AGENTS,
  ...ROLES,
  ...WEBHOOKS,
  resetTotp: describeOperation('totp', 'reset', RESET),
}

export type OperationId = keyof typeof OPERATIONS
