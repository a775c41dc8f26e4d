import type { AppContext } from '../../config/app-env.ts'
import { readUserDetails } from '../../users/manage-users.ts'
import { searchUsers, type UserSummary } from '../../users/search-users.ts'
import { isolateTextDirection } from '../../values/isolate-text-direction.ts'
import { consolePage, notFoundPage } from './console-page.tsx'
import { UserPage, UsersPage } from './users-pages.tsx'

const PAGE_LENGTH = 50

export async function users(c: AppContext): Promise<Response> {
  const query = c.req.query('query')?.trim() ?? ''
  const cursor = c.req.query('cursor')
  const page = await searchUsers(c.env, c.get('config'), { query, cursor, limit: PAGE_LENGTH })
  return consolePage(
    c,
    { section: 'users', title: 'Users' },
    <UsersPage query={query} cursor={cursor} {...page} nextCursor={page.nextCursor} />,
  )
}

export async function user(c: AppContext): Promise<Response> {
  const details = await readUserDetails(c.env, c.get('config'), c.req.param('id') ?? '')
  if (!details) return notFoundPage(c, 'users', 'user')
  const title = userLink(details).label
  return consolePage(c, { section: 'users', title, trail: [] }, <UserPage user={details} />)
}

/** The page of a user, and the name of the user. */
export function userLink({ id, name, username }: Pick<UserSummary, 'id' | 'name' | 'username'>) {
  return {
    href: `/admin/users/${encodeURIComponent(id)}`,
    label: isolateTextDirection(name ?? username ?? id),
  }
}
