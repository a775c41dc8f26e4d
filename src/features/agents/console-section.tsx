import type { Hono } from 'hono'
import { mayUse } from '../../administration/console/authorization.ts'
import { PageLinks } from '../../administration/console/console-parts.tsx'
import { consolePage } from '../../administration/console/console-response.tsx'
import type { ConsoleSection } from '../../administration/console/section.ts'
import type { AppContext, AppEnv } from '../../core/http/app-env.ts'
import { listUnregisteredClients, readUnregisteredClient } from './client-store.ts'
import { blockPath, UnregisteredClientsPage, unregisteredClientFacts } from './console-pages.tsx'
import { OPERATIONS } from './operation-table.ts'
import { acceptsUnregisteredClients, isHost } from './policy.ts'

const SECTION = 'unregistered-clients'

/** How many clients a page lists. */
const PAGE_LENGTH = 50

/** The list of clients that nobody has registered. Blocking is an action like others. */
export const CONSOLE_SECTION: ConsoleSection = {
  id: SECTION,
  label: 'Unregistered clients',
  icon: 'M8 4H4v4m12-4h4v4M8 20H4v-4m12 4h4v-4m-8-7v6m-3-3h6',
  group: 'Apps',
  noun: 'unregistered client',
  addRoutes,
  readSubject,
}

function addRoutes(routes: Hono<AppEnv>): void {
  routes.get(`/${SECTION}`, async (c) => {
    const cursor = c.req.query('cursor')
    const host = c.req.query('host')?.trim().toLowerCase()
    if (host !== undefined && isHost(host)) return c.redirect(blockPath(host), 303)
    const page = await listUnregisteredClients(c.env, { cursor, limit: PAGE_LENGTH })
    const content = (
      <>
        <UnregisteredClientsPage
          clients={page.items}
          isAccepted={acceptsUnregisteredClients(c.get('config'))}
          mayBlock={mayUse(c, OPERATIONS.blockUnregisteredClient)}
          invalidHost={host}
        />
        <PageLinks
          path={`/admin/${SECTION}`}
          filter={{}}
          cursor={cursor}
          nextCursor={page.next_cursor}
        />
      </>
    )
    const status = host === undefined ? 200 : 400
    return consolePage(c, { section: SECTION, title: 'Unregistered clients', status }, content)
  })
}

/** What the page shows that asks for confirmation. */
async function readSubject(c: AppContext, id: string) {
  const client = await readUnregisteredClient(c.env, id)
  const link = { href: `/admin/${SECTION}`, label: id }
  return client && { link, facts: unregisteredClientFacts(client) }
}
