import type { ReadinessCheck } from '../../readiness/check-readiness.ts'
import { DataTable, Facts, State, Time } from './console-parts.tsx'

interface HourlyTotal {
  hour: number
  succeeded: number
  failed: number
}

/** What could not be read is `undefined`. */
interface OverviewPageProps {
  /** One entry per hour, the oldest first. */
  hours: readonly HourlyTotal[] | undefined
  /** How many sessions were used in the last hour, and whether there may be more. */
  sessions: { count: number; isComplete: boolean } | undefined
  keys: { activeSince: number | undefined; rotatesAt: number } | undefined
  checks: readonly ReadinessCheck[]
}

export function OverviewPage({ hours, sessions, keys, checks }: OverviewPageProps) {
  return (
    <>
      <ReadinessSummary checks={checks} />
      <Facts
        facts={[
          ['Sign-ins', hours ? describeTotals(hours) : UNAVAILABLE],
          ['Sessions used in the last hour', sessions ? describeCount(sessions) : UNAVAILABLE],
          ['Signing keys active since', keys ? <Time at={keys.activeSince} /> : UNAVAILABLE],
          ['Next key rotation', keys ? <Time at={keys.rotatesAt} /> : UNAVAILABLE],
        ]}
      />
      {hours && <SignInChart hours={hours} />}
      <DataTable
        id="readiness"
        caption="Readiness"
        columns={['Check', 'State', 'Problem', 'Remedy']}
        rows={checks.map(({ name, ready, problem, fix }) => [
          name,
          <State text={ready ? 'ready' : 'not ready'} isBad={!ready} />,
          problem,
          fix && <code>{fix}</code>,
        ])}
      />
    </>
  )
}

const UNAVAILABLE = 'not available at the moment'

/** The most urgent fact: whether users can sign in, and what to do if not. */
function ReadinessSummary({ checks }: Pick<OverviewPageProps, 'checks'>) {
  const failed = checks.filter(({ ready }) => !ready)
  if (failed.length === 0) {
    return (
      <p>
        ✓ The service is ready: <a href="#readiness">all checks</a> succeeded.
      </p>
    )
  }
  return (
    <div role="alert">
      <p class="bad">
        <strong>✗ The service is not ready.</strong>
      </p>
      {failed.map(({ name, problem, fix }) => (
        <p>
          <strong>{name}:</strong> {problem}{' '}
          {fix && (
            <>
              To fix it: <code>{fix}</code>
            </>
          )}
        </p>
      ))}
      <p>
        <a href="#readiness">All checks</a>
      </p>
    </div>
  )
}

function describeCount({ count, isComplete }: { count: number; isComplete: boolean }): string {
  return `${formatNumber(count)}${isComplete ? '' : ' or more'}`
}

const BAR_DISTANCE = 10
const CHART_HEIGHT = 100

/** A bar per hour: successful sign-ins, and failures on top of them. Bars are wide lines. */
function SignInChart({ hours }: { hours: readonly HourlyTotal[] }) {
  const highest = Math.max(1, ...hours.map(({ succeeded, failed }) => succeeded + failed))
  const height = (count: number) => Math.round((count / highest) * CHART_HEIGHT)
  const bar = (index: number, from: number, to: number) =>
    to > from
      ? `M${index * BAR_DISTANCE + BAR_DISTANCE / 2} ${CHART_HEIGHT - from}v${from - to}`
      : ''
  const total = ({ succeeded, failed }: HourlyTotal) => height(succeeded + failed)
  return (
    <figure>
      <figcaption>
        <h2>Sign-ins per hour</h2>
        <span>
          <i class="ok" /> succeeded
        </span>
        <span>
          <i class="failed" /> failed
        </span>
      </figcaption>
      {/* The label of the image has this number too. */}
      <div class="axis" aria-hidden="true">
        {formatNumber(highest)}
      </div>
      <svg
        viewBox={`0 0 ${hours.length * BAR_DISTANCE} ${CHART_HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${describeTotals(hours)}, at most ${formatNumber(highest)} per hour. The table below has the numbers.`}
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
      <div class="axis">
        <Time at={hours[0]?.hour} />
        <Time at={hours.at(-1)?.hour} />
      </div>
      <details>
        <summary>Sign-ins per hour as a table</summary>
        <DataTable
          caption="Sign-ins per hour, UTC"
          columns={['Hour', 'Succeeded', 'Failed']}
          rows={hours
            .map(({ hour, succeeded, failed }) => [formatHour(hour), succeeded, failed])
            .reverse()}
        />
      </details>
    </figure>
  )
}

function describeTotals(hours: readonly HourlyTotal[]): string {
  const sum = (field: 'succeeded' | 'failed') =>
    formatNumber(hours.reduce((total, hour) => total + hour[field], 0))
  return `${sum('succeeded')} succeeded, ${sum('failed')} failed in ${hours.length} hours`
}

/** Shorter than a date, and unique within a week. */
const HOUR_FORMAT = {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
} as const

function formatHour(hour: number): string {
  return new Date(hour * 1000).toLocaleString('en-GB', HOUR_FORMAT)
}

function formatNumber(count: number): string {
  return count.toLocaleString('en')
}
