import { OAuthError } from '../errors.ts'
import type { AppContext } from '../http/app-env.ts'
import { type Pairs, pairsOf } from '../query.ts'

const FORM = /^application\/x-www-form-urlencoded *(?:; *charset=utf-8)?$/i

export function isForm(c: AppContext): boolean {
  return FORM.test(c.req.header('Content-Type')?.trim() ?? '')
}

/** The parameters of a request by a client: a form in the body, each name once, and nothing in the address. */
export async function readForm(c: AppContext): Promise<URLSearchParams> {
  if (!isForm(c)) {
    throw new OAuthError('invalid_request', 'The body must be application/x-www-form-urlencoded.')
  }
  const body = new TextDecoder().decode(await c.req.arrayBuffer())
  const all = pairsOf(body)
  // A parameter without a value is as good as none (RFC 6749 §3.2).
  const given = all.filter(([, value]) => value !== '')
  if (hasRepetition(given)) throw new OAuthError('invalid_request', 'A parameter is sent twice.')
  // Behind a question mark of ours, so that one of theirs is a letter like any other.
  return new URLSearchParams(given.length === all.length ? `?${body}` : given)
}

/** Each parameter comes once (RFC 6749 §3.1), but that several resources may be asked for (RFC 8707 §2). */
export function hasRepetition(given: Pairs): boolean {
  const names = given.map(([name]) => name).filter((name) => name !== 'resource')
  return new Set(names).size < names.length
}
