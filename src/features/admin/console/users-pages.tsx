import { NamedLink } from '../../../administration/console/cards.tsx'
import {
  Chips,
  DataTable,
  EmptyList,
  type Fact,
  filterUrl,
  type Sorting,
  sortingBy,
} from '../../../administration/console/console-parts.tsx'
import { pickFields } from '../../../administration/shown-fields.ts'
import { isolateTextDirection } from '../../../foundation/values/isolate-text-direction.ts'
import { USER_FIELDS, type User } from '../resources/user.ts'
import type { UserList } from '../users/search-users.ts'

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
      narrow={{ beside: 'State', below: 'Email' }}
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

/** The page of a user, and the name of the user. */
export function userLink(user: NamedUser) {
  return { href: userPath(user.id), label: isolateTextDirection(userName(user)) }
}

type NamedUser = Pick<User, 'id' | 'name' | 'username' | 'email'>

/** Users who sign in by email may have no other name. */
export function userName({ id, name, username, email }: NamedUser): string {
  return name ?? username ?? email ?? id
}

export function userPath(id: string): string {
  return `/admin/users/${encodeURIComponent(id)}`
}
