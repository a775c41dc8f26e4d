import { OAuthError } from '../errors.ts'
import type { AppContext } from '../http/app-env.ts'

const FORM = /^application\/x-www-form-urlencoded *(?:; *charset=utf-8)?$/i

export function isForm(c: AppContext): boolean {
  return FORM.test(c.req.header('Content-Type')?.trim() ?? '')
}

/** The parameters of a request by a client: a form in the body, each name once, and nothing in the address. */
export async function readForm(c: AppContext): Promise<URLSearchParams> {
  if (!isForm(c)) {
    throw new OAuthError('invalid_request', 'The body must be application/x-www-form-urlencoded.')
  }
  const body = new URLSearchParams(new TextDecoder().decode(await c.req.arrayBuffer()))
  // A parameter without a value is as good as none (RFC 6749 §3.2).
  const form = new URLSearchParams([...body].filter(([, value]) => value !== ''))
  for (const name of new Set(form.keys())) {
    if (form.getAll(name).length > 1 && name !== 'resource') {
      throw new OAuthError('invalid_request', 'A parameter is sent twice.')
    }
  }
  return form
}
