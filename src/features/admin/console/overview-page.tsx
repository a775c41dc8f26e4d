import {
  DataTable,
  Facts,
  filterUrl,
  State,
  Time,
} from '../../../operations/console/console-parts.tsx'
import type { ReadinessCheck } from '../../../readiness/check-readiness.ts'
import { VERSION } from '../../../values/version.ts'

/** What the overview is about, and how long each bar of its chart is. */
export const PERIODS = {
  '24h': { label: '24 hours', hours: 24, barHours: 1 },
  '7d': { label: '7 days', hours: 7 * 24, barHours: 6 },
  '30d': { label: '30 days', hours: 30 * 24, barHours: 24 },
} as const

type Period = keyof typeof PERIODS

export function isPeriod(text: string): text is Period {
  return Object.hasOwn(PERIODS, text)
}

interface Outcomes {
  succeeded: number
  failed: number
}

/** The sign-ins of a part of the period. */
interface Bar extends Outcomes {
  since: number
  until: number
}

interface ProviderTotal extends Outcomes {
  /** Empty if it is unknown. */
  provider: string
  /** The most frequent first. */
  failures: readonly { outcome: string; count: number }[]
}

/** What could not be read is `undefined`. */
interface OverviewPageProps {
  period: Period
  signIns:
    | {
        /** The oldest first. */
        bars: readonly Bar[]
        providers: readonly ProviderTotal[]
        newUsers: number
      }
    | undefined
  emails: { sent: number; rejected: number; failed: number } | undefined
  /** How many sessions were used in the last hour, and whether there may be more. */
  sessions: { count: number; isComplete: boolean } | undefined
  keys: { activeSince: number | undefined; rotatesAt: number } | undefined
  checks: readonly ReadinessCheck[]
}

