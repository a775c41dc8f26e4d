import type { Hono } from 'hono'
import { listAuditEntries } from '../../../audit/read-audit.ts'
import type { AppContext, AppEnv } from '../../../http/app-env.ts'
import { loadEnglish } from '../../../messages/languages.ts'
import { consolePage, notFoundPage } from '../../../operations/console/console-response.tsx'
import { listRegistrations } from '../../../operations/console/registration-section.tsx'
import { requireStorage } from '../../../storage/unavailable-error.ts'
import { parseReference } from '../../../values/reference.ts'
import { searchUsers } from '../users/search-users.ts'
import { readNames } from './audit-routes.tsx'
import { CLIENTS } from './client-section.tsx'
import { ReferencePage, SearchPage } from './search-pages.tsx'

/** How many users a page lists, and how many entries it has about a request. */
const PAGE_LENGTH = 50

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
  const [{ items: users, next_cursor: nextCursor }, clients] = await Promise.all([
    searchUsers(c.env, { query, cursor, limit: PAGE_LENGTH }),
    cursor === undefined && query !== '' ? findClients(c, query) : [],
  ])
  return consolePage(
    c,
    { section: 'users', title: 'Search', trail: [], query },
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
    listAuditEntries(c.env, { request_id: reference, limit: PAGE_LENGTH }),
  )
  const [users, clients] = await readNames(c, entries)
  const names = new Map([...users, ...clients])
  const messages = await loadEnglish()
  return consolePage(
    c,
    { section: 'audit', title: `Reference ${reference}`, trail: [] },
    <ReferencePage {...{ messages, reference, entries, names }} />,
  )
}
