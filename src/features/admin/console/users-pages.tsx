import {
  DataTable,
  type Fact,
  Facts,
  State,
  Time,
} from '../../../operations/console/console-parts.tsx'
import { accountName } from '../../../users/account-reference.ts'
import type { AccountRow } from '../../../users/directory-rows.ts'
import { isolateTextDirection } from '../../../values/isolate-text-direction.ts'
import type { OPERATIONS } from '../operations/operation-table.ts'
import { passkeysOf } from '../passkeys.ts'
import type { AdminRole } from '../roles.ts'
import type { UserDetails } from '../users/manage-users.ts'
import type { UserSummary } from '../users/search-users.ts'
import { Outcome, ReferenceLink } from './audit-table.tsx'

interface UsersTableProps {
  caption: string
  users: readonly UserSummary[]
}

export function UsersTable({ caption, users }: UsersTableProps) {
  return (
    <DataTable
      caption={caption}
      columns={['Name', 'State', 'Email', 'Username', 'Accounts', 'Created']}
      rows={users.map((user) => [
        <a href={userPath(user.id)}>
          {isolateTextDirection(user.name ?? user.username ?? user.id)}
        </a>,
        user.blockedAt === undefined ? 'active' : <State text="blocked" isBad />,
        user.email && isolateTextDirection(user.email),
        user.username && isolateTextDirection(user.username),
        [...new Set(user.accounts.map(({ provider }) => provider))].join(', '),
        <Time at={user.createdAt} />,
      ])}
    />
  )
}

/** What tells users apart. */
export function userFacts(user: Pick<UserSummary, 'id' | 'name' | 'username' | 'email'>): Fact[] {
  return [
    ['User ID', <code>{user.id}</code>],
    ['Name', user.name && isolateTextDirection(user.name)],
    ['Username', user.username && isolateTextDirection(user.username)],
    ['Email, verified', user.email && isolateTextDirection(user.email)],
  ]
}

/** What tells the sessions of a user apart. */
export function sessionFacts(session: UserDetails['sessions'][number]): Fact[] {
  const { device, place, provider, authenticatedAt, lastUsedAt } = session
  return [
    ['Browser', device ?? 'unknown'],
    ['Place', place && isolateTextDirection(place)],
    ['Provider', provider],
    ['Signed in', <Time at={authenticatedAt} />],
    ['Last used', <Time at={lastUsedAt} />],
  ]
}

/** What identifies an account. */
export function accountFacts({ provider, provider_account_id: id, label }: AccountRow): Fact[] {
  return [
    ['Provider', provider],
    ['Account ID', <code>{id}</code>],
    ['Name', label && isolateTextDirection(label)],
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
  const isBlocked = user.blockedAt !== undefined
  const revokeLink = (clientId: string) =>
    may('revokeUserClient') && (
      <a href={`${path}/clients/${encodeURIComponent(clientId)}/revoke`}>Revoke</a>
    )
  const passkeys = passkeysOf(user)
  return (
    <>
      <Facts
        facts={[
          ...userFacts(user),
          ['State', isBlocked ? <State text={describeBlock(user)} isBad /> : 'active'],
          ['Blocked since', isBlocked ? <Time at={user.blockedAt} /> : undefined],
          ['Administrator', administratorRole],
          ['Created', <Time at={user.createdAt} />],
          ['Profile updated', <Time at={user.updatedAt} />],
        ]}
      />
      <div class="row">
        {may('exportUser') && <a href={`${path}/export`}>Export</a>}
        {may('endUserSessions') && <a href={`${path}/end-sessions`}>End all sessions</a>}
        {may('unblockUser') && isBlocked && <a href={`${path}/unblock`}>Unblock</a>}
        {may('blockUser') && (!isBlocked || user.isBlockIncomplete) && (
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
        columns={['Provider', 'State', 'Action', 'Account ID', 'Name']}
        rows={user.accounts.map(({ provider, accountId, label, isConfirmed }) => [
          provider,
          isConfirmed ? 'confirmed' : <State text="not confirmed" isBad />,
          may('removeUserAccount') && user.accounts.length > 1 && (
            <a
              href={`${path}/accounts/${encodeURIComponent(accountName({ provider, accountId }))}/remove`}
            >
              Remove
            </a>
          ),
          <code>{accountId}</code>,
          label && isolateTextDirection(label),
        ])}
      />
      {passkeys.length > 0 && (
        <DataTable
          caption="Passkeys"
          columns={['Name', 'Added', 'Last used', 'Synced']}
          rows={passkeys.map(({ name, ...passkey }) => [
            isolateTextDirection(name),
            <Time at={passkey.created_at} />,
            passkey.last_used_at && <Time at={passkey.last_used_at} />,
            passkey.is_backed_up ? 'yes' : 'no',
          ])}
        />
      )}
      <DataTable
        caption="Sessions"
        columns={['Browser', 'Action', 'Place', 'Provider', 'Signed in', 'Last used', 'Clients']}
        rows={user.sessions.map((session) => [
          session.device ?? 'unknown',
          may('endUserSession') && (
            <a href={`${path}/sessions/${encodeURIComponent(session.sid)}/end`}>End session</a>
          ),
          session.place && isolateTextDirection(session.place),
          session.provider,
          <Time at={session.authenticatedAt} />,
          <Time at={session.lastUsedAt} />,
          session.clientIds.join(', '),
        ])}
      />
      <DataTable
        caption="Consents"
        columns={['Client', 'Action', 'Scopes', 'Declined', 'APIs']}
        rows={user.consents.map(({ clientId, scope, declined, resources }) => [
          clientId,
          revokeLink(clientId),
          scope.join(' '),
          declined.join(' '),
          resources.join(' '),
        ])}
      />
      <DataTable
        caption="Grants"
        columns={['Client', 'Action', 'Scopes', 'APIs', 'Since', 'Until']}
        rows={user.grants.map(({ clientId, scope, resources, since, expiresAt }) => [
          clientId,
          revokeLink(clientId),
          scope.join(' '),
          resources.join(' '),
          <Time at={since} />,
          <Time at={expiresAt} />,
        ])}
      />
      <DataTable
        caption="Recent sign-ins"
        columns={['Time', 'Outcome', 'Provider', 'Client', 'Network', 'Reference']}
        rows={user.recentSignIns.map((entry) => [
          <Time at={entry.at} />,
          <Outcome outcome={entry.outcome} />,
          entry.provider,
          entry.client,
          entry.network,
          entry.requestId && <ReferenceLink reference={entry.requestId} />,
        ])}
      />
    </>
  )
}

function describeBlock({ isBlockIncomplete }: UserDetails): string {
  return isBlockIncomplete
    ? 'partly blocked: sessions may still be active. Block the user again, or unblock the user.'
    : 'blocked'
}

/** The page of a user, and the name of the user. */
export function userLink({ id, name, username }: Pick<UserSummary, 'id' | 'name' | 'username'>) {
  return {
    href: userPath(id),
    label: isolateTextDirection(name ?? username ?? id),
  }
}

function userPath(id: string): string {
  return `/admin/users/${encodeURIComponent(id)}`
}
