import { LOGIN } from '../../browser.ts'
import { hiddenFields } from '../../html.ts'

/**
 * The parameters of an authorization response: in the query or fragment of the redirect, or on the
 * `form_post` page.
 */
export async function authorizationResponse(response: Response): Promise<URLSearchParams> {
  const location = response.headers.get('Location')
  if (location) {
    const { hash, searchParams } = new URL(location, LOGIN)
    return hash ? new URLSearchParams(hash.slice(1)) : searchParams
  }
  return hiddenFields(await response.text())
}
