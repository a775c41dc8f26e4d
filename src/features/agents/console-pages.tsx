import { DataTable, EmptyList, type Fact } from '../../administration/console/console-parts.tsx'
import { pickFields } from '../../administration/shown-fields.ts'
import { isolateTextDirection } from '../../foundation/values/isolate-text-direction.ts'
import { UNREGISTERED_CLIENT_FIELDS, type UnregisteredClient } from './resource.ts'

const PATH = '/admin/unregistered-clients'

interface UnregisteredClientsPageProps {
  clients: readonly UnregisteredClient[]
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
      {clients.length === 0 && (
        <EmptyList>
          <p>
            Apps that nobody has registered, such as agents, are listed here once a user has allowed
            them. To register an app yourself, open <a href="/admin/clients">Clients</a>.
          </p>
        </EmptyList>
      )}
      <DataTable
        caption="Unregistered clients, newest first"
        items={clients}
        columns={{
          Name: ({ id, name = id }) => <span class="detail">{isolateTextDirection(name)}</span>,
          ...pickFields(UNREGISTERED_CLIENT_FIELDS, 'State'),
          Action: (client) => mayBlock && <Actions {...client} />,
          ...pickFields(UNREGISTERED_CLIENT_FIELDS, 'Allowed', 'First', 'Last'),
          ID: ({ id }) => <span class="detail">{id}</span>,
        }}
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

function Actions({ id, hosts, blocked_at }: UnregisteredClient) {
  if (blocked_at !== undefined) return <a href={`${pathOf(id)}/unblock`}>Unblock</a>
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
export function unregisteredClientFacts(client: UnregisteredClient): Fact[] {
  return [
    ['ID', { code: client.id }],
    ['Name', { name: client.name }],
    ['Host', client.hosts.join(' ')],
    ['Allowed', UNREGISTERED_CLIENT_FIELDS.Allowed(client)],
  ]
}

/** The page that asks whether to block a client or a host. */
export function blockPath(id: string): string {
  return `${pathOf(id)}/block`
}

function pathOf(id: string): string {
  return `${PATH}/${encodeURIComponent(id)}`
}
