import { DataTable, Facts, Time } from './console-parts.tsx'

interface HourlyTotal {
  hour: number
  succeeded: number
  failed: number
}

/** Absent is what could not be read. */
interface OverviewPageProps {
  /** One entry per hour, the oldest first. */
  hours: readonly HourlyTotal[] | undefined
  /** How many sessions were used in the last hour, and whether there may be more. */
  sessions: { count: number; isComplete: boolean } | undefined
  keys: { activeSince: number | undefined; rotatesAt: number } | undefined
  checks: readonly { name: string; isReady: boolean; problem?: string; fix?: string }[]
}

export function OverviewPage({ hours, sessions, keys, checks }: OverviewPageProps) {
  return (
    <>
      <Facts
        facts={[
          ['Sign-ins', hours && describeTotals(hours)],
          [
            'Sessions used in the last hour',
            sessions && `${sessions.count}${sessions.isComplete ? '' : ' or more'}`,
          ],
          ['Signing keys active since', keys && <Time at={keys.activeSince} />],
          ['Next key rotation', keys && <Time at={keys.rotatesAt} />],
        ]}
      />
      {hours && <SignInChart hours={hours} />}
      <DataTable
        caption="Readiness"
        columns={['Check', 'State', 'Problem', 'Remedy']}
        rows={checks.map(({ name, isReady, problem, fix }) => [
          name,
          isReady ? 'ready' : <strong>not ready</strong>,
          problem,
          fix && <code>{fix}</code>,
        ])}
      />
    </>
  )
}

const BAR_WIDTH = 8
const CHART_HEIGHT = 100

/** Bars per hour: successful sign-ins, and failures on top of them. */
function SignInChart({ hours }: { hours: readonly HourlyTotal[] }) {
  const highest = Math.max(1, ...hours.map(({ succeeded, failed }) => succeeded + failed))
  const height = (count: number) => Math.round((count / highest) * CHART_HEIGHT)
  const bar = (index: number, from: number, to: number) =>
    to > from
      ? `M${index * (BAR_WIDTH + 2)} ${CHART_HEIGHT - from}v${from - to}h${BAR_WIDTH}v${to - from}z`
      : ''
  const total = ({ succeeded, failed }: HourlyTotal) => height(succeeded + failed)
  return (
    <figure>
      <svg
        viewBox={`0 0 ${hours.length * (BAR_WIDTH + 2)} ${CHART_HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Sign-ins per hour, at most ${highest}. The table below has the numbers.`}
      >
        <path
          class="ok"
          d={hours.map((hour, index) => bar(index, 0, height(hour.succeeded))).join('')}
        />
        <path
          class="failed"
          d={hours.map((hour, index) => bar(index, height(hour.succeeded), total(hour))).join('')}
        />
      </svg>
      <figcaption>
        Per hour, at most {highest}, since <Time at={hours[0]?.hour} />{' '}
        <span>
          <i class="ok" /> succeeded
        </span>{' '}
        <span>
          <i class="failed" /> failed
        </span>
      </figcaption>
      <details>
        <summary>Sign-ins per hour as a table</summary>
        <DataTable
          caption="Sign-ins per hour"
          columns={['Hour', 'Succeeded', 'Failed']}
          rows={hours
            .map(({ hour, succeeded, failed }) => [<Time at={hour} />, succeeded, failed])
            .reverse()}
        />
      </details>
    </figure>
  )
}

function describeTotals(hours: readonly HourlyTotal[]): string {
  const sum = (field: 'succeeded' | 'failed') =>
    hours.reduce((total, hour) => total + hour[field], 0)
  return `${sum('succeeded')} succeeded, ${sum('failed')} failed in ${hours.length} hours`
}
