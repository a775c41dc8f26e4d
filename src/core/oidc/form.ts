import { OAuthError } from '../../foundation/errors/oauth-error.ts'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import type { AppContext } from '../http/app-env.ts'

const FORM_CONTENT_TYPE = /^application\/x-www-form-urlencoded *(?:; *charset=utf-8)?$/i

export function hasForm(c: AppContext): boolean {
  return FORM_CONTENT_TYPE.test(c.req.header('Content-Type')?.trim() ?? '')
}

/** Reads the form that a client has sent. Each parameter may occur once. */
export async function readClientForm(c: AppContext): Promise<URLSearchParams> {
  if (!hasForm(c)) {
    throw new OAuthError('invalid_request', 'The body must be application/x-www-form-urlencoded.')
  }
  const form = await readPresentParameters(c)
  if (hasRepeatedParameter(form)) {
    throw new OAuthError('invalid_request', 'A parameter is sent more than once.')
  }
  return form
}

/** Reads the form that a user's browser has sent. The same rules, but the user sees the error. */
export async function readBrowserForm(c: AppContext): Promise<URLSearchParams> {
  if (!hasForm(c)) throw new SignInError('request_invalid')
  const form = await readPresentParameters(c)
  if (hasRepeatedParameter(form)) throw new SignInError('request_invalid')
  return form
}

/** A parameter without a value counts as absent (RFC 6749 §3.2). */
async function readPresentParameters(c: AppContext): Promise<URLSearchParams> {
  const params = await readBody(c)
  for (const [name, value] of [...params]) if (value === '') params.delete(name, value)
  return params
}

/** Reads the body as form parameters, without checking them. */
export async function readBody(c: AppContext): Promise<URLSearchParams> {
  // URLSearchParams removes one leading question mark; this one protects a question mark in the
  // body.
  return new URLSearchParams(`?${new TextDecoder().decode(await c.req.arrayBuffer())}`)
}

/** RFC 6749 §3.1 forbids repeated parameters, except that RFC 8707 §2 allows several resources. */
export function hasRepeatedParameter(params: URLSearchParams): boolean {
  const names = [...params.keys()].filter((name) => name !== 'resource')
  return new Set(names).size < names.length
}
