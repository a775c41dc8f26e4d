import { listAuditEntries } from '../../audit/read-audit.ts'
import type { AppContext } from '../../config/app-env.ts'
import { requireStorage } from '../../storage/unavailable-error.ts'
import { AuditPage } from './audit-page.tsx'
import { consolePage } from './console-page.tsx'

const PAGE_LENGTH = 50

export async function audit(c: AppContext): Promise<Response> {
  const read = (name: string) => c.req.query(name)?.trim() ?? ''
  const filter = {
    event: read('event'),
    subject: read('subject'),
    client: read('client'),
    since: read('since'),
    until: read('until'),
  }
  const query = {
    event: filter.event || undefined,
    subject: filter.subject || undefined,
    client: filter.client || undefined,
    since: parseTime(filter.since),
    until: parseTime(filter.until),
    cursor: c.req.query('cursor'),
    limit: PAGE_LENGTH,
  }
  const { entries, nextCursor } = await requireStorage(() => listAuditEntries(c.env, query))
  return consolePage(
    c,
    { section: 'audit', title: 'Audit' },
    <AuditPage filter={filter} entries={entries} cursor={query.cursor} nextCursor={nextCursor} />,
  )
}

/** The value of an input of the type `datetime-local`, in UTC. */
function parseTime(text: string): number | undefined {
  const milliseconds = Date.parse(`${text}Z`)
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000
}
