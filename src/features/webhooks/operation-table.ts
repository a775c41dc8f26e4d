import { get, patch, post, remove } from '../../administration/operation-description.ts'

/** The operations on webhooks. */
export const OPERATIONS = {
  listWebhooks: get('/webhooks', 'admin:read', { summary: 'List the webhooks' }),
  createWebhook: post('/webhooks', 'admin:write', {
    summary: 'Register a webhook',
    details: ['It gets the events from now on. Its secret is shown only this once.'],
  }),
  getWebhook: get('/webhooks/:id', 'admin:read', {
    summary: 'Show this webhook, and whether its events were accepted',
  }),
  updateWebhook: patch('/webhooks/:id', 'admin:write', {
    summary: 'Change fields of this webhook',
    details: ['Lists are replaced, and null removes a field (RFC 7396).'],
  }),
  deleteWebhook: remove('/webhooks/:id', 'admin:write', {
    summary: 'Delete this webhook',
    details: ['It gets no further events, also none that wait for another attempt.'],
    button: 'Delete',
    done: '{subject} is deleted.',
    isDanger: true,
  }),
  rotateWebhookSecret: post('/webhooks/:id/rotate-secret', 'admin:write', {
    summary: 'Create a new secret for this webhook',
    details: [
      'The new secret is shown once. Events are signed with both until you remove the present one.',
      'If the webhook already has three secrets, the oldest one is removed.',
    ],
    button: 'Create a new secret',
  }),
  removeFormerWebhookSecret: post('/webhooks/:id/remove-former-secret', 'admin:write', {
    summary: 'Remove the former secret of this webhook',
    details: ['Events are signed only with the newest secret.'],
    button: 'Remove',
    done: 'The former secret of {subject} is removed.',
    isDanger: true,
  }),
  testWebhook: post('/webhooks/:id/test', 'admin:write', {
    summary: 'Send a test event to this webhook',
    details: ['The event has the type test. If it is not accepted, you see why.'],
    button: 'Send',
    done: '{subject} has accepted a test event.',
  }),
  listWebhookDeliveries: get('/webhooks/:id/deliveries', 'admin:read', {
    summary: 'List the events that this webhook has not accepted',
    details: [
      'The newest come first. Those without due_at were given up a day after the first attempt, and are listed for a week.',
    ],
  }),
  resendWebhookEvent: post('/webhooks/:id/events/:event/resend', 'admin:write', {
    summary: 'Send this event to the webhook again',
    details: ['It has the same id as before. If it is not accepted, you see why.'],
    button: 'Send',
    done: '{subject} has accepted the event.',
  }),
}
