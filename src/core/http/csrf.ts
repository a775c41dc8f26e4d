import { isSameSecret } from '../../foundation/crypto/compare.ts'
import { randomSecret } from '../../foundation/crypto/random.ts'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import type { AppContext } from './app-env.ts'
import { readSealedCookie, setSealedCookie } from './cookies.ts'

/** How long a page may stay open before its form is sent. */
const TOKEN_LIFETIME = 24 * 3600 // seconds

/**
 * The CSRF token for this browser's forms, which is also in a sealed cookie. All forms of a page
 * have the same one, because the browser keeps only one cookie.
 */
export function csrfToken(c: AppContext): Promise<string> {
  const token = c.get('csrfToken') ?? readOrCreateToken(c)
  c.set('csrfToken', token)
  return token
}

async function readOrCreateToken(c: AppContext): Promise<string> {
  const existing = await readSealedCookie(c, 'csrf')
  if (existing) return existing
  const token = randomSecret()
  await setSealedCookie(c, 'csrf', { value: token, maxAge: TOKEN_LIFETIME })
  return token
}

/** Whether the posted form contains the token of this browser's cookie. */
export async function hasCsrfToken(c: AppContext): Promise<boolean> {
  const [expected, form] = await Promise.all([readSealedCookie(c, 'csrf'), readForm(c)])
  const sent = form.get('csrfToken')
  return expected !== undefined && typeof sent === 'string' && isSameSecret(expected, sent)
}

/** The fields of the posted form. */
export async function readForm(c: AppContext): Promise<FormData> {
  try {
    return await c.req.formData()
  } catch (cause) {
    throw new SignInError('request_invalid', { cause })
  }
}
