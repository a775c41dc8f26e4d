import { type Child, type PropsWithChildren, useContext } from 'hono/jsx'
import { DataTable, filterUrl } from '../../../administration/console/console-parts.tsx'
import { TimeZone } from '../../../administration/console/times.tsx'
import { PERIODS, type Period, type Scale } from './periods.ts'

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
  client?: string
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

interface SignInChartProps {
  scale: Scale
  bars: readonly Bar[]
  /** In seconds since 1970. A bar that is not over at this time is hatched. */
  now: number
  /** The client whose sign-ins they are; absent if they are those of all. */
  client?: string
}

/**
 * A bar per part of the period, which links to its entries: successful sign-ins, and failures on
 * top of them. The table has the same for those who cannot see or point at bars.
 */
export function SignInChart({ scale, bars, now, client }: SignInChartProps) {
  const timeZone = useContext(TimeZone)
  const format = (at: number, options: Intl.DateTimeFormatOptions) =>
    new Date(at * 1000).toLocaleString('en-GB', { ...options, timeZone })
  const barUrl = ({ since, until }: Bar) =>
    entriesUrl({ since, until, ...(client !== undefined && { client }) })
  const step = stepFor(Math.max(...bars.map(({ succeeded, failed }) => succeeded + failed)))
  const height = (count: number) => Math.round((count / (step * STEPS)) * CHART_HEIGHT)
  const { barName, barsPerLabel, labelFormat } = scale
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
        <span class="zone">Times are in {timeZone}.</span>
      </figcaption>
      <div class="chart">
        <div class="scale" aria-hidden="true">
          {Array.from({ length: STEPS + 1 }, (_, line) => (
            <span>{formatNumber(step * (STEPS - line))}</span>
          ))}
        </div>
        <svg viewBox={`0 0 ${width} ${CHART_HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <Hatching name="ok" />
          <Hatching name="failed" />
          {Array.from({ length: STEPS }, (_, line) => (
            <path class="line" d={`M0 ${(line * CHART_HEIGHT) / STEPS}h${width}`} />
          ))}
          {bars.map((item, index) => (
            <a
              href={barUrl(item)}
              tabindex={-1}
              class={item.until > now ? 'unfinished' : undefined}
            >
              <title>
                {format(item.since, START_FORMAT)}: {item.succeeded} succeeded, {item.failed} failed
              </title>
              <path class="all" d={bar(index, 0, CHART_HEIGHT)} />
              <path class="ok" d={bar(index, 0, height(item.succeeded))} />
              <path
                class="failed"
                d={bar(index, height(item.succeeded), height(item.succeeded + item.failed))}
              />
            </a>
          ))}
        </svg>
        <div class="times" aria-hidden="true">
          {bars
            .filter((_, index) => index % barsPerLabel === 0)
            .map(({ since }) => (
              <span>{format(since, labelFormat)}</span>
            ))}
        </div>
      </div>
      <details>
        <summary>{caption} as a table</summary>
        <DataTable
          caption={`${caption}, ${timeZone}`}
          items={bars.toReversed()}
          columns={{
            Start: (item) => <a href={barUrl(item)}>{format(item.since, START_FORMAT)}</a>,
            Succeeded: ({ succeeded }) => succeeded,
            Failed: ({ failed }) => failed,
          }}
        />
      </details>
    </figure>
  )
}

/** Lines in the colour of a part of a bar. */
function Hatching({ name }: { name: 'ok' | 'failed' }) {
  return (
    <pattern
      id={`hatched-${name}`}
      width="4"
      height="4"
      patternUnits="userSpaceOnUse"
      patternTransform="rotate(45)"
    >
      <path class={`${name} hatch`} d="M1 0v4" />
    </pattern>
  )
}

/** A number that administrators look for first, or that it is not available. */
export function Tile(props: { name: string; value: string | undefined; children?: Child }) {
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

export const UNAVAILABLE = 'not available at the moment'

/** Undefined if nobody has tried. */
export function successRate({ succeeded, failed }: Pick<Bar, 'succeeded' | 'failed'>) {
  return succeeded + failed === 0 ? undefined : succeeded / (succeeded + failed)
}

export function formatShare(share: number | undefined): string {
  if (share === undefined) return '–'
  return share.toLocaleString('en', { style: 'percent', maximumFractionDigits: 1 })
}

/** The links that show another period on the same page. The children are further links. */
export function PeriodLinks(props: PropsWithChildren<{ path: string; period: Period }>) {
  const { path, period, children } = props
  return (
    <nav class="chips" aria-label="Period">
      {Object.entries(PERIODS).map(([name, { label }]) => (
        <a href={`${path}?period=${name}`} aria-current={name === period ? 'true' : undefined}>
          {label}
        </a>
      ))}
      {children}
    </nav>
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

export function formatNumber(count: number): string {
  return count.toLocaleString('en')
}
