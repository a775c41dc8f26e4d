import { mayUse } from '../../../administration/console/authorization.ts'
import { type Fact, PageLinks } from '../../../administration/console/console-parts.tsx'
import {
  consolePage,
  englishMessages,
  notFoundPage,
} from '../../../administration/console/console-response.tsx'
import { logoOf } from '../../../administration/console/registration-pages.tsx'
import { listRegistrations } from '../../../administration/console/registration-section.tsx'
import type { ConsoleSection, Subject } from '../../../administration/console/section.ts'
import { listAuditEntries } from '../../../administration/read-audit.ts'
import type { AppContext } from '../../../core/http/app-env.ts'
import { toShownUser } from '../../../core/pages/page-response.tsx'
import { requireStorage } from '../../../core/storage/unavailable-error.ts'
import { accountName } from '../../../core/users/account-reference.ts'
import { readUserRows } from '../../../core/users/linked-accounts.ts'
import { nowInSeconds } from '../../../foundation/values/clock.ts'
import { OPERATIONS } from '../operations/operation-table.ts'
import { featureOperations } from '../operations/operations.ts'
import { ACCOUNT_FIELDS, SESSION_FIELDS, type User } from '../resources/user.ts'
import { readSignInsOf } from '../sign-in-counts.ts'
import { readRole } from '../users/administrators.ts'
import { readUserDetails } from '../users/manage-users.ts'
import { searchUsers, toUser, USER_LISTS } from '../users/search-users.ts'
import { readTexts } from './audit-routes.tsx'
import { CLIENTS } from './client-section.tsx'
import { factsAbout } from './facts-about.ts'
import { type Activity, CHART_DAYS } from './user-activity.tsx'
import { UserHead, UserPage } from './user-page.tsx'
import { UsersPage, userFacts, userLink } from './users-pages.tsx'

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
export function withLoadedImages<Shown extends Pick<User, 'image'>>(
  c: AppContext,
  users: readonly Shown[],
): Shown[] {
  return users.map((user) => ({
    ...user,
    image: toShownUser(c.get('config'), { image: user.image ?? null }).image,
  }))
}

async function showUser(c: AppContext): Promise<Response> {
  const id = c.req.param('id') ?? ''
  const config = c.get('config')
  const [details, role, clients, activity] = await Promise.all([
    readUserDetails(c.env, config, id),
    readRole(c.env, config, id),
    listRegistrations(c, CLIENTS),
    readActivity(c, id),
  ])
  if (!details) return notFoundPage(c, 'users', 'user')
  const [user = details] = withLoadedImages(c, [details])
  const isProtected = role === 'owner' && !mayUse(c, OPERATIONS.setAdministrator)
  const may = (id: keyof typeof OPERATIONS) =>
    mayUse(c, OPERATIONS[id]) && (OPERATIONS[id].method === 'get' || !isProtected)
  const groups = featureOperations(config.features)
  const parts = await Promise.all(
    groups.flatMap((group) => [group, ...group.sections]).map(({ showUser }) => showUser?.(c, id)),
  )
  const methods = new Map(
    [...config.providers, ...config.localProviders].map(({ id, name, style }) => [
      id,
      { name, logo: style?.logo },
    ]),
  )
  const apps = new Map(
    clients.map(({ id, name = id, ...client }) => [
      id,
      { name, logo: logoOf(client), isOwn: client.registration['first_party'] === true },
    ]),
  )
  const props = { user, administratorRole: role, may, activity, apps, methods, parts }
  return consolePage(
    c,
    {
      section: 'users',
      title: userLink(details).label,
      trail: [],
      heading: <UserHead {...props} />,
      images: [user.image, ...[...apps.values(), ...methods.values()].map(({ logo }) => logo)],
    },
    <UserPage {...props} />,
  )
}

/** How many entries the page has. */
const ACTIVITY_LENGTH = 20

/** What the audit log has about a user. */
async function readActivity(c: AppContext, userId: string): Promise<Activity> {
  const now = nowInSeconds()
  // A day begins in UTC up to 14 hours after it does elsewhere.
  const since = now - (CHART_DAYS + 1) * 86_400
  const [{ entries }, signIns] = await requireStorage(() =>
    Promise.all([
      listAuditEntries(c.env, { subject: userId, limit: ACTIVITY_LENGTH }),
      readSignInsOf(c.env, { userId, since }),
    ]),
  )
  const { clients: _, ...texts } = await readTexts(c, entries)
  return { messages: await englishMessages(c), entries, signIns, now, ...texts }
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
