import type { Table } from '../../registrations/stored-registrations.ts'

/** The registered webhooks. */
export const WEBHOOKS: Table = { name: 'webhooks', idField: 'webhook_id' }
