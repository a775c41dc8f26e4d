import { DataTable, Facts, State, Time } from '../../operations/console/console-parts.tsx'
import {
  NEW_SECRET,
  REMOVE_SECRET,
  type RegistrationAction,
} from '../../operations/console/registration-pages.tsx'
import type { Delivery, DeliveryState } from './deliveries.ts'

export const WEBHOOK_ACTIONS: readonly RegistrationAction[] = [
  NEW_SECRET,
  { path: 'test', label: 'Send a test event' },
  REMOVE_SECRET,
]

interface DeliveriesProps {
  id: string
  state: DeliveryState
  deliveries: readonly Delivery[]
  mayResend: boolean
}

/** Which events a webhook has not accepted. */
export function Deliveries({ id, state, deliveries, mayResend }: DeliveriesProps) {
  const { unsentSince, waiting, givenUp } = state
  return (
    <>
      <h2>Events</h2>
      <Facts
        facts={[
          [
            'Sent',
            unsentSince === undefined ? (
              'all events until a minute ago'
            ) : (
              <>
                events until <Time at={unsentSince} />
              </>
            ),
          ],
          ['Waiting for another attempt', waiting],
          ['Given up', givenUp > 0 ? <State text={String(givenUp)} isBad /> : undefined],
        ]}
      />
      <DataTable
        caption="Events that were not accepted, newest first"
        columns={['Event', 'Action', 'Type', 'Time', 'Attempts', 'Next attempt', 'Problem']}
        rows={deliveries.map(({ eventId, type, entry, attempts, dueAt, problem }) => [
          <span class="id">{eventId}</span>,
          mayResend && entry ? (
            <a href={`/admin/webhooks/${id}/events/${eventId}/resend`}>Send again</a>
          ) : undefined,
          type,
          entry && <Time at={entry.at} />,
          attempts,
          dueAt === undefined ? <State text="given up" isBad /> : <Time at={dueAt} />,
          problem,
        ])}
      />
    </>
  )
}
