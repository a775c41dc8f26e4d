import * as z from 'zod/mini'

/** The named ways in which an answer goes wrong. */
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

/** What happens to the next calls of one path; several fields act together. */
export const fault = z.object({
  /** The exact path, or its beginning followed by `*`. */
  path: z.string().check(z.regex(/^\//)),
  times: z._default(z.int().check(z.positive()), 1),
  kind: z.optional(kind),
  /** Answers with this instead; anything but a string is sent as JSON. */
  body: z.optional(z.unknown()),
  status: z.optional(z.int().check(z.minimum(200), z.maximum(599))),
  contentType: z.optional(z.string()),
  headers: z.optional(z.record(z.string(), z.string())),
  /** Holds the answer back. */
  delayMs: z.optional(z.int().check(z.nonnegative())),
  /** Leaves a field out of the token answer or of the user. */
  without: z.optional(z.string()),
  /** Sets fields of the token answer or of the user. */
  set: z.optional(z.record(z.string(), z.unknown())),
})

export type FaultKind = z.infer<typeof kind>
export type Fault = z.infer<typeof fault>

/** Takes the oldest fault waiting for a path, once less than it has times. */
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
