import type { Table } from '../../core/registrations/stored-registrations.ts'

/** The registered webhooks. */
export const WEBHOOKS: Table = { name: 'webhooks', idField: 'webhook_id' }
