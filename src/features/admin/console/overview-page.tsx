import type { Child } from 'hono/jsx'
import {
  DataTable,
  Facts,
  filterUrl,
  State,
  Time,
} from '../../../operations/console/console-parts.tsx'
import type { ReadinessCheck } from '../../../readiness/check-readiness.ts'
import { isolateTextDirection } from '../../../values/isolate-text-direction.ts'
import { VERSION } from '../../../values/version.ts'
import { adviceForOutcome } from '../explain-outcome.ts'

/** What the overview is about, and how long each bar of its chart is. */
export const PERIODS = {
  '24h': { label: '24 hours', hours: 24, barHours: 1 },
  '7d': { label: '7 days', hours: 7 * 24, barHours: 6 },
  '30d': { label: '30 days', hours: 30 * 24, barHours: 24 },
} as const

export type Period = keyof typeof PERIODS

export function isPeriod(text: string): text is Period {
  return Object.hasOwn(PERIODS, text)
}

interface Counts {
  succeeded: number
  failed: number
}

interface Total extends Counts {
  newUsers: number
}

/** The sign-ins of a part of the period. */
interface Bar extends Counts {
  since: number
  until: number
}

/** The sign-ins through a provider or to a client. */
interface Share extends Counts {
  id: string
  name: string
}

/** The sign-ins of a period. */
export interface SignIns {
  /** The oldest first. */
  bars: readonly Bar[]
  total: Total
  /** Those of the period before. */
  before: Total
  /** The most frequent first, like the other lists. */
  providers: readonly Share[]
  clients: readonly Share[]
  failures: readonly { outcome: string; count: number }[]
}

/** What could not be read is `undefined`. */
interface OverviewPageProps {
  period: Period
  signIns: SignIns | undefined
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
      <Readiness checks={checks} />
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
      <Tiles period={period} signIns={signIns} sessions={sessions} />
      {signIns && <SignInChart period={period} bars={signIns.bars} />}
      {signIns?.bars[0] && (
        <div class="cards">
          <Shares caption="By provider" shares={signIns.providers} />
          <Shares caption="By app" shares={signIns.clients} />
          <Failures failures={signIns.failures} since={signIns.bars[0].since} />
        </div>
      )}
      <h2>Service</h2>
      <Facts
        facts={[
          [`Emails, ${PERIODS[period].label}`, emails ? describeEmails(emails) : UNAVAILABLE],
          ['Signing keys active since', keys ? <Time at={keys.activeSince} /> : UNAVAILABLE],
          ['Next key rotation', keys ? <Time at={keys.rotatesAt} /> : UNAVAILABLE],
          ['Version', VERSION],
        ]}
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
function Readiness({ checks }: Pick<OverviewPageProps, 'checks'>) {
  const isReady = checks.every(({ ready }) => ready)
  const failed = checks.filter(({ problem }) => problem !== undefined)
  const table = (
    <DataTable
      caption="Readiness"
      items={checks}
      columns={{
        Check: ({ name }) => name,
        State: (check) => <State text={describeState(check)} isBad={check.problem !== undefined} />,
        Problem: ({ problem }) => problem,
        Remedy: ({ fix }) => ({ code: fix }),
      }}
    />
  )
  if (failed.length === 0) {
    return (
      <details>
        <summary>✓ The service is ready.</summary>
        {table}
      </details>
    )
  }
  return (
    <>
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
      </div>
      {table}
    </>
  )
}

function describeEmails({ sent, rejected, failed }: NonNullable<OverviewPageProps['emails']>) {
  return `${formatNumber(sent)} sent, ${formatNumber(rejected)} rejected for their recipient, ${formatNumber(failed)} failed`
}

/** The numbers that administrators look for first. docs/admin.md defines them. */
function Tiles({
  period,
  signIns,
  sessions,
}: Pick<OverviewPageProps, 'period' | 'signIns' | 'sessions'>) {
  const before = `the ${PERIODS[period].label} before`
  return (
    <dl class="tiles">
      <Tile name="Sign-ins" value={signIns && formatNumber(signIns.total.succeeded)}>
        {signIns && growth(signIns.total.succeeded, signIns.before.succeeded, before)}
      </Tile>
      <Tile name="Succeeded" value={signIns && formatShare(successRate(signIns.total))}>
        {signIns && `before: ${formatShare(successRate(signIns.before))}`}
      </Tile>
      <Tile name="New users" value={signIns && formatNumber(signIns.total.newUsers)}>
        {signIns && growth(signIns.total.newUsers, signIns.before.newUsers, before)}
      </Tile>
      <Tile
        name="Active sessions"
        value={sessions && `${formatNumber(sessions.count)}${sessions.isComplete ? '' : '+'}`}
      >
        used in the last hour
      </Tile>
    </dl>
  )
}

function Tile(props: { name: string; value: string | undefined; children?: Child }) {
  const { name, value, children } = props
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {value === undefined ? UNAVAILABLE : <strong>{value}</strong>}
        {value !== undefined && children && <small>{children}</small>}
      </dd>
    </div>
  )
}

/** How a number has changed. More is neither good nor bad, so it has no colour. */
function growth(count: number, before: number, name: string): string {
  if (before === 0) return `${count > 0 ? 'none' : 'none, too,'} in ${name}`
  const change = count / before - 1
  const sign = change > 0 ? '▲' : change < 0 ? '▼' : ''
  return `${sign} ${formatShare(Math.abs(change))} on ${name}`.trim()
}

