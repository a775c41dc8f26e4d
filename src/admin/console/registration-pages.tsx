import type { RegistrationRecord } from '../../registrations/registration-store.ts'
import { isolateTextDirection } from '../../values/isolate-text-direction.ts'
import { DataTable, Facts, State, Time } from './console-parts.tsx'

/** A client, an API or a webhook. */
export interface RegistrationView extends Omit<RegistrationRecord, 'source'> {
  name: string | undefined
  /** `service`: it is part of the service itself. */
  source: RegistrationRecord['source'] | 'service'
}

interface ListPageProps {
  /** `clients`, `apis` or `webhooks`, as in the addresses. */
  kind: string
  title: string
  /** With its article. */
  noun: string
  registrations: readonly RegistrationView[]
  mayChange: boolean
}

export function RegistrationsPage({ kind, title, noun, registrations, mayChange }: ListPageProps) {
  return (
    <>
      {mayChange && (
        <div class="row">
          <a class="primary" href={`/admin/new/${kind}`}>
            Add {noun}
          </a>
        </div>
      )}
      <RegistrationsTable
        kind={kind}
        caption={`${title}: ${registrations.length}`}
        registrations={registrations}
      />
    </>
  )
}

interface RegistrationsTableProps extends Pick<ListPageProps, 'kind' | 'registrations'> {
  caption: string
}

export function RegistrationsTable({ kind, caption, registrations }: RegistrationsTableProps) {
  return (
    <DataTable
      caption={caption}
      columns={['ID', kind === 'webhooks' ? 'URL' : 'Name', 'State', 'Secrets', 'Defined in']}
      rows={registrations.map(({ id, name, source, secretCount, disabledAt }) => [
        // The ids of APIs are addresses, which need more space.
        <a class={kind === 'apis' ? 'detail' : undefined} href={registrationPath(kind, id)}>
          {id}
        </a>,
        name && isolateTextDirection(name),
        disabledAt === undefined ? 'enabled' : <State text="disabled" isBad />,
        secretCount,
        source === 'service' ? 'the service' : source,
      ])}
    />
  )
}

interface RegistrationPageProps {
  kind: string
  registration: RegistrationView
  mayChange: boolean
}

export function RegistrationPage({ kind, registration, mayChange }: RegistrationPageProps) {
  const { id, source, secretCount, disabledAt, createdAt, updatedAt } = registration
  return (
    <>
      <Facts
        facts={[
          ['State', disabledAt ? <State text="disabled" isBad /> : 'enabled'],
          ['Disabled since', disabledAt && <Time at={disabledAt} />],
          ['Created', createdAt && <Time at={createdAt} />],
          ['Changed', updatedAt && <Time at={updatedAt} />],
          ['Valid secrets', secretCount],
        ]}
      />
      {source === 'settings' && (
        <p>
          It is defined in <code>{kind.toUpperCase()}</code> in the settings and cannot be changed
          here.
        </p>
      )}
      {source === 'service' && (
        <p>This is part of the service itself, and cannot be changed here.</p>
      )}
      {source === 'database' && mayChange && (
        <Actions kind={kind} registration={registration} path={registrationPath(kind, id)} />
      )}
      <h2>Registration</h2>
      <Facts
        facts={Object.entries(registration.registration).map(([name, value]) => [
          name,
          formatValue(value),
        ])}
      />
    </>
  )
}

type ActionsProps = Pick<RegistrationPageProps, 'kind' | 'registration'> & { path: string }

function Actions({ kind, registration: { disabledAt, secretCount = 0 }, path }: ActionsProps) {
  const isDisabled = disabledAt !== undefined
  return (
    <div class="row">
      <a href={`${path}/edit`}>Edit</a>
      {kind !== 'apis' && <a href={`${path}/rotate-secret`}>New secret</a>}
      {kind === 'webhooks' && <a href={`${path}/test`}>Send a test event</a>}
      {isDisabled && <a href={`${path}/enable`}>Enable</a>}
      {secretCount > 1 && (
        <a class="danger" href={`${path}/remove-former-secret`}>
          Remove former secret
        </a>
      )}
      {kind === 'clients' && !isDisabled && (
        <a class="danger" href={`${path}/disable`}>
          Disable
        </a>
      )}
      <a class="danger" href={`${path}/delete`}>
        Delete
      </a>
    </div>
  )
}

function formatValue(value: unknown) {
  if (Array.isArray(value)) {
    const lines = value.map((item) => <div>{formatValue(item)}</div>)
    return lines.length > 0 ? lines : undefined
  }
  if (isScope(value)) return isolateTextDirection(`${value.name} – ${value.description}`)
  return typeof value === 'string' ? isolateTextDirection(value) : JSON.stringify(value)
}

/** A scope of an API, with its sentence for the consent page. */
function isScope(value: unknown): value is { name: string; description: string } {
  return typeof value === 'object' && value !== null && 'name' in value && 'description' in value
}

function registrationPath(kind: string, id: string): string {
  return `/admin/${kind}/${encodeURIComponent(id)}`
}
