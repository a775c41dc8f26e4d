import * as z from 'zod/mini'
import { field } from '../../administration/registration-fields.ts'
import { text, uri } from '../../foundation/values/schemas.ts'
import { EVENT_TYPES } from './event-types.ts'

export type Webhook = z.infer<ReturnType<typeof createWebhookSchema>>

/** The registration of a webhook. Created on demand, because most isolates never need it. */
export function createWebhookSchema() {
  return z.strictObject({
    webhook_id: field(
      'Name',
      'Name',
      'A short name, such as crm. It cannot be changed later.',
      text([
        (name) => /^[a-z0-9][a-z0-9-]{0,31}$/.test(name),
        'must have at most 32 lower-case letters, digits and hyphens.',
      ]),
    ),
    url: field('Delivery', 'URL', 'The public https URL that events are posted to.', uri),
    events: field(
      'Delivery',
      'Events',
      'The types of the events that it gets. By default, and if none is chosen, all.',
      z.optional(z.array(z.enum(EVENT_TYPES)).check(z.minLength(1, 'is empty.'))),
    ),
    /** At most two, the newest first. */
    sealed_secrets: z.array(z.string()),
  })
}
