import type { Child } from 'hono/jsx'
import { mayUse } from '../../administration/console/authorization.ts'
import type { RegistrationView } from '../../administration/console/registration-pages.tsx'
import type { RegistrationKind } from '../../administration/console/registration-section.tsx'
import type { AppContext } from '../../core/http/app-env.ts'
import { Deliveries, WEBHOOK_ACTIONS } from './console-pages.tsx'
import { listDeliveries, readDeliveryState } from './deliveries.ts'
import { OPERATIONS } from './operation-table.ts'
import { webhookStore } from './webhook-store.ts'

/** The pages of webhooks. */
export const WEBHOOK_PAGES: RegistrationKind = {
  store: webhookStore,
  title: 'Webhooks',
  icon: 'M12 3v6m0 6v6M3 12h6m6 0h6M15 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0',
  noun: 'a webhook',
  purpose:
    'A webhook sends events to a service of yours, for example that a user was created or deleted. Add one with the URL that receives them.',
  nameField: 'url',
  nameTitle: 'URL',
  documentation: 'Fields',
  document: 'docs/webhooks.md',
  create: 'createWebhook',
  update: 'updateWebhook',
  actions: WEBHOOK_ACTIONS,
  showMore: showDeliveries,
}

/** More are listed by the command `webhooks deliveries`. */
const MAX_DELIVERIES = 50

async function showDeliveries(c: AppContext, { id }: RegistrationView): Promise<Child> {
  const [state, { items: deliveries }] = await Promise.all([
    readDeliveryState(c.env, c.get('config'), id),
    listDeliveries(c.env, { id, limit: MAX_DELIVERIES }),
  ])
  const mayResend = mayUse(c, OPERATIONS.resendWebhookEvent)
  return state && <Deliveries {...{ id, state, deliveries, mayResend }} />
}