/** Undefined if nobody has tried. */
function successRate({ succeeded, failed }: Counts): number | undefined {
  return succeeded + failed === 0 ? undefined : succeeded / (succeeded + failed)
}

function formatShare(share: number | undefined): string {
  if (share === undefined) return '–'
  return share.toLocaleString('en', { style: 'percent', maximumFractionDigits: 1 })
}

/** A bar for each, as long as its part of all of them. */
function Shares({ caption, shares }: { caption: string; shares: readonly Share[] }) {
  const all = shares.reduce((sum, { succeeded, failed }) => sum + succeeded + failed, 0)
  return (
    <section>
      <h2>{caption}</h2>
      {shares.length === 0 && <p>No sign-ins.</p>}
      <ul class="shares">
        {shares.map(({ name, succeeded, failed }) => (
          <li>
            <span>{isolateTextDirection(name)}</span>
            <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
              <path class="all" d="M0 .5h100" />
              <path class="ok" d={line(0, succeeded / all)} />
              <path class="failed" d={line(succeeded / all, failed / all)} />
            </svg>
            <span title={`${succeeded} succeeded, ${failed} failed`}>
              {formatNumber(succeeded + failed)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function line(start: number, length: number): string {
  return length > 0 ? `M${round(start * 100)} .5h${round(length * 100)}` : ''
}

function round(length: number): number {
  return Math.round(length * 10) / 10
}

/** Why users could not sign in, with what to do about it, and the entries. */
function Failures({ failures, since }: { failures: SignIns['failures']; since: number }) {
  return (
    <section class="wide">
      <h2>Why sign-ins failed</h2>
      {failures.length === 0 ? (
        <p>None failed.</p>
      ) : (
        <p>
          <small>
            The audit log has the first failure of each kind per hour, and all of signed-in users.
          </small>
        </p>
      )}
      <ul class="failures">
        {failures.map(({ outcome, count }) => (
          <li>
            <strong>{formatNumber(count)}</strong>
            <div>
              <code>{outcome}</code>
              <small>{adviceForOutcome(outcome)}</small>
            </div>
            <a href={entriesUrl({ outcome, since })}>Show</a>
          </li>
        ))}
      </ul>
    </section>
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
const CHART_HEIGHT = 120

/** The number of parts between the horizontal lines. */
const STEPS = 3

/**
 * A bar per part of the period, which links to its entries: successful sign-ins, and failures on
 * top of them. The table has the same for those who cannot see or point at bars.
 */
function SignInChart({ period, bars }: { period: Period; bars: readonly Bar[] }) {
  const step = stepFor(Math.max(...bars.map(({ succeeded, failed }) => succeeded + failed)))
  const height = (count: number) => Math.round((count / (step * STEPS)) * CHART_HEIGHT)
  const caption = `Sign-ins per ${BAR_NAMES[period]}`
  const width = bars.length * BAR_DISTANCE
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
        <span class="zone">Times are in UTC.</span>
      </figcaption>
      <div class="chart">
        <div class="scale" aria-hidden="true">
          {Array.from({ length: STEPS + 1 }, (_, line) => (
            <span>{formatNumber(step * (STEPS - line))}</span>
          ))}
        </div>
        <svg viewBox={`0 0 ${width} ${CHART_HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {Array.from({ length: STEPS }, (_, line) => (
            <path class="line" d={`M0 ${(line * CHART_HEIGHT) / STEPS}h${width}`} />
          ))}
          {bars.map(({ since, until, succeeded, failed }, index) => (
            <a href={entriesUrl({ since, until })} tabindex={-1}>
              <title>{`${formatStart(since)}: ${succeeded} succeeded, ${failed} failed`}</title>
              <path class="all" d={bar(index, 0, CHART_HEIGHT)} />
              <path class="ok" d={bar(index, 0, height(succeeded))} />
              <path class="failed" d={bar(index, height(succeeded), height(succeeded + failed))} />
            </a>
          ))}
        </svg>
        <div class="times" aria-hidden="true">
          {bars
            .filter((_, index) => index % LABEL_DISTANCES[period] === 0)
            .map(({ since }) => (
              <span>{formatLabel(period, since)}</span>
            ))}
        </div>
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

/** After how many bars the time is shown below them. They divide the number of bars. */
const LABEL_DISTANCES: Record<Period, number> = { '24h': 6, '7d': 4, '30d': 6 }

const LABEL_FORMATS = {
  '24h': { hour: '2-digit', minute: '2-digit' },
  '7d': { weekday: 'short', day: 'numeric' },
  '30d': { day: 'numeric', month: 'short' },
} as const

function formatLabel(period: Period, at: number): string {
  const format = { ...LABEL_FORMATS[period], timeZone: 'UTC' }
  return new Date(at * 1000).toLocaleString('en-GB', format)
}

/** The distance of the horizontal lines, so that the highest bar fits: 1, 2, 25, 3, 4 or 5 and zeros. */
function stepFor(highest: number): number {
  const least = Math.max(1, highest / STEPS)
  const power = 10 ** Math.floor(Math.log10(least))
  const steps = [1, 2, 2.5, 3, 4, 5, 10].map((factor) => factor * power)
  return steps.find((step) => step >= least && Number.isInteger(step)) ?? highest
}

/** A wide line. */
function bar(index: number, from: number, to: number): string {
  const x = index * BAR_DISTANCE + BAR_DISTANCE / 2
  return to > from ? `M${x} ${CHART_HEIGHT - from}v${from - to}` : ''
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
