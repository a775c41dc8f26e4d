import { DataTable, type Fact, State, Time } from '../../operations/console/console-parts.tsx'
import { isolateTextDirection } from '../../values/isolate-text-direction.ts'
import type { UnregisteredClientRecord } from './client-store.ts'

const PATH = '/admin/unregistered-clients'

interface UnregisteredClientsPageProps {
  clients: readonly UnregisteredClientRecord[]
  /** Whether the settings accept any. */
  isAccepted: boolean
  mayBlock: boolean
  /** What was entered as a host to block, if it is none. */
  invalidHost?: string | undefined
}

export function UnregisteredClientsPage(props: UnregisteredClientsPageProps) {
  const { clients, isAccepted, mayBlock, invalidHost } = props
  return (
    <>
      {!isAccepted && (
        <p>
          The setting <code>UNREGISTERED_CLIENTS</code> accepts none.
        </p>
      )}
      {mayBlock && <HostForm invalidHost={invalidHost} />}
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

/** Leads to the page that blocks a host, which no client needs to have used. */
function HostForm({ invalidHost }: Pick<UnregisteredClientsPageProps, 'invalidHost'>) {
  const isInvalid = invalidHost !== undefined
  return (
    <form action={PATH}>
      <div class="fields">
        <div>
          <label for="host">Block a host</label>
          <input
            id="host"
            name="host"
            aria-invalid={isInvalid ? 'true' : undefined}
            aria-describedby={isInvalid ? 'host-problem host-hint' : 'host-hint'}
            value={invalidHost}
            required
            autofocus={isInvalid}
          />
          {isInvalid && (
            <p class="bad" id="host-problem">
              This is not a host. Enter a name without https:// and without a path.
            </p>
          )}
          <small id="host-hint">
            Blocks all its unregistered clients, including future ones. Enter evil.example, or
            *.evil.example for its subdomains.
          </small>
        </div>
      </div>
      <div class="row">
        <button type="submit">Block</button>
      </div>
    </form>
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
      <a href={blockPath(id)}>Block</a>
      {hosts.map((host) => (
        <>
          {' · '}
          <a href={blockPath(host)}>Block {host}</a>
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

/** The page that asks whether to block a client or a host. */
export function blockPath(id: string): string {
  return `${pathOf(id)}/block`
}

function pathOf(id: string): string {
  return `${PATH}/${encodeURIComponent(id)}`
}
