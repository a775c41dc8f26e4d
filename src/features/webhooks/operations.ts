import * as z from 'zod/mini'
import { HttpProblem, requireFound } from '../../operations/http-problem.ts'
import { implement } from '../../operations/operation.ts'
import type { OperationSchemas } from '../../operations/operation-schemas.ts'
import { commonOperations } from '../../operations/registration-operations.ts'
import { registrationResource, toSnakeCase } from '../../operations/resources.ts'
import { listDeliveries, readDeliveryState } from './deliveries.ts'
import { resendEvent, sendTestEvent } from './send-now.ts'
import { webhookStore } from './webhook-store.ts'

/** The operations on webhooks, which get events. */
export function webhookOperations(schemas: OperationSchemas) {
  const { text, optionalText, count, time, optionalTime, registration, page, list } = schemas
  const { sealed_secrets: _, ...fields } = webhookStore.schema.shape
  const webhook = z.object({ ...fields, ...registration, secret_count: count })
  const { list: listWebhooks, ...common } = commonOperations(schemas, {
    store: webhookStore,
    fields: z.strictObject(fields),
    resource: webhook,
    created: z.object({ webhook, webhook_secret: text }),
  })
  const delivery = z.object({
    event_id: text,
    type: optionalText,
    at: optionalTime,
    attempts: count,
    failed_at: time,
    due_at: optionalTime,
    problem: text,
  })

  return {
    listWebhooks,
    createWebhook: common.create,
    updateWebhook: common.update,
    deleteWebhook: common.delete,
    getWebhook: implement({
      response: z.object({
        ...webhook.shape,
        unsent_since: optionalTime,
        waiting: count,
        given_up: count,
      }),
      async handle({ env, config, id }) {
        const record = requireFound(await webhookStore.read(env, config, id))
        const state = requireFound(await readDeliveryState(env, id))
        return { ...registrationResource(record), ...toSnakeCase(state) }
      },
    }),
    rotateWebhookSecret: implement({
      response: z.object({ webhook_secret: text }),
      async handle({ env, config, id, origin }) {
        const { secret } = await webhookStore.rotateSecret(env, config, { id, origin })
        return { webhook_secret: secret }
      },
    }),
    removeFormerWebhookSecret: implement({
      response: webhook,
      handle: async ({ env, config, id, origin }) =>
        registrationResource(await webhookStore.removeFormerSecret(env, config, { id, origin })),
    }),
    testWebhook: implement({
      handle: async ({ env, config, id }) => requireAccepted(await sendTestEvent(env, config, id)),
    }),
    listWebhookDeliveries: implement({
      query: z.strictObject(page()),
      response: list(delivery),
      async handle({ env, config, id, query }) {
        requireFound(await webhookStore.read(env, config, id))
        const { deliveries, nextCursor } = await listDeliveries(env, { id, ...query })
        const items = deliveries.map(({ entry, ...item }) => ({ ...item, at: entry?.at }))
        return { items: toSnakeCase(items), next_cursor: nextCursor }
      },
    }),
    resendWebhookEvent: implement({
      handle: async ({ env, config, id, event: eventId }) =>
        requireAccepted(await resendEvent(env, config, { webhookId: id, eventId })),
    }),
  }
}

/** The administrator is informed why an event was not accepted. */
function requireAccepted(result: { problem: string | undefined } | undefined): void {
  const { problem } = requireFound(result)
  if (problem !== undefined) throw new HttpProblem(409, `The event was not accepted. ${problem}`)
}
