import { DurableObject } from 'cloudflare:workers'
import { namedObject } from '../storage/object-location.ts'

/** A series of Prometheus, `name{label="value"}`, and a number. */
export type Counts = Readonly<Record<string, number>>

/**
 * Adds up what the isolates have counted. Each report is written at once, because an object that
 * nobody calls is removed from memory after ten seconds.
 */
export class MetricsObject extends DurableObject<Env> {
  /** Adds the counts of an isolate. */
  add(counts: Counts): void {
    this.ctx.storage.kv.put<Counts>('totals', addCounts(this.read(), counts))
  }

  read(): Counts {
    return this.ctx.storage.kv.get<Counts>('totals') ?? {}
  }
}

export function addCounts(first: Counts, second: Counts): Counts {
  const sum: Record<string, number> = { ...first }
  for (const [series, count] of Object.entries(second)) sum[series] = (sum[series] ?? 0) + count
  return sum
}

/** The only object of its class. */
export function metricsObject(env: Env): DurableObjectStub<MetricsObject> {
  return namedObject(env, env.METRICS, 'metrics')
}
