/**
 * Brings the tables of a Durable Object up to date, one step after another: what has been released is
 * never changed, only followed by another step. What a newer version has written is not touched, because
 * this one would lose what it does not know.
 */
export function migrate({ kv, sql }: DurableObjectStorage, steps: readonly string[]): void {
  const version = kv.get<number>('version') ?? 0
  if (version > steps.length) throw new Error('A newer version has written this object.')
  if (version === steps.length) return
  for (const step of steps.slice(version)) sql.exec(step)
  kv.put('version', steps.length)
}
