import type { RecordedEntry } from '../../core/audit/audit-entry.ts'
import { postNotification } from '../../core/fetch/post-notification.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import { type EventType, eventType } from './event-types.ts'
import { signatureHeaders, type WebhookMessage } from './sign-webhook.ts'

/** Where events are sent to, and how they are signed. */
export interface Receiver {
  url: string
  secrets: readonly string[]
}

/** The message about an entry of the audit log. It contains ids, but no names or addresses. */
function entryMessage(entry: RecordedEntry, type: EventType): WebhookMessage {
  const { subject, actor, provider, client, outcome, requestId } = entry
  return {
    id: entry.id,
    body: eventBody(type, entry.at, {
      // Nobody is known who failed to sign in, except a user who is signed in or blocked.
      ...(subject !== undefined && { user_id: subject }),
      actor,
      ...(provider !== undefined && { provider }),
      ...(client !== undefined && { client_id: client }),
      ...(outcome !== 'ok' && { code: outcome }),
      ...(requestId !== undefined && { reference: requestId }),
    }),
  }
}

/** The content of a message, as Standard Webhooks recommends it. */
export function eventBody(type: string, at: number, data: Record<string, string>): string {
  return JSON.stringify({ type, timestamp: new Date(at * 1000).toISOString(), data })
}

/** Sends an event. Returns why it was not accepted, if it was not. */
export async function sendMessage(
  { url, secrets }: Receiver,
  message: WebhookMessage,
): Promise<string | undefined> {
  const headers = await signatureHeaders(message, secrets, nowInSeconds())
  try {
    const status = await postNotification(url, {
      body: message.body,
      headers: { 'Content-Type': 'application/json', ...headers },
    })
    return status >= 200 && status < 300 ? undefined : `It responded with ${status}.`
  } catch (error) {
    const isTimeout = error instanceof DOMException && error.name === 'TimeoutError'
    return isTimeout ? 'It did not respond in time.' : 'It could not be reached.'
  }
}

/** The message about an entry that this receiver gets; undefined if it does not get it. */
export function messageFor(
  events: readonly EventType[] | undefined,
  entry: RecordedEntry,
): WebhookMessage | undefined {
  const type = eventType(entry)
  if (type === undefined || events?.includes(type) === false) return undefined
  return entryMessage(entry, type)
}
