import type { MinuteCounts } from '../../../core/metrics/counts.ts'
import { LIVE_SCALE } from './periods.ts'
import { formatNumber, formatShare, SignInChart, successRate, Tile } from './sign-in-chart.tsx'

/** How many minutes the page shows. */
const SHOWN_MINUTES = 60

/** The last of them, which are compared with the others. */
const LATEST_MINUTES = 10

interface LiveCountsProps {
  /** By minutes since 1970; those without sign-ins are missing. */
  minutes: MinuteCounts
  now: number
}

interface LivePageProps extends Omit<LiveCountsProps, 'minutes'> {
  /** With which the script reads the numbers again. */
  permission: string
  minutes: MinuteCounts | undefined
}

/** The sign-ins of the last hour by minute, for those who watch a deployment. */
export function LivePage({ permission, minutes, now }: LivePageProps) {
  return (
    <>
      <p>
        Sign-ins of the last hour by minute. The last bar is hatched, because its minute is not
        over. Sign-ins arrive up to half a minute late.
      </p>
      <div class="polling" hidden>
        <label class="flag">
          <span>Update every ten seconds</span>
          <input type="checkbox" checked />
        </label>
        <small class="poll-state" />
      </div>
      {minutes ? (
        <div class="live" data-live={permission}>
          <LiveCounts minutes={minutes} now={now} />
        </div>
      ) : (
        <p>They are not available at the moment.</p>
      )}
    </>
  )
}

/** What is read again. */
export function LiveCounts({ minutes, now }: LiveCountsProps) {
  const present = Math.floor(now / 60)
  const bars = Array.from({ length: SHOWN_MINUTES }, (_, index) => {
    const minute = present - SHOWN_MINUTES + 1 + index
    const { succeeded = 0, failed = 0 } = minutes[minute] ?? {}
    return { since: minute * 60, until: (minute + 1) * 60, succeeded, failed }
  })
  const total = sum(bars)
  const latest = sum(bars.slice(-LATEST_MINUTES))
  const before = sum(bars.slice(0, -LATEST_MINUTES))
  return (
    <>
      <dl class="tiles">
        <Tile name="Successful sign-ins" value={formatNumber(total.succeeded)}>
          in the last hour
        </Tile>
        <Tile name="Failed sign-ins" value={formatNumber(total.failed)}>
          in the last hour
        </Tile>
        <Tile
          name={`Succeeded, last ${LATEST_MINUTES} minutes`}
          value={formatShare(successRate(latest))}
        >
          {`before: ${formatShare(successRate(before))}`}
        </Tile>
      </dl>
      <SignInChart scale={LIVE_SCALE} bars={bars} now={now} />
    </>
  )
}

function sum(bars: readonly { succeeded: number; failed: number }[]) {
  return {
    succeeded: bars.reduce((total, { succeeded }) => total + succeeded, 0),
    failed: bars.reduce((total, { failed }) => total + failed, 0),
  }
}
