import * as z from 'zod/mini'

/** The faults that have a name. */
const kind = z.enum([
  'html-502',
  'empty',
  'redirect',
  'endless',
  'drip',
  'reset',
  'truncated-json',
  'bom',
  'json-array',
  'deep-json',
  'duplicate-keys',
  'proto-key',
  'missing-data',
  'token-type-missing',
  'expires-in-string',
  'scope-reordered',
  'scope-reduced',
  'open-id-mismatch',
  'www-authenticate',
])

/** A fault in the next responses of one path. Several fields can be combined. */
export const fault = z.object({
  /** The exact path, or a prefix followed by `*`. */
  path: z.string().check(z.regex(/^\//)),
  times: z._default(z.int().check(z.positive()), 1),
  kind: z.optional(kind),
  /** Replaces the response body. Values other than strings are sent as JSON. */
  body: z.optional(z.unknown()),
  status: z.optional(z.int().check(z.minimum(200), z.maximum(599))),
  contentType: z.optional(z.string()),
  headers: z.optional(z.record(z.string(), z.string())),
  /** Delays the response. */
  delayMs: z.optional(z.int().check(z.nonnegative())),
  /** Removes a field from the token response or from the user. */
  without: z.optional(z.string()),
  /** Sets fields of the token response or of the user. */
  set: z.optional(z.record(z.string(), z.unknown())),
})

export type FaultKind = z.infer<typeof kind>
export type Fault = z.infer<typeof fault>

/** Returns the oldest fault queued for a path, and removes it from the queue after its last use. */
export function takeFault(queue: Fault[], pathname: string): Fault | undefined {
  const index = queue.findIndex(({ path }) =>
    path.endsWith('*') ? pathname.startsWith(path.slice(0, -1)) : pathname === path,
  )
  const found = queue[index]
  if (found === undefined) return undefined

  found.times -= 1
  if (found.times === 0) queue.splice(index, 1)
  return found
}