export function OverviewPage(props: OverviewPageProps) {
  const { period, signIns, emails, sessions, keys, checks } = props
  return (
    <>
      <ReadinessSummary checks={checks} />
      <nav aria-label="Period">
        {Object.entries(PERIODS).map(([name, { label }]) => (
          <a
            class={name === period ? 'small primary' : 'small'}
            href={`/admin?period=${name}`}
            aria-current={name === period ? 'true' : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      <Facts
        facts={[
          ['Sign-ins', signIns ? describeTotals(signIns.bars) : UNAVAILABLE],
          ['New users', signIns ? formatNumber(signIns.newUsers) : UNAVAILABLE],
          ['Emails', emails ? describeEmails(emails) : UNAVAILABLE],
        ]}
      />
      {signIns && <SignInChart period={period} bars={signIns.bars} />}
      {signIns && <Providers providers={signIns.providers} since={signIns.bars[0]?.since ?? 0} />}
      <h2>Now</h2>
      <Facts
        facts={[
          ['Sessions used in the last hour', sessions ? describeCount(sessions) : UNAVAILABLE],
          ['Signing keys active since', keys ? <Time at={keys.activeSince} /> : UNAVAILABLE],
          ['Next key rotation', keys ? <Time at={keys.rotatesAt} /> : UNAVAILABLE],
          ['Version', VERSION],
        ]}
      />
      <DataTable
        id="readiness"
        caption="Readiness"
        items={checks}
        columns={{
          Check: ({ name }) => name,
          State: (check) => (
            <State text={describeState(check)} isBad={check.problem !== undefined} />
          ),
          Problem: ({ problem }) => problem,
          Remedy: ({ fix }) => ({ code: fix }),
        }}
      />
    </>
  )
}

const UNAVAILABLE = 'not available at the moment'

function describeState({ ready, problem }: ReadinessCheck): string {
  if (!ready) return 'not ready'
  return problem === undefined ? 'ready' : 'ready, with a problem'
}

/** The most urgent fact: whether users can sign in, and what to do if not. */
function ReadinessSummary({ checks }: Pick<OverviewPageProps, 'checks'>) {
  const isReady = checks.every(({ ready }) => ready)
  const failed = checks.filter(({ problem }) => problem !== undefined)
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
        <strong>
          {isReady ? '! The service is ready, but has a problem.' : '✗ The service is not ready.'}
        </strong>
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

function describeEmails({ sent, rejected, failed }: NonNullable<OverviewPageProps['emails']>) {
  return `${formatNumber(sent)} sent, ${formatNumber(rejected)} rejected for their recipient, ${formatNumber(failed)} failed`
}

function Providers({ providers, since }: { providers: readonly ProviderTotal[]; since: number }) {
  return (
    <DataTable
      caption="Sign-ins per provider"
      items={providers}
      columns={{
        Provider: ({ provider }) => provider || 'unknown',
        Succeeded: ({ succeeded }) => formatNumber(succeeded),
        Failed: ({ provider, failed }) =>
          failed > 0 ? (
            <a href={entriesUrl({ provider, outcome: 'failed', since })}>{formatNumber(failed)}</a>
          ) : (
            '0'
          ),
        'Most frequent failures': ({ failures }) =>
          failures
            .slice(0, 3)
            .map(({ outcome, count }) => `${outcome} (${formatNumber(count)})`)
            .join(', '),
      }}
    />
  )
}

/** The entries of sign-ins in the audit log. */
function entriesUrl({
  since,
  until,
  ...filter
}: {
  since: number
  until?: number
  provider?: string
  outcome?: string
}): string {
  return filterUrl('/admin/audit', {
    event: 'sign_in',
    ...filter,
    since: inputTime(since),
    until: until === undefined ? '' : inputTime(until),
  })
}

/** The value of an input of the type `datetime-local`, in UTC. */
function inputTime(at: number): string {
  return new Date(at * 1000).toISOString().slice(0, 16)
}

const BAR_DISTANCE = 10
const CHART_HEIGHT = 100

/**
 * A bar per part of the period, which links to its entries: successful sign-ins, and failures on
 * top of them. The table has the same for those who cannot see or point at bars.
 */
function SignInChart({ period, bars }: { period: Period; bars: readonly Bar[] }) {
  const highest = Math.max(1, ...bars.map(({ succeeded, failed }) => succeeded + failed))
  const height = (count: number) => Math.round((count / highest) * CHART_HEIGHT)
  const caption = `Sign-ins per ${BAR_NAMES[period]}`
  return (
    <figure>
      <figcaption>
        <h2>{caption}</h2>
        <span>
          <i class="ok" /> succeeded
        </span>
        <span>
          <i class="failed" /> failed
        </span>
      </figcaption>
      <div class="axis">{formatNumber(highest)}</div>
      <svg
        viewBox={`0 0 ${bars.length * BAR_DISTANCE} ${CHART_HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {bars.map(({ since, until, succeeded, failed }, index) => (
          <a href={entriesUrl({ since, until })} tabindex={-1}>
            <title>{`${formatStart(since)}: ${succeeded} succeeded, ${failed} failed`}</title>
            <path class="all" d={bar(index, 0, CHART_HEIGHT)} />
            <path class="ok" d={bar(index, 0, height(succeeded))} />
            <path class="failed" d={bar(index, height(succeeded), height(succeeded + failed))} />
          </a>
        ))}
      </svg>
      <div class="axis">
        <span>{formatStart(bars[0]?.since)}</span>
        <span>{formatStart(bars.at(-1)?.since)}</span>
      </div>
      <details>
        <summary>{caption} as a table</summary>
        <DataTable
          caption={`${caption}, UTC`}
          items={bars.toReversed()}
          columns={{
            Start: ({ since, until }) => (
              <a href={entriesUrl({ since, until })}>{formatStart(since)}</a>
            ),
            Succeeded: ({ succeeded }) => succeeded,
            Failed: ({ failed }) => failed,
          }}
        />
      </details>
    </figure>
  )
}

const BAR_NAMES: Record<Period, string> = { '24h': 'hour', '7d': 'six hours', '30d': 'day' }

/** A wide line. */
function bar(index: number, from: number, to: number): string {
  const x = index * BAR_DISTANCE + BAR_DISTANCE / 2
  return to > from ? `M${x} ${CHART_HEIGHT - from}v${from - to}` : ''
}

function describeTotals(bars: readonly Bar[]): string {
  const sum = (field: keyof Outcomes) =>
    formatNumber(bars.reduce((total, bar) => total + bar[field], 0))
  return `${sum('succeeded')} succeeded, ${sum('failed')} failed`
}

const START_FORMAT = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
} as const

function formatStart(at = 0): string {
  return new Date(at * 1000).toLocaleString('en-GB', START_FORMAT)
}

function formatNumber(count: number): string {
  return count.toLocaleString('en')
}
