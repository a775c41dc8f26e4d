import { readSignInTotals, type SignInTotal } from '../../../audit/read-audit.ts'
import type { AppContext } from '../../../http/app-env.ts'
import { sendCounts } from '../../../metrics/count.ts'
import { formatSeries } from '../../../metrics/series.ts'
import { consolePage } from '../../../operations/console/console-response.tsx'
import { checkReadiness } from '../../../readiness/check-readiness.ts'
import { listKeys } from '../../../tokens/manage-keys.ts'
import { countSessionCopies } from '../../../users/session-copies.ts'
import { nowInSeconds, startOfHour } from '../../../values/clock.ts'
import { metricsObject } from '../metrics/metrics-object.ts'
import { isPeriod, OverviewPage, PERIODS } from './overview-page.tsx'

const HOUR = 3600 // seconds

/**
 * What cannot be read is left out, because the page also shows which part of storage does not work.
 */
export async function overview(c: AppContext): Promise<Response> {
  const requested = c.req.query('period') ?? ''
  const period = isPeriod(requested) ? requested : '24h'
  const { hours, barHours } = PERIODS[period]
  const since = startOfHour(nowInSeconds()) - (hours - 1) * HOUR
  const ignoreFailure = () => undefined
  const [totals, emails, sessions, keyList, checks] = await Promise.all([
    readSignInTotals(c.env, { since, length: barHours * HOUR }).catch(ignoreFailure),
    readEmails(c, hours).catch(ignoreFailure),
    countSessionCopies(c.env).catch(ignoreFailure),
    listKeys(c.env).catch(ignoreFailure),
    checkReadiness(c.env, c.get('config')),
  ])
  return consolePage(
    c,
    { section: 'overview', title: 'Overview' },
    <OverviewPage
      period={period}
      signIns={
        totals && {
          bars: Array.from({ length: hours / barHours }, (_, part) => ({
            since: since + part * barHours * HOUR,
            until: since + (part + 1) * barHours * HOUR,
            ...countOutcomes(totals.filter((total) => total.part === part)),
          })),
          providers: countProviders(totals),
          newUsers: sum(totals.map(({ newUsers }) => newUsers)),
        }
      }
      emails={emails}
      sessions={sessions}
      keys={
        keyList && {
          activeSince: keyList.keys.find(({ state }) => state === 'active')?.activeSince,
          rotatesAt: keyList.rotatesAt,
        }
      }
      checks={checks}
    />,
  )
}

function countOutcomes(totals: readonly SignInTotal[]) {
  const count = (isSuccess: boolean) =>
    sum(totals.filter(({ outcome }) => (outcome === 'ok') === isSuccess).map(({ count }) => count))
  return { succeeded: count(true), failed: count(false) }
}

/** Per provider, with its failures, the most frequent one first. */
function countProviders(totals: readonly SignInTotal[]) {
  const providers = Map.groupBy(totals, ({ provider }) => provider)
  return Array.from(providers, ([provider, own]) => {
    const outcomes = Map.groupBy(own, ({ outcome }) => outcome)
    const failures = Array.from(outcomes, ([outcome, parts]) => ({
      outcome,
      count: sum(parts.map(({ count }) => count)),
    }))
    return {
      provider,
      ...countOutcomes(own),
      failures: failures
        .filter(({ outcome }) => outcome !== 'ok')
        .toSorted((a, b) => b.count - a.count),
    }
  })
}

async function readEmails(c: AppContext, hours: number) {
  // So that they contain what this isolate has counted.
  await sendCounts(c.env, c.get('config'))
  const counts = await metricsObject(c.env).readEmails(hours)
  const count = (outcome: string) =>
    counts[formatSeries('vestibule_emails_total', { outcome })] ?? 0
  return { sent: count('sent'), rejected: count('rejected'), failed: count('failed') }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
