import * as z from 'zod/mini'
import { consolePage } from '../../../administration/console/console-response.tsx'
import type { ConsoleSection } from '../../../administration/console/section.ts'
import { listAuditEntries } from '../../../administration/read-audit.ts'
import { clientStore } from '../../../administration/registrations/client-store.ts'
import type { RecordedEntry } from '../../../core/audit/audit-entry.ts'
import type { AppContext } from '../../../core/http/app-env.ts'
import { USER_ID_PREFIX } from '../../../core/registration-schemas/clients.ts'
import { requireStorage } from '../../../core/storage/unavailable-error.ts'
import { signInErrorCodes } from '../../../foundation/errors/sign-in-error.ts'
import { formatProblem, validate } from '../../../foundation/values/problem.ts'
import { auditSentences } from '../audit-sentences.ts'
import { auditFilters, forAuditFilters, toAuditQuery } from '../operations/audit-filters.ts'
import { readUserNames } from '../users/search-users.ts'
import { formatCsv } from './audit-csv.ts'
import { AuditPage } from './audit-page.tsx'
import type { AuditTexts, Names } from './audit-table.tsx'

/** How many entries a page lists. Each has up to two users, whose names are read with one query. */
const PAGE_LENGTH = 50

/** How many entries a file has. They are read in parts, because a query must not take long. */
const FILE_LENGTH = 10_000
const PART_LENGTH = 1000

/** The audit log, as a page and as a file. */
export const AUDIT: ConsoleSection = {
  id: 'audit',
  label: 'Audit',
  icon: 'M9 6h11M9 12h11M9 18h11M4 6h1M4 12h1M4 18h1',
  noun: 'entry',
  addRoutes(routes) {
    routes.get('/audit', showEntries)
    routes.get('/audit.csv', downloadEntries)
  },
}

async function showEntries(c: AppContext): Promise<Response> {
  const { filter, query, problems } = readFilter(c)
  const cursor = c.req.query('cursor')
  const { entries, nextCursor } = query
    ? await requireStorage(() => listAuditEntries(c.env, { ...query, cursor, limit: PAGE_LENGTH }))
    : { entries: [] }
  const { clients, ...texts } = await readTexts(c, entries)
  const errors = signInErrorCodes(c.get('config').features)
  return consolePage(
    c,
    { section: 'audit', title: 'Audit', status: query ? 200 : 400 },
    <AuditPage
      {...{ filter, problems, entries, clients, errors, cursor, nextCursor }}
      {...texts}
    />,
  )
}

/** The entries that match, as a table for other programs, with ids instead of names. */
async function downloadEntries(c: AppContext): Promise<Response> {
  const { query } = readFilter(c)
  if (!query) return c.redirect(`/admin/audit?${new URL(c.req.url).searchParams}`)
  const found: RecordedEntry[] = []
  let cursor: string | undefined
  do {
    const page = await requireStorage(() =>
      listAuditEntries(c.env, { ...query, cursor, limit: PART_LENGTH }),
    )
    found.push(...page.entries)
    cursor = page.nextCursor
  } while (cursor !== undefined && found.length < FILE_LENGTH)
  return c.body(formatCsv(found), 200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': 'attachment; filename="audit.csv"',
  })
}

/** What the form or the link has. Without a query, it has problems. */
function readFilter(c: AppContext) {
  const { features } = c.get('config')
  const read = (name: string) => c.req.query(name)?.trim() ?? ''
  const texts = forAuditFilters(read)
  const filter = { ...texts, since: read('since'), until: read('until') }
  const { data, problems } = validate(
    z.strictObject(auditFilters(features)),
    forAuditFilters((name) => texts[name] || undefined),
  )
  return {
    filter,
    query: data && {
      ...toAuditQuery(features, data),
      since: parseTime(filter.since),
      until: parseTime(filter.until),
    },
    problems: problems.map(formatProblem),
  }
}

/** The value of an input of the type `datetime-local`, in UTC. */
function parseTime(text: string): number | undefined {
  const milliseconds = Date.parse(`${text}Z`)
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000
}

/** What sentences about the entries of a page need, and the names of all clients. */
export async function readTexts(
  c: AppContext,
  entries: readonly RecordedEntry[],
): Promise<AuditTexts & { clients: Names }> {
  const ids = entries.flatMap(({ actor, subject = '' }) => [actor, subject])
  const userIds = new Set(ids.filter((id) => id.startsWith(USER_ID_PREFIX)))
  const config = c.get('config')
  const [users, registrations] = await Promise.all([
    readUserNames(c.env, [...userIds]),
    clientStore.list(c.env, config),
  ])
  const clients = new Map(
    registrations.map(({ id, registration }) => [id, String(registration['client_name'] ?? id)]),
  )
  return {
    names: new Map([...users, ...clients]),
    clients,
    providers: providerNames(c),
    sentences: auditSentences(config.features),
  }
}

function providerNames(c: AppContext): Names {
  const { providers, localProviders, disabledProviders } = c.get('config')
  const all = [...providers, ...localProviders, ...disabledProviders]
  return new Map(all.map(({ id, name }) => [id, name]))
}
