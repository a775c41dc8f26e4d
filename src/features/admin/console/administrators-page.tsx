import { DataTable, type Fact, State, Time } from '../../../operations/console/console-parts.tsx'
import { isolateTextDirection } from '../../../values/isolate-text-direction.ts'
import type { Administrator } from '../users/administrators.ts'

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
        columns={['Name', 'Role', 'Action', 'User', 'Defined in', 'Added', 'Added by']}
        rows={administrators.map((administrator) => [
          <span class="detail">{isolateTextDirection(administrator.name)}</span>,
          administrator.role,
          mayChange && administrator.source === 'database' && (
            <Actions path={administratorPath(administrator.name)} />
          ),
          <User administrator={administrator} ownId={ownId} />,
          administrator.source,
          administrator.createdAt && <Time at={administrator.createdAt} />,
          administrator.createdBy && <span class="id">{administrator.createdBy}</span>,
        ])}
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

/** The user to whom an entry applies. */
function User({
  administrator: { userId, userName, blockedAt },
  ownId,
}: {
  administrator: Administrator
  ownId: string | undefined
}) {
  if (userId === undefined) return <State text="nobody has signed in with this name" isBad />
  return (
    <>
      <a href={`/admin/users/${encodeURIComponent(userId)}`}>
        {isolateTextDirection(userName ?? userId)}
      </a>
      {userId === ownId && ' (you)'}
      {blockedAt !== undefined && (
        <>
          {' '}
          <State text="blocked" isBad />
        </>
      )}
    </>
  )
}

/** What tells administrators apart. */
export function administratorFacts({ name, role, userName }: Administrator): Fact[] {
  return [
    ['Name', <code>{name}</code>],
    ['Role', role],
    ['User', userName && isolateTextDirection(userName)],
  ]
}

/** Where an administrator is changed. */
function administratorPath(name: string): string {
  return `/admin/administrators/${encodeURIComponent(name)}`
}
