import { LOGIN } from '../browser.ts'
import { hiddenFields } from '../html.ts'

/** The parameters of an authorization response: of the redirect, or of the `form_post` page. */
export async function authorizationResponse(response: Response): Promise<URLSearchParams> {
  const location = response.headers.get('Location')
  if (location) return new URL(location, LOGIN).searchParams
  return hiddenFields(await response.text())
}
