import type { AppContext } from '../../../http/app-env.ts'
import { mayUse } from '../../../operations/console/authorization.ts'
import { type Fact, factsAbout, PageLinks } from '../../../operations/console/console-parts.tsx'
import { consolePage, notFoundPage } from '../../../operations/console/console-response.tsx'
import type { ConsoleSection, Subject } from '../../../operations/console/section.ts'
import { toShownUser } from '../../../pages/page-response.tsx'
import { accountName } from '../../../users/account-reference.ts'
import { readUserRows } from '../../../users/linked-accounts.ts'
import { OPERATIONS } from '../operations/operation-table.ts'
import { featureOperations } from '../operations/operations.ts'
import { ACCOUNT_FIELDS, SESSION_FIELDS, type User } from '../resources/user.ts'
import { readRole } from '../users/administrators.ts'
import { readUserDetails } from '../users/manage-users.ts'
import { searchUsers, toUser, USER_LISTS } from '../users/search-users.ts'
import { UserPage, UsersPage, userFacts, userLink } from './users-pages.tsx'

/** How many users a page lists. With the URLs of their pictures, it stays small. */
export const PAGE_LENGTH = 30

/** The list of users, and the page of each. */
export const USERS: ConsoleSection = {
  id: 'users',
  label: 'Users',
  icon: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4 21c1-6 15-6 16 0',
  noun: 'user',
  hasSubjectPages: true,
  addRoutes(routes) {
    routes.get('/users', listUsers)
    routes.get('/users/:id', showUser)
  },
  readSubject,
}

async function listUsers(c: AppContext): Promise<Response> {
  const cursor = c.req.query('cursor')
  const list = USER_LISTS.find((name) => name === c.req.query('list')) ?? 'newest'
  const page = await searchUsers(c.env, { query: '', list, cursor, limit: PAGE_LENGTH })
  const users = withLoadedImages(c, page.items)
  return consolePage(
    c,
    { section: 'users', title: 'Users', images: users.map(({ image }) => image) },
    <>
      <UsersPage list={list} users={users} />
      <PageLinks
        path="/admin/users"
        filter={{ list: list === 'newest' ? '' : list }}
        cursor={cursor}
        nextCursor={page.next_cursor}
      />
    </>,
  )
}

/** The users without the pictures that pages do not load. */
export function withLoadedImages(c: AppContext, users: readonly User[]): User[] {
  return users.map((user) => ({
    ...user,
    image: toShownUser(c.get('config'), { image: user.image ?? null }).image,
  }))
}

async function showUser(c: AppContext): Promise<Response> {
  const details = await readUserDetails(c.env, c.get('config'), c.req.param('id') ?? '')
  if (!details) return notFoundPage(c, 'users', 'user')
  const title = userLink(details).label
  const role = await readRole(c.env, c.get('config'), details.id)
  const isProtected = role === 'owner' && !mayUse(c, OPERATIONS.setAdministrator)
  const may = (id: keyof typeof OPERATIONS) =>
    mayUse(c, OPERATIONS[id]) && (OPERATIONS[id].method === 'get' || !isProtected)
  const sections = featureOperations(c.get('config').features).flatMap((group) => group.sections)
  const parts = await Promise.all(sections.map((section) => section.showUser?.(c, details.id)))
  return consolePage(
    c,
    { section: 'users', title, trail: [] },
    <UserPage user={details} administratorRole={role} may={may} parts={parts} />,
  )
}

async function readSubject(c: AppContext, id: string): Promise<Subject | undefined> {
  // Without the user's object, so that a user whose object does not respond can still be blocked.
  const rows = await readUserRows(c.env, id)
  if (!rows) return undefined
  const user = toUser(rows.user, rows.accounts)
  const sid = c.req.param('sid')
  const client = c.req.param('client')
  return {
    link: userLink(user),
    isOwn: id === c.get('administrator')?.id,
    facts: [
      ...userFacts(user),
      ...(sid === undefined ? [] : await readSessionFacts(c, id, sid)),
      ['Client', { code: client }],
      ['Role', { code: c.req.param('role') }],
      ...user.accounts
        .filter(
          ({ provider, account_id: accountId }) =>
            accountName({ provider, accountId }) === c.req.param('account'),
        )
        .flatMap((account) => factsAbout(account, ACCOUNT_FIELDS)),
    ],
  }
}

async function readSessionFacts(c: AppContext, id: string, sid: string): Promise<readonly Fact[]> {
  const details = await readUserDetails(c.env, c.get('config'), id)
  const session = details?.sessions.find((other) => other.sid === sid)
  return session ? factsAbout(session, SESSION_FIELDS) : [['Session', 'has already ended']]
}
