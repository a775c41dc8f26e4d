import * as z from 'zod/mini'
import type { OperationSchemas } from '../../administration/operation-schemas.ts'
import type { ShownFields } from '../../administration/shown-fields.ts'

/** An event that a webhook has not accepted. */
export type UnacceptedEvent = z.output<ReturnType<typeof createDeliverySchema>>

/** How far the deliveries to a webhook are. */
export type DeliveryState = z.output<z.ZodMiniObject<ReturnType<typeof deliveryState>>>

/** What the API returns about an event that a webhook has not accepted. */
export function createDeliverySchema(schemas: OperationSchemas) {
  const { text, optionalText, count, time, optionalTime } = schemas
  return z.object({
    event_id: text,
    /** Absent, like the time, if the entry of the audit log was deleted. */
    type: optionalText,
    at: optionalTime,
    attempts: count,
    failed_at: time,
    /** Absent if the event was given up. */
    due_at: optionalTime,
    problem: text,
  })
}

/** What the API returns about a webhook besides its registration. */
export function deliveryState({ count, optionalText, optionalTime }: OperationSchemas) {
  return {
    /** Why nothing is sent. Absent if nothing prevents it. */
    problem: optionalText,
    /** The time of the oldest entry that is late. Absent if all have been sent or put aside. */
    unsent_since: optionalTime,
    /** How many events wait for another attempt, and how many were given up. */
    waiting: count,
    given_up: count,
  }
}

/** The columns of a list, besides the id of the event. */
export const DELIVERY_FIELDS = {
  Type: ({ type }) => type,
  Time: ({ at }) => ({ time: at }),
  Attempts: ({ attempts }) => attempts,
  'Next attempt': ({ due_at }) =>
    due_at === undefined ? { problem: 'given up' } : { time: due_at },
  Problem: ({ problem }) => problem,
} satisfies ShownFields<UnacceptedEvent>
