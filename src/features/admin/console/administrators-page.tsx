import { DataTable, type Fact, State } from '../../../administration/console/console-parts.tsx'
import { pickFields } from '../../../administration/shown-fields.ts'
import { isolateTextDirection } from '../../../foundation/values/isolate-text-direction.ts'
import {
  ADMINISTRATOR_FIELDS,
  type Administrator,
  NEVER_SIGNED_IN,
} from '../resources/administrator.ts'

interface AdministratorsPageProps {
  administrators: readonly Administrator[]
  /** The id of the signed-in administrator. */
  ownId: string | undefined
  mayChange: boolean
}

export function AdministratorsPage({ administrators, ownId, mayChange }: AdministratorsPageProps) {
  return (
    <>
      {mayChange && (
        <div class="row">
          <a class="primary" href="/admin/new/administrators">
            Add an administrator
          </a>
        </div>
      )}
      <DataTable
        caption={`Administrators: ${administrators.length}`}
        items={administrators}
        columns={{
          Name: ({ name }) => <span class="detail">{isolateTextDirection(name)}</span>,
          ...pickFields(ADMINISTRATOR_FIELDS, 'Role'),
          Action: ({ name, source }) =>
            mayChange && source === 'database' && <Actions path={administratorPath(name)} />,
          User: (administrator) => <User administrator={administrator} ownId={ownId} />,
          ...pickFields(ADMINISTRATOR_FIELDS, 'Defined in', 'Added', 'Added by'),
        }}
      />
      {administrators.some(({ source }) => source === 'settings') && (
        <p>
          Administrators of the settings are in <code>AUTH_ADMINS</code>. They are owners, and
          cannot be changed or removed here: change the setting, and deploy.
        </p>
      )}
    </>
  )
}

function Actions({ path }: { path: string }) {
  return (
    <>
      <a href={`${path}/edit`}>Change role</a> <a href={`${path}/delete`}>Remove</a>
    </>
  )
}

interface UserProps extends Pick<AdministratorsPageProps, 'ownId'> {
  administrator: Administrator
}

/** The user to whom an entry applies. */
function User({ administrator, ownId }: UserProps) {
  const { user_id, user_name, blocked_at } = administrator
  if (user_id === undefined) return <State text={NEVER_SIGNED_IN} isBad />
  return (
    <>
      <a href={`/admin/users/${encodeURIComponent(user_id)}`}>
        {isolateTextDirection(user_name ?? user_id)}
      </a>
      {user_id === ownId && ' (you)'}
      {blocked_at !== undefined && (
        <>
          {' '}
          <State text="blocked" isBad />
        </>
      )}
    </>
  )
}

/** What tells administrators apart. */
export function administratorFacts({ name, role, user_name }: Administrator): Fact[] {
  return [
    ['Name', { code: name }],
    ['Role', role],
    ['User', { name: user_name }],
  ]
}

/** Where an administrator is changed. */
function administratorPath(name: string): string {
  return `/admin/administrators/${encodeURIComponent(name)}`
}
