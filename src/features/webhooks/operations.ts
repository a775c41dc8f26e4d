import * as z from 'zod/mini'
import { HttpProblem, requireFound } from '../../administration/http-problem.ts'
import { implement } from '../../administration/operation.ts'
import type { OperationSchemas } from '../../administration/operation-schemas.ts'
import { commonOperations, secretOperations } from '../../administration/registration-operations.ts'
import { registrationResource } from '../../administration/resources.ts'
import { listDeliveries, readDeliveryState } from './deliveries.ts'
import { createDeliverySchema, deliveryState } from './resource.ts'
import { resendEvent, sendTestEvent } from './send-now.ts'
import { webhookStore } from './webhook-store.ts'

/** The operations on webhooks, which get events. */
export function webhookOperations(schemas: OperationSchemas) {
  const { text, count, registration, page, list } = schemas
  const { sealed_secrets: _, ...fields } = webhookStore.schema.shape
  const resource = { ...fields, ...registration, secret_count: count }
  // Without their types, because what is invalid is returned as it is stored.
  const webhook: z.ZodMiniType = z.object(resource)
  const details: z.ZodMiniType = z.object({ ...resource, ...deliveryState(schemas) })
  const { list: listWebhooks, ...common } = commonOperations(schemas, {
    store: webhookStore,
    fields: z.strictObject(fields),
    resource: webhook,
    created: z.object({ webhook, webhook_secret: text }),
  })
  const secrets = secretOperations(schemas, { store: webhookStore, resource: webhook })

  return {
    listWebhooks,
    createWebhook: common.create,
    updateWebhook: common.update,
    deleteWebhook: common.delete,
    getWebhook: implement({
      response: details,
      async handle({ env, config, id }) {
        const record = requireFound(await webhookStore.read(env, config, id))
        const state = requireFound(await readDeliveryState(env, config, id))
        return { ...registrationResource(record), ...state }
      },
    }),
    rotateWebhookSecret: secrets.rotateSecret,
    removeFormerWebhookSecret: secrets.removeFormerSecret,
    testWebhook: implement({
      handle: async ({ env, config, id }) => requireAccepted(await sendTestEvent(env, config, id)),
    }),
    listWebhookDeliveries: implement({
      query: z.strictObject(page()),
      response: list(createDeliverySchema(schemas)),
      async handle({ env, config, id, query }) {
        requireFound(await webhookStore.read(env, config, id))
        return listDeliveries(env, { id, ...query })
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
