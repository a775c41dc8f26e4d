import type { Child } from 'hono/jsx'
import {
  Chips,
  DataTable,
  EmptyList,
  type Fact,
  Facts,
  filterUrl,
  NamedLink,
  type Sorting,
  sortingBy,
} from '../../../operations/console/console-parts.tsx'
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
import type { UserList } from '../users/search-users.ts'
import { ReferenceLink, showOutcome } from './audit-table.tsx'

interface UsersTableProps {
  caption: string
  users: readonly User[]
  sorting?: Readonly<Record<string, Sorting>> | undefined
}

export function UsersTable({ caption, users, sorting }: UsersTableProps) {
  return (
    <DataTable
      caption={caption}
      items={users}
      sorting={sorting}
      columns={{
        Name: (user) => (
          <NamedLink
            href={userPath(user.id)}
            name={userName(user)}
            image={user.image}
            note={user.name && user.username}
          />
        ),
        ...pickFields(USER_FIELDS, 'Email', 'State', 'Accounts', 'Created'),
        ID: ({ id }) => ({ id }),
      }}
    />
  )
}

/** What the list can show, and how its caption says it. */
const CAPTIONS: Record<UserList, string> = {
  newest: 'All users, newest first',
  oldest: 'All users, oldest first',
  name: 'Users who have a name, from A to Z',
  name_desc: 'Users who have a name, from Z to A',
  blocked: 'Blocked users, last blocked first',
}

interface UsersPageProps extends Omit<UsersTableProps, 'caption' | 'sorting'> {
  list: UserList
}

/** A list of users. */
export function UsersPage({ list, users }: UsersPageProps) {
  const urlOf = (other: string) => usersUrl(other as UserList)
  const isBlocked = list === 'blocked'
  return (
    <>
      <Chips
        chips={[
          { href: usersUrl('newest'), label: 'All', isSelected: !isBlocked },
          { href: usersUrl('blocked'), label: 'Blocked', isSelected: isBlocked },
        ]}
      />
      {users.length === 0 ? (
        <NoUsers isBlocked={isBlocked} />
      ) : (
        <UsersTable
          caption={CAPTIONS[list]}
          users={users}
          sorting={
            isBlocked
              ? undefined
              : sortingBy(
                  list,
                  { Name: ['name', 'name_desc'], Created: ['oldest', 'newest'] },
                  urlOf,
                )
          }
        />
      )}
    </>
  )
}

function NoUsers({ isBlocked }: { isBlocked: boolean }) {
  return (
    <EmptyList>
      {isBlocked ? (
        <p>
          Nobody is blocked. To block a user, open their page: they are signed out everywhere, and
          cannot sign in.
        </p>
      ) : (
        <p>
          Everyone who signs in becomes a user, and is listed here. To bring users of another
          service along, run <code>npx vestibule-auth users import</code>
        </p>
      )}
    </EmptyList>
  )
}

function usersUrl(list: UserList): string {
  return filterUrl('/admin/users', { list: list === 'newest' ? '' : list })
}

/** What tells users apart. */
export function userFacts(user: Pick<User, 'id' | 'name' | 'username' | 'email'>): Fact[] {
  return [
    ['Name', { name: user.name }],
    ['Username', { name: user.username }],
    ['Email, verified', { name: user.email }],
    ['User ID', { code: user.id }],
  ]
}

interface UserPageProps {
  user: UserDetails
  /** Absent if the user is not an administrator. */
  administratorRole: AdminRole | undefined
  /** Whether the signed-in administrator may do this. Other operations are not shown. */
  may: (operationId: keyof typeof OPERATIONS) => boolean
  /** What features show. */
  parts?: readonly Child[]
}

/** Everything an administrator can see and do about one user. */
export function UserPage({ user, administratorRole, may, parts = [] }: UserPageProps) {
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
          ['Reason of the block', { name: user.block_reason }],
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
      {parts}
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
export function userLink(user: NamedUser) {
  return { href: userPath(user.id), label: isolateTextDirection(userName(user)) }
}

type NamedUser = Pick<User, 'id' | 'name' | 'username' | 'email'>

/** Users who sign in by email may have no other name. */
function userName({ id, name, username, email }: NamedUser): string {
  return name ?? username ?? email ?? id
}

function userPath(id: string): string {
  return `/admin/users/${encodeURIComponent(id)}`
}
