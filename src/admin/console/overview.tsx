import { type HourlyCount, readHourlyCounts } from '../../audit/read-audit.ts'
import type { AppContext } from '../../config/app-env.ts'
import { checkReadiness } from '../../readiness/check-readiness.ts'
import { listKeys } from '../../tokens/manage-keys.ts'
import { countCachedSessions } from '../../users/session-cache.ts'
import { nowInSeconds } from '../../values/clock.ts'
import { consolePage } from './console-page.tsx'
import { OverviewPage } from './overview-page.tsx'

const HOUR = 3600 // seconds

/** What the chart shows. */
const CHART_HOURS = 48

/** What cannot be read is left out, because the page also shows which part of storage does not work. */
export async function overview(c: AppContext): Promise<Response> {
  const now = nowInSeconds()
  const firstHour = now - (now % HOUR) - (CHART_HOURS - 1) * HOUR
  const ignoreFailure = () => undefined
  const [counts, sessions, keyList, checks] = await Promise.all([
    readHourlyCounts(c.env, { since: firstHour }).catch(ignoreFailure),
    countCachedSessions(c.env).catch(ignoreFailure),
    listKeys(c.env).catch(ignoreFailure),
    checkReadiness(c.env, c.get('config')),
  ])
  return consolePage(
    c,
    { section: 'overview', title: 'Overview' },
    <OverviewPage
      hours={counts && hourlyTotals(counts, firstHour)}
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

function hourlyTotals(counts: readonly HourlyCount[], firstHour: number) {
  return Array.from({ length: CHART_HOURS }, (_, index) => {
    const hour = firstHour + index * HOUR
    const signIns = counts.filter((entry) => entry.event === 'sign_in' && entry.hour === hour)
    const count = (isSuccess: boolean) =>
      signIns
        .filter(({ outcome }) => (outcome === 'ok') === isSuccess)
        .reduce((total, entry) => total + entry.count, 0)
    return { hour, succeeded: count(true), failed: count(false) }
  })
}
