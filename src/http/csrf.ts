import { randomSecret } from '../crypto/random.ts'
import type { AppContext } from './app-env.ts'
import { readSealedCookie, setSealedCookie } from './cookies.ts'

/** As long as a page may stand open before its form is sent. */
const ONE_DAY = 24 * 3600

/** The token that this browser's forms carry; its twin is in a cookie that only we can make. */
export async function csrfToken(c: AppContext): Promise<string> {
  const known = await readSealedCookie(c, 'csrf')
  if (known) return known
  const token = randomSecret()
  await setSealedCookie(c, 'csrf', { value: token, maxAge: ONE_DAY })
  return token
}
