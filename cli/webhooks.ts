import { createWebhookSchema } from '../src/features/webhooks/webhook-schema.ts'
import { AdminApi } from './admin/admin-api.ts'
import { CONNECTION_OPTIONS } from './admin/connection.ts'
import { formatTime, printJson, printLine, printTable } from './admin/format.ts'
import { LIMIT_OPTION, parseLimit, reportIfCut } from './admin/limit.ts'
import { operationCommand } from './admin/operation-command.ts'
import { operationHelp } from './admin/operation-help.ts'
import {
  hasFormerSecret,
  printSecret,
  refuseWithoutFormerSecret,
  registrationCommands,
} from './admin/registration-commands.ts'
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
  columns: { events: ({ events }) => events ?? 'all' },
})

const COMMANDS: Record<string, Command> = {
  ...commonCommands,
  'rotate-secret': operationCommand('rotateWebhookSecret', {
    argument: ARGUMENT,
    lookup: 'getWebhook',
    isDanger: hasFormerSecret,
    print: (id, response) => printSecret('webhook', id, response),
    text: (id, webhook) =>
      `${hasFormerSecret(webhook) ? 'The oldest secret is removed. ' : ''}Events are signed with the former secret, too: once the receiver uses the new one, run \`npx vestibule-auth webhooks remove-former-secret ${id}\`.`,
  }),
  'remove-former-secret': operationCommand('removeFormerWebhookSecret', {
    argument: ARGUMENT,
    lookup: 'getWebhook',
    refusal: refuseWithoutFormerSecret,
    text: (id) => `Events for ${id} are signed only with its newest secret.`,
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
      const list = await api.listUpTo(limit, 'listWebhookDeliveries', {}, id)
      reportIfCut(list)
      if (values.json) return printJson(list.items)
      printTable(
        ['event', 'type', 'time', 'attempts', 'next attempt', 'problem'],
        list.items.map(({ event_id, type, at, attempts, due_at, problem }) => [
          event_id,
          type,
          formatTime(at),
          attempts,
          due_at === undefined ? 'given up' : formatTime(due_at),
          problem,
        ]),
        'All events were accepted.',
      )
    },
  }),
  resend: defineCommand({
    argument: ARGUMENT,
    ...operationHelp('resendWebhookEvent'),
    options: {
      event: { type: 'string', value: 'ID', help: 'its id, which `deliveries` and `audit` list' },
      ...CONNECTION_OPTIONS,
    },
    async run({ values, argument: id, rejectUsage }) {
      const { event } = values
      if (!event) return rejectUsage('--event is required.')
      const api = await AdminApi.open(values)
      await api.send('resendWebhookEvent', { id, event })
      if (values.json) return printJson({ webhook_id: id, event_id: event, accepted: true })
      printLine(`${id} has accepted the event.`)
    },
  }),
  delete: deleteWebhook,
}

/** Manages the webhooks of a deployment. */
export const webhooks = defineGroup({
  summary: 'Send events to other services',
  introduction: INTRODUCTION,
  commands: COMMANDS,
})
