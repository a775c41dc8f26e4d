import { DataTable, Facts } from '../../administration/console/console-parts.tsx'
import {
  NEW_SECRET,
  REMOVE_SECRET,
  type RegistrationAction,
} from '../../administration/console/registration-pages.tsx'
import { Time } from '../../administration/console/times.tsx'
import { DELIVERY_FIELDS, type DeliveryState, type UnacceptedEvent } from './resource.ts'

export const WEBHOOK_ACTIONS: readonly RegistrationAction[] = [
  NEW_SECRET,
  { path: 'test', label: 'Send a test event' },
  REMOVE_SECRET,
]

interface DeliveriesProps {
  id: string
  state: DeliveryState
  deliveries: readonly UnacceptedEvent[]
  mayResend: boolean
}

/** Which events a webhook has not accepted. */
export function Deliveries({ id, state, deliveries, mayResend }: DeliveriesProps) {
  const { problem, unsent_since, waiting, given_up } = state
  return (
    <>
      <h2>Events</h2>
      <Facts
        facts={[
          ['Nothing is sent', problem === undefined ? undefined : { problem }],
          [
            'Sent',
            unsent_since === undefined ? (
              'all events until a minute ago'
            ) : (
              <>
                events until <Time at={unsent_since} />
              </>
            ),
          ],
          ['Waiting for another attempt', waiting],
          ['Given up', given_up > 0 ? { problem: String(given_up) } : undefined],
        ]}
      />
      <DataTable
        caption="Events that were not accepted, newest first"
        items={deliveries}
        columns={{
          Event: ({ event_id }) => ({ id: event_id }),
          // An entry that was deleted cannot be sent.
          Action: ({ event_id, at }) =>
            mayResend &&
            at !== undefined && (
              <a href={`/admin/webhooks/${id}/events/${event_id}/resend`}>Send again</a>
            ),
          ...DELIVERY_FIELDS,
        }}
      />
    </>
  )
}
