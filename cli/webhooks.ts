import {
  DELIVERY_FIELDS,
  type DeliveryState,
  type UnacceptedEvent,
} from '../src/features/webhooks/resource.ts'
import { createWebhookSchema } from '../src/features/webhooks/webhook-schema.ts'
import { AdminApi } from './admin/admin-api.ts'
import { CONNECTION_OPTIONS } from './admin/connection.ts'
import { formatTime } from './admin/format.ts'
import { LIMIT_OPTION, parseLimit } from './admin/limit.ts'
import { operationCommand } from './admin/operation-command.ts'
import { operationHelp } from './admin/operation-help.ts'
import { registrationCommands, secretCommands } from './admin/registration-commands.ts'
import { printList } from './admin/table.ts'
import { type Command, defineCommand, defineGroup } from './command.ts'

const INTRODUCTION = `Webhooks are URLs that events are posted to: sign-ins, new, blocked and deleted users, linked accounts
and consents. docs/webhooks.md describes the events, and how a receiver verifies them.`

const ARGUMENT = '<webhook_id>'

const DEFAULT_LIMIT = 50

const { delete: deleteWebhook, ...commonCommands } = registrationCommands({
  name: 'webhooks',
  type: 'Webhook',
  idField: 'webhook_id',
  nameField: 'url',
  schema: createWebhookSchema(),
  example: 'crm --url https://crm.example.com/events --event user.created',
  columns: { Events: ({ events }) => [events ?? 'all'].flat().join(', ') },
})

/** What is said of a webhook that has rejected no event. */
function describeState({ problem, unsent_since }: DeliveryState): string {
  if (problem !== undefined) return `No events are sent. ${problem}`
  if (unsent_since === undefined) return 'All events were accepted.'
  return `No event was rejected, but those since ${formatTime(unsent_since)} were not sent yet. \`npx vestibule-auth doctor <url>\` says whether the Cron Trigger runs.`
}

const COMMANDS: Record<string, Command> = {
  ...commonCommands,
  ...secretCommands('Webhook', {
    replaced: 'The oldest secret is removed.',
    created: 'Events are signed with the former secret, too: once the receiver uses the new one',
    createdAlone:
      'Events are signed only with the new secret, because AUTH_SECRET was replaced: the former one cannot be opened. Enter it at the receiver now; until then, it rejects events, which are sent again for a day.',
    removed: (id) => `Events for ${id} are signed only with its newest secret.`,
  }),
  test: operationCommand('testWebhook', {
    argument: ARGUMENT,
    json: (id) => ({ webhook_id: id, accepted: true }),
    text: (id) => `${id} has accepted a test event.`,
  }),
  deliveries: defineCommand({
    argument: ARGUMENT,
    ...operationHelp('listWebhookDeliveries'),
    options: { ...LIMIT_OPTION, ...CONNECTION_OPTIONS },
    async run({ values, argument: id, rejectUsage }) {
      const limit = parseLimit(values.limit, rejectUsage) ?? DEFAULT_LIMIT
      const api = await AdminApi.open(values)
      const list = await api.listUpTo<UnacceptedEvent>(limit, 'listWebhookDeliveries', {}, id)
      const isEmpty = list.items.length === 0 && !values.json
      printList(
        list,
        values,
        { Event: ({ event_id }) => event_id, ...DELIVERY_FIELDS },
        isEmpty ? describeState((await api.send('getWebhook', { id })) as DeliveryState) : '',
      )
    },
  }),
  resend: operationCommand('resendWebhookEvent', {
    argument: ARGUMENT,
    option: { name: 'event', value: 'ID', help: 'its id, which `deliveries` and `audit` list' },
    json: (id, event) => ({ webhook_id: id, event_id: event, accepted: true }),
    text: (id) => `${id} has accepted the event.`,
  }),
  delete: deleteWebhook,
}

/** Manages the webhooks of a deployment. */
export const webhooks = defineGroup({
  summary: 'Send events to other services',
  introduction: INTRODUCTION,
  commands: { Commands: COMMANDS },
})
