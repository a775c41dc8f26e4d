import { DataTable, filterUrl } from '../../../operations/console/console-parts.tsx'
import { PERIODS, type Period } from './periods.ts'

/** The sign-ins of a part of the period. */
export interface Bar {
  since: number
  until: number
  succeeded: number
  failed: number
}

/** The entries of sign-ins in the audit log. */
export function entriesUrl({
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

/** Into how many parts the horizontal lines divide the chart. */
const STEPS = 3

/**
 * A bar per part of the period, which links to its entries: successful sign-ins, and failures on
 * top of them. The table has the same for those who cannot see or point at bars.
 */
export function SignInChart({ period, bars }: { period: Period; bars: readonly Bar[] }) {
  const step = stepFor(Math.max(...bars.map(({ succeeded, failed }) => succeeded + failed)))
  const height = (count: number) => Math.round((count / (step * STEPS)) * CHART_HEIGHT)
  const { barName, barsPerLabel, labelFormat } = PERIODS[period]
  const caption = `Sign-ins per ${barName}`
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
              <title>{`${formatUtc(since, START_FORMAT)}: ${succeeded} succeeded, ${failed} failed`}</title>
              <path class="all" d={bar(index, 0, CHART_HEIGHT)} />
              <path class="ok" d={bar(index, 0, height(succeeded))} />
              <path class="failed" d={bar(index, height(succeeded), height(succeeded + failed))} />
            </a>
          ))}
        </svg>
        <div class="times" aria-hidden="true">
          {bars
            .filter((_, index) => index % barsPerLabel === 0)
            .map(({ since }) => (
              <span>{formatUtc(since, labelFormat)}</span>
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
              <a href={entriesUrl({ since, until })}>{formatUtc(since, START_FORMAT)}</a>
            ),
            Succeeded: ({ succeeded }) => succeeded,
            Failed: ({ failed }) => failed,
          }}
        />
      </details>
    </figure>
  )
}

/** The distance of the horizontal lines: a round number with which the highest bar fits. */
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
} as const

function formatUtc(at: number, format: Intl.DateTimeFormatOptions): string {
  return new Date(at * 1000).toLocaleString('en-GB', { ...format, timeZone: 'UTC' })
}

export function formatNumber(count: number): string {
  return count.toLocaleString('en')
}
