import type { UnregisteredClientRecord } from '../../registrations/unregistered-client-store.ts'
import { isolateTextDirection } from '../../values/isolate-text-direction.ts'
import { DataTable, type Fact, State, Time } from './console-parts.tsx'

interface UnregisteredClientsPageProps {
  clients: readonly UnregisteredClientRecord[]
  /** Whether the settings accept any. */
  isAccepted: boolean
  mayBlock: boolean
}

export function UnregisteredClientsPage(props: UnregisteredClientsPageProps) {
  const { clients, isAccepted, mayBlock } = props
  return (
    <>
      {!isAccepted && (
        <p>
          The setting <code>UNREGISTERED_CLIENTS</code> accepts none.
        </p>
      )}
      <DataTable
        caption="Unregistered clients, newest first"
        columns={['ID', 'Name', 'State', 'Action', 'Allowed', 'First', 'Last']}
        rows={clients.map(({ id, hosts, name, approvals, createdAt, approvedAt, blockedAt }) => [
          <span class="detail">{id}</span>,
          name && isolateTextDirection(name),
          blockedAt === undefined ? 'accepted' : <State text="blocked" isBad />,
          mayBlock && <Actions id={id} hosts={hosts} isBlocked={blockedAt !== undefined} />,
          approvals > 0 && `${approvals}×`,
          <Time at={createdAt} />,
          approvedAt && <Time at={approvedAt} />,
        ])}
      />
    </>
  )
}

function Actions({
  id,
  hosts,
  isBlocked,
}: {
  id: string
  hosts: readonly string[]
  isBlocked: boolean
}) {
  if (isBlocked) return <a href={`${pathOf(id)}/unblock`}>Unblock</a>
  return (
    <>
      <a href={`${pathOf(id)}/block`}>Block</a>
      {hosts.map((host) => (
        <>
          {' '}
          <a href={`${pathOf(host)}/block`}>Block {host}</a>
        </>
      ))}
    </>
  )
}

/** What tells the clients apart. */
export function unregisteredClientFacts({
  id,
  hosts,
  name,
  approvals,
}: UnregisteredClientRecord): Fact[] {
  return [
    ['ID', <code>{id}</code>],
    ['Name', name && isolateTextDirection(name)],
    ['Host', hosts.join(' ')],
    ['Allowed', approvals > 0 && `${approvals}×`],
  ]
}

function pathOf(id: string): string {
  return `/admin/unregistered-clients/${encodeURIComponent(id)}`
}
