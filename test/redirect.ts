import { LOGIN } from './browser.ts'

/** The address a response redirects to, or `/nowhere` if it does not redirect. */
export function redirectUrl(response: Response): URL {
  return new URL(response.headers.get('Location') ?? '/nowhere', LOGIN)
}
