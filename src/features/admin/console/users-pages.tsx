import { DataTable, type Fact, Facts } from '../../../operations/console/console-parts.tsx'
import { pickFields } from '../../../operations/shown-fields.ts'
import { accountName } from '../../../users/account-reference.ts'
import { isolateTextDirection } from '../../../values/isolate-text-direction.ts'
import type { OPERATIONS } from '../operations/operation-table.ts'
import {
  ACCOUNT_FIELDS,
  SESSION_FIELDS,
  USER_FIELDS,
  type User,
  type UserDetails,
} from '../resources/user.ts'
import type { AdminRole } from '../roles.ts'
import { ReferenceLink, showOutcome } from './audit-table.tsx'

interface UsersTableProps {
  caption: string
  users: readonly User[]
}

export function UsersTable({ caption, users }: UsersTableProps) {
  return (
    <DataTable
      caption={caption}
      items={users}
      columns={{
        Name: (user) => {
          const { href, label } = userLink(user)
          return <a href={href}>{label}</a>
        },
        ...USER_FIELDS,
      }}
    />
  )
}

/** What tells users apart. */
export function userFacts(user: Pick<User, 'id' | 'name' | 'username' | 'email'>): Fact[] {
  return [
    ['User ID', { code: user.id }],
    ['Name', { name: user.name }],
    ['Username', { name: user.username }],
    ['Email, verified', { name: user.email }],
  ]
}

interface UserPageProps {
  user: UserDetails
  /** Absent if the user is not an administrator. */
  administratorRole: AdminRole | undefined
  /** Whether the signed-in administrator may do this. Other operations are not shown. */
  may: (operationId: keyof typeof OPERATIONS) => boolean
}

/** Everything an administrator can see and do about one user. */
export function UserPage({ user, administratorRole, may }: UserPageProps) {
  const path = userPath(user.id)
  const isBlocked = user.blocked_at !== undefined
  const revokeLink = ({ client_id }: { client_id: string }) =>
    may('revokeUserClient') && (
      <a href={`${path}/clients/${encodeURIComponent(client_id)}/revoke`}>Revoke</a>
    )
  return (
    <>
      <Facts
        facts={[
          ...userFacts(user),
          ['State', isBlocked ? { problem: describeBlock(user) } : 'active'],
          ['Blocked since', { time: user.blocked_at }],
          ['Administrator', administratorRole],
          ['Created', { time: user.created_at }],
          ['Profile updated', { time: user.updated_at }],
        ]}
      />
      <div class="row">
        {may('exportUser') && <a href={`${path}/export`}>Export</a>}
        {may('endUserSessions') && <a href={`${path}/end-sessions`}>End all sessions</a>}
        {may('unblockUser') && isBlocked && <a href={`${path}/unblock`}>Unblock</a>}
        {may('blockUser') && (!isBlocked || user.is_block_incomplete) && (
          <a class="danger" href={`${path}/block`}>
            Block
          </a>
        )}
        {may('deleteUser') && (
          <a class="danger" href={`${path}/delete`}>
            Delete
          </a>
        )}
      </div>
      <DataTable
        caption="Accounts"
        items={user.accounts}
        columns={{
          ...pickFields(ACCOUNT_FIELDS, 'Provider'),
          State: ({ is_confirmed }) => (is_confirmed ? 'confirmed' : { problem: 'not confirmed' }),
          Action: ({ provider, account_id: accountId }) =>
            may('removeUserAccount') &&
            user.accounts.length > 1 && (
              <a
                href={`${path}/accounts/${encodeURIComponent(accountName({ provider, accountId }))}/remove`}
              >
                Remove
              </a>
            ),
          ...pickFields(ACCOUNT_FIELDS, 'Account ID', 'Name'),
        }}
      />
      {user.passkeys.length > 0 && (
        <DataTable
          caption="Passkeys"
          items={user.passkeys}
          columns={{
            Name: ({ name }) => ({ name }),
            Added: ({ created_at }) => ({ time: created_at }),
            'Last used': ({ last_used_at }) => ({ time: last_used_at }),
            Synced: ({ is_backed_up }) => (is_backed_up ? 'yes' : 'no'),
          }}
        />
      )}
      <DataTable
        caption="Sessions"
        items={user.sessions}
        columns={{
          ...pickFields(SESSION_FIELDS, 'Browser'),
          Action: ({ sid }) =>
            may('endUserSession') && (
              <a href={`${path}/sessions/${encodeURIComponent(sid)}/end`}>End session</a>
            ),
          ...pickFields(SESSION_FIELDS, 'Place', 'Provider', 'Signed in', 'Last used'),
          Clients: ({ client_ids }) => client_ids.join(', '),
        }}
      />
      <DataTable
        caption="Consents"
        items={user.consents}
        columns={{
          Client: ({ client_id }) => client_id,
          Action: revokeLink,
          Scopes: ({ scope }) => scope.join(' '),
          Declined: ({ declined }) => declined.join(' '),
          APIs: ({ resources }) => resources.join(' '),
        }}
      />
      <DataTable
        caption="Grants"
        items={user.grants}
        columns={{
          Client: ({ client_id }) => client_id,
          Action: revokeLink,
          Scopes: ({ scope }) => scope.join(' '),
          APIs: ({ resources }) => resources.join(' '),
          Since: ({ since }) => ({ time: since }),
          Until: ({ expires_at }) => ({ time: expires_at }),
        }}
      />
      <DataTable
        caption="Recent sign-ins"
        items={user.recent_sign_ins}
        columns={{
          Time: ({ at }) => ({ time: at }),
          Outcome: ({ outcome }) => showOutcome(outcome),
          Provider: ({ provider }) => provider,
          Client: ({ client }) => client,
          Network: ({ network }) => network,
          Reference: ({ request_id }) => request_id && <ReferenceLink reference={request_id} />,
        }}
      />
    </>
  )
}

function describeBlock({ is_block_incomplete }: UserDetails): string {
  return is_block_incomplete
    ? 'partly blocked: sessions may still be active. Block the user again, or unblock the user.'
    : 'blocked'
}

/** The page of a user, and the name of the user. */
export function userLink({ id, name, username }: Pick<User, 'id' | 'name' | 'username'>) {
  return {
    href: userPath(id),
    label: isolateTextDirection(name ?? username ?? id),
  }
}

function userPath(id: string): string {
  return `/admin/users/${encodeURIComponent(id)}`
}
