import { describe, expect, it } from 'vitest'
import guide from '../../../docs/monitoring.md?raw'
import { validateOptions } from '../../../src/core/config/options.ts'
import { readEnglish } from '../../../src/core/messages/english.ts'
import { DURATION } from '../../../src/core/metrics/metric-table.ts'
import { countersOf } from '../../../src/features/admin/metrics/counters.ts'
import { READ_METRICS } from '../../../src/features/admin/metrics/metrics.ts'
import { deviceBound } from '../../../src/features/device-bound/feature.ts'
import alerts from '../../../template/monitoring/alerts.yml?raw'
import dashboard from '../../../template/monitoring/dashboard.json?raw'
import { Browser } from '../../browser.ts'
import { everyWayToSignIn } from '../../combined/every-way-to-sign-in.ts'

const options = {
  ...everyWayToSignIn,
  features: [...(everyWayToSignIn.features ?? []), deviceBound()],
}

const { features } = validateOptions(options, readEnglish).declared
const COUNTERS = countersOf(features)
const GAUGES = Object.fromEntries(
  features
    .flatMap(({ gauges }) => Object.entries(gauges?.help ?? {}))
    .map(([name, help]) => [name, { help }]),
)

const METRICS = { ...READ_METRICS, ...GAUGES, ...COUNTERS, [DURATION.name]: DURATION }

/** The values of labels that are known; those of other metrics come from storage. */
const LABELS: Record<string, Record<string, readonly string[]>> = {
  ...Object.fromEntries(Object.entries(COUNTERS).map(([name, { labels }]) => [name, labels])),
  [DURATION.name]: DURATION.labels,
}

/** The rows of a table in the guide: a name, its meaning, and what to do. */
function readTable(heading: string): [name: string, meaning: string, action: string][] {
  const [, section = ''] = guide.split(`\n## ${heading}\n`)
  const rows = (section.split('\n## ')[0] ?? '').matchAll(/^\| `(\w+)` \| (.+?) \| (.+) \|$/gm)
  return Array.from(rows, ([, name = '', meaning = '', action = '']) => [name, meaning, action])
}

/** The names of metrics in queries, without the endings of the series of a histogram. */
function findMetrics(text: string): string[] {
  return Array.from(text.matchAll(/\bvestibule_\w+/g), ([name]) =>
    name.replace(/_(bucket|sum|count)$/, ''),
  )
}

describe('docs/monitoring.md', () => {
  it('explains every metric as the service does, and says what to do', () => {
    const rows = readTable('Metrics')

    expect(rows.map(([name, meaning]) => [name, meaning])).toEqual(
      Object.entries(METRICS).map(([name, { help }]) => [name, help]),
    )
  })

  it('explains every alert as its rule does, and says what to do', () => {
    const rules = alerts.matchAll(/^ +- alert: (\w+)$[\s\S]*?^ +summary: (.+)$/gm)

    expect(readTable('Alerts').map(([name, meaning]) => [name, meaning])).toEqual(
      Array.from(rules, ([, name, summary]) => [name, summary]),
    )
  })
})

describe.each([
  ['alerts.yml', alerts],
  ['dashboard.json', JSON.stringify(JSON.parse(dashboard)).replaceAll('\\"', '"')],
])('template/monitoring/%s', (_, text) => {
  it('uses only metrics and values of labels that exist', () => {
    expect(findMetrics(text)).not.toEqual([])
    expect(findMetrics(text).filter((name) => !(name in METRICS))).toEqual([])

    for (const [, series = '', selector = ''] of text.matchAll(/(vestibule_\w+)\{([^}]*)\}/g)) {
      const labels = LABELS[findMetrics(series)[0] ?? '']
      for (const [, label = '', values = ''] of selector.matchAll(/(\w+)[!=~]+"([^"]*)"/g)) {
        if (labels) expect(labels[label]).toEqual(expect.arrayContaining(values.split('|')))
      }
    }
  })
})

describe('the alerts', () => {
  it('are of one deployment each', () => {
    const expressions = Array.from(
      alerts.matchAll(/^ +expr: (?:>-\n)?([\s\S]*?)^ +(?:for|labels): /gm),
      ([, expression = '']) => expression,
    )
    expect(expressions).toHaveLength(alerts.match(/- alert: /g)?.length ?? 0)

    // An aggregation without the label would add up deployments, and one hide what another has.
    const text = expressions.join()
    expect(text.match(/\b(sum|min|max) by \(instance\b/g)?.length).toBeGreaterThan(10)
    expect(text.match(/\b(sum|min|max|avg|count)\b(?! by \(instance\b).*/g)).toBeNull()
  })
})

describe('the alerts about /readyz', () => {
  it('are critical for what nobody can sign in without, and otherwise warnings', async () => {
    const { checks } = await new Browser().json<{ checks: { name: string }[] }>('/readyz')
    const [[, critical = ''] = [], [, others = ''] = [], ...more] = alerts.matchAll(
      /vestibule_ready\{check[=!]~"([^"]*)"\}/g,
    )

    expect(checks.map(({ name }) => name)).toEqual(expect.arrayContaining(critical.split('|')))
    expect(others).toBe(critical)
    expect(more).toEqual([])
    expect(alerts).toMatch(/alert: VestibuleNotReady\n.*check=~.*\n.*\n +labels: .*critical/)
    expect(alerts).toMatch(/alert: VestibuleWarning\n.*vestibule_warning.*== 1\n/)
    expect(alerts).toMatch(/alert: VestibulePartNotReady\n.*check!~.*\n.*\n +labels: .*warning/)
  })
})

describe('the dashboard', () => {
  it('shows every metric', () => {
    expect([...new Set(findMetrics(dashboard))].sort()).toEqual(Object.keys(METRICS).sort())
  })
})
