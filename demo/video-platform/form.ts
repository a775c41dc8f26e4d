import type { Context } from 'hono'

/** The fields of a form, whatever its content type says; bytes, as workerd warns of `.text()`. */
export async function readForm(c: Context): Promise<URLSearchParams> {
  return new URLSearchParams(new TextDecoder().decode(await c.req.arrayBuffer()))
}
