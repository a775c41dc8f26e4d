import type { Feature } from '../../../core/config/feature.ts'
import { COUNTERS, type Counters } from '../../../core/metrics/metric-table.ts'

/** What a deployment with these features counts, with all values of labels. */
export function countersOf(features: readonly Feature[]): Counters {
  const grantTypes = features.flatMap(({ grantTypes = [] }) => grantTypes.map(({ label }) => label))
  const errors = features.flatMap(({ errors }) => errors?.clients ?? [])
  const tables: Counters[] = [
    COUNTERS,
    { vestibule_tokens_issued_total: { labels: { grant_type: grantTypes } } },
    { vestibule_token_errors_total: { labels: { error: errors } } },
    ...features.map(({ metrics = {} }) => metrics),
  ]
  return tables.reduce(addCounters, {})
}

function addCounters(first: Counters, second: Counters): Counters {
  const added = Object.entries(second).map(([name, { labels, ...counter }]) => {
    const { labels: former = {}, ...known } = first[name] ?? {}
    const values = Object.entries(labels).map(([label, list]) => [
      label,
      // Several providers can have the same method.
      [...new Set([...(former[label] ?? []), ...list])],
    ])
    return [name, { ...known, ...counter, labels: { ...former, ...Object.fromEntries(values) } }]
  })
  return { ...first, ...Object.fromEntries(added) }
}
