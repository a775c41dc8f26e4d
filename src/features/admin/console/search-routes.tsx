import type { Hono } from 'hono'
import {
  consolePage,
  englishMessages,
  notFoundPage,
} from '../../../administration/console/console-response.tsx'
import { logoOf } from '../../../administration/console/registration-pages.tsx'
import { listRegistrations } from '../../../administration/console/registration-section.tsx'
import { listAuditEntries } from '../../../administration/read-audit.ts'
import type { AppContext, AppEnv } from '../../../core/http/app-env.ts'
import { requireStorage } from '../../../core/storage/unavailable-error.ts'
import { parseReference } from '../../../foundation/values/reference.ts'
import { searchUsers } from '../users/search-users.ts'
import { readTexts } from './audit-routes.tsx'
import { CLIENTS } from './client-section.tsx'
import { ReferencePage, SearchPage } from './search-pages.tsx'
import { PAGE_LENGTH as USERS_LENGTH, withLoadedImages } from './user-section.tsx'

/** How many entries a page has about a request. */
const MAX_ENTRIES = 50

/** The search of the header. */
export function addSearchRoutes(routes: Hono<AppEnv>): void {
  routes.get('/search', search)
  routes.get('/references/:reference', showReference)
}

async function search(c: AppContext): Promise<Response> {
  const query = c.req.query('query')?.trim() ?? ''
  const reference = parseReference(query)
  if (reference) return c.redirect(`/admin/references/${reference}`)
  const cursor = c.req.query('cursor')
  const [{ items, next_cursor: nextCursor }, clients] = await Promise.all([
    searchUsers(c.env, { query, cursor, limit: USERS_LENGTH }),
    cursor === undefined && query !== '' ? findClients(c, query) : [],
  ])
  const users = withLoadedImages(c, items)
  const images = [...users.map(({ image }) => image), ...clients.map(logoOf)]
  return consolePage(
    c,
    { section: 'users', title: 'Search', trail: [], query, images },
    <SearchPage {...{ query, users, clients, cursor, nextCursor }} />,
  )
}

async function findClients(c: AppContext, query: string) {
  const text = query.toLowerCase()
  const clients = await listRegistrations(c, CLIENTS)
  return clients.filter(({ id, name = '' }) => `${id}\n${name}`.toLowerCase().includes(text))
}

async function showReference(c: AppContext): Promise<Response> {
  const reference = parseReference(c.req.param('reference') ?? '')
  if (!reference) return notFoundPage(c, 'audit', 'reference')
  const { entries } = await requireStorage(() =>
    listAuditEntries(c.env, { request_id: reference, limit: MAX_ENTRIES }),
  )
  const { clients: _, ...texts } = await readTexts(c, entries)
  const messages = await englishMessages(c)
  return consolePage(
    c,
    { section: 'audit', title: `Reference ${reference}`, trail: [] },
    <ReferencePage {...{ messages, reference, entries }} {...texts} />,
  )
}
