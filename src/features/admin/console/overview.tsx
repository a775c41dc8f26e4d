import type { ConsoleLink } from '../../../administration/console/administrator.ts'
import { consolePage, englishMessages } from '../../../administration/console/console-response.tsx'
import { ifReadable } from '../../../administration/console/if-readable.ts'
import { listKeys } from '../../../administration/manage-keys.ts'
import { listAuditEntries } from '../../../administration/read-audit.ts'
import { UNREGISTERED } from '../../../core/audit/user-events.ts'
import type { AppContext } from '../../../core/http/app-env.ts'
import { sendCounts } from '../../../core/metrics/count.ts'
import { formatSeries } from '../../../core/metrics/series.ts'
import { checkReadiness } from '../../../core/readiness/check-readiness.ts'
import { findClient } from '../../../core/registrations/find-client.ts'
import { authoritativeSession } from '../../../core/session/read-session.ts'
import { isProvedIfPossible } from '../../../core/session/recent-session.ts'
import { countSessionCopies } from '../../../core/users/session-copies.ts'
import { changeEvents } from '../audit-sentences.ts'
import { metricsObject } from '../metrics/metrics-object.ts'
import { readSignInTotals, type SignInTotal } from '../sign-in-counts.ts'
import { readTexts } from './audit-routes.tsx'
import type { AuditTableProps } from './audit-table.tsx'
import { OverviewPage, type SignIns } from './overview-page.tsx'
import { PERIODS, type Period, requestedPeriod } from './periods.ts'
import { countSignIns, createBars, partsOf, startOfPeriod } from './sign-in-bars.ts'

/** The link to the page. */
export const OVERVIEW: ConsoleLink = {
  id: 'overview',
  label: 'Overview',
  icon: 'M4 13h6V4H4zm10 7h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z',
}

/** More of them are not of interest, and each name is looked up. */
const MAX_LISTED = 6

export async function overview(c: AppContext): Promise<Response> {
  const period = requestedPeriod(c, '24h')
  const { hours } = PERIODS[period]
  const [signIns, emails, sessions, keyList, checks, changes] = await Promise.all([
    ifReadable(readSignIns(c, period)),
    ifReadable(readEmails(c, hours)),
    ifReadable(countSessionCopies(c.env)),
    ifReadable(listKeys(c.env)),
    checkReadiness(c.env, c.get('config')),
    ifReadable(readLatestChanges(c)),
  ])
  return consolePage(
    c,
    { section: 'overview', title: 'Overview' },
    <OverviewPage
      messages={await englishMessages(c)}
      period={period}
      signIns={signIns}
      emails={emails}
      sessions={sessions}
      keys={
        keyList && {
          activeSince: keyList.keys.find(({ state }) => state === 'active')?.activeSince,
          rotatesAt: keyList.rotatesAt,
        }
      }
      checks={checks}
      changes={changes}
    />,
  )
}

/** How many changes by administrators the page lists. */
const LATEST_CHANGES = 5

/**
 * The latest changes by administrators. They name users, whom administrators see only with their
 * strongest sign-in, while everyone sees the rest of the page.
 */
async function readLatestChanges(c: AppContext): Promise<AuditTableProps | undefined> {
  const session = await authoritativeSession(c)
  if (!session || !(await isProvedIfPossible(c, session))) return undefined
  const changes = changeEvents(c.get('config').features)
  const { entries } = await listAuditEntries(c.env, { changes, limit: LATEST_CHANGES })
  const { clients: _, ...texts } = await readTexts(c, entries)
  return { entries, ...texts }
}

/** The sign-ins of the period, and the totals of the one before. */
async function readSignIns(c: AppContext, period: Period): Promise<SignIns> {
  const { length, count } = partsOf(period)
  const since = startOfPeriod(period) - count * length
  const totals = await readSignInTotals(c.env, { since, length })
  const before = totals.filter(({ part }) => part < count)
  const present = totals.filter(({ part }) => part >= count)
  return {
    bars: createBars(period, present, count),
    total: countSignIns(present),
    before: countSignIns(before),
    providers: groupTotals(present, ({ provider }) => provider)
      .slice(0, MAX_LISTED)
      .map(({ key, ...counts }) => ({ name: providerName(c, key), ...counts })),
    clients: await Promise.all(
      groupTotals(present, ({ client }) => client)
        .slice(0, MAX_LISTED)
        .map(async ({ key, ...counts }) => ({ name: await clientName(c, key), ...counts })),
    ),
    failures: groupTotals(present, ({ outcome }) => outcome)
      .filter(({ failed }) => failed > 0)
      .slice(0, MAX_LISTED)
      .map(({ key, failed }) => ({ outcome: key, count: failed })),
  }
}

/** The totals with the same key together, the most frequent first. */
function groupTotals(totals: readonly SignInTotal[], keyOf: (total: SignInTotal) => string) {
  return Array.from(Map.groupBy(totals, keyOf), ([key, own]) => ({
    key,
    ...countSignIns(own),
  })).toSorted((a, b) => b.succeeded + b.failed - a.succeeded - a.failed)
}

function providerName(c: AppContext, id: string): string {
  const { providers, localProviders } = c.get('config')
  const found = [...providers, ...localProviders].find((provider) => provider.id === id)
  return found?.name ?? (id || 'Unknown')
}

async function clientName(c: AppContext, id: string): Promise<string> {
  if (id === '') return 'No app'
  if (id === UNREGISTERED) return 'Unregistered clients'
  return (await findClient(c.env, c.get('config'), id))?.client_name ?? id
}

async function readEmails(c: AppContext, hours: number) {
  // So that they contain what this isolate has counted.
  await sendCounts(c.env, c.get('config'))
  const counts = await metricsObject(c.env).readEmails(hours)
  const count = (outcome: string) =>
    counts[formatSeries('vestibule_emails_total', { outcome })] ?? 0
  return { sent: count('sent'), rejected: count('rejected'), failed: count('failed') }
}
