import type { Context } from 'hono'
import * as z from 'zod/mini'

/** The JSON a test sent, in the shape its control wants. */
export async function readBody<T extends z.ZodMiniType>(
  c: Context,
  schema: T,
): Promise<z.output<T>> {
  return schema.parse(await c.req.json())
}

/** Tells a test's own mistake from ours. */
export function answerControlError(error: Error, c: Context): Response {
  const isTheirs = error instanceof z.core.$ZodError || error instanceof SyntaxError
  return c.json({ problem: error.message }, isTheirs ? 400 : 500)
}
