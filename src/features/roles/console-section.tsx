import type { Hono } from 'hono'
import { mayUse } from '../../administration/console/authorization.ts'
import { ActionLink, Card, Pill, Row, Rows } from '../../administration/console/cards.tsx'
import { DataTable, PageLinks } from '../../administration/console/console-parts.tsx'
import { consolePage, notFoundPage } from '../../administration/console/console-response.tsx'
import type { ConsoleSection } from '../../administration/console/section.ts'
import type { AppContext, AppEnv } from '../../core/http/app-env.ts'
import { isolateTextDirection } from '../../foundation/values/isolate-text-direction.ts'
import { OPERATIONS } from './operation-table.ts'
import { listRoleUsers } from './operations.ts'
import { callRoleObject } from './user-roles.ts'

const SECTION = 'roles'

/** How many users a page lists. */
const PAGE_LENGTH = 50

/** The list of roles, and of the users who have each. A user's page gives and takes them. */
export function createConsoleSection(names: readonly string[]): ConsoleSection {
  return {
    id: SECTION,
    label: 'Roles',
    icon: 'M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6zm-3 9l2 2 4-4',
    group: 'Apps',
    noun: 'role',
    addRoutes: (routes) => addRoutes(routes, names),
    showUser: (c, userId) => showUser(c, userId, names),
  }
}

function addRoutes(routes: Hono<AppEnv>, names: readonly string[]): void {
  routes.get('/roles', (c) =>
    consolePage(
      c,
      { section: SECTION, title: 'Roles' },
      <>
        <p>
          Tokens name the roles of users for your apps and APIs. They give no access to this
          console. The page of a user gives and takes them.
        </p>
        <DataTable
          caption="Roles"
          items={names}
          columns={{ Name: (name) => <a href={rolePath(name)}>{name}</a> }}
        />
      </>,
    ),
  )
  routes.get('/roles/:id', async (c) => {
    const role = names.find((name) => name === c.req.param('id'))
    if (role === undefined) return notFoundPage(c, SECTION, 'role')
    const cursor = c.req.query('cursor')
    const page = await listRoleUsers(c.env, role, { cursor, limit: PAGE_LENGTH })
    return consolePage(
      c,
      { section: SECTION, title: role, trail: [] },
      <>
        <DataTable
          caption="Users who have this role"
          items={page.items}
          columns={{
            Name: ({ id, name = id }) => (
              <a href={`/admin/users/${encodeURIComponent(id)}`}>{isolateTextDirection(name)}</a>
            ),
            ID: ({ id }) => ({ code: id }),
          }}
        />
        <PageLinks
          path={rolePath(role)}
          filter={{}}
          cursor={cursor}
          nextCursor={page.next_cursor}
        />
      </>,
    )
  })
}

function rolePath(name: string): string {
  return `/admin/${SECTION}/${encodeURIComponent(name)}`
}

/** The roles on the page of a user. */
async function showUser(c: AppContext, userId: string, names: readonly string[]) {
  const held = await callRoleObject(c.env, userId, (object) => object.listRoles())
  const may = mayUse(c, OPERATIONS.giveRole)
  const path = (name: string) => `/admin/users/${encodeURIComponent(userId)}/roles/${name}`
  return (
    <Card title="Roles" note="in tokens within minutes">
      <Rows whenEmpty="The deployment has none.">
        {names.map((name) => (
          <Row
            title={
              <>
                {name} {held.includes(name) && <Pill tone="good">given</Pill>}
              </>
            }
            note={
              may &&
              held.includes(name) && (
                <a href={`${path(name)}/take-later`}>Take away with the next token</a>
              )
            }
          >
            {may && (
              <ActionLink
                href={`${path(name)}/${held.includes(name) ? 'take' : 'give'}`}
                label={held.includes(name) ? 'Take away' : 'Give'}
                of={name}
              />
            )}
          </Row>
        ))}
      </Rows>
    </Card>
  )
}
