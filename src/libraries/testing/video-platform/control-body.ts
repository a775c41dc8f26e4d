import type { Context } from 'hono'
import * as z from 'zod/mini'

/** Parses and validates the JSON body of a control request, whatever its content type. */
export async function readBody<T extends z.ZodMiniType>(
  c: Context,
  schema: T,
): Promise<z.output<T>> {
  return schema.parse(await c.req.json())
}

/** Responds with 400 to an invalid control request, and with 500 to a failure of the stand-in. */
export function respondWithControlError(error: Error, c: Context): Response {
  const isInvalidRequest = error instanceof z.core.$ZodError || error instanceof SyntaxError
  return c.json({ problem: error.message }, isInvalidRequest ? 400 : 500)
}
