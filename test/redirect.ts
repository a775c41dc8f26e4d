import { expect } from 'vitest'
import { LOGIN } from './browser.ts'

/**
 * The absolute address that a response redirects to. Fails if the response is not a redirect, or
 * has another status.
 */
export function redirectUrl(response: Response, status?: number): URL {
  const location = response.headers.get('Location')
  expect(location).toBeTruthy()
  if (status !== undefined) expect(response.status).toBe(status)
  return new URL(location ?? '', LOGIN)
}

/** Fails unless a response sends the user to the sign-in page of an interaction. Returns its id. */
export function interactionOf(response: Response): string {
  const { pathname, searchParams } = redirectUrl(response)
  expect(pathname).toBe('/api/auth/signin')
  const id = searchParams.get('interaction') ?? ''
  expect(id).toMatch(/^[\w-]{22}$/)
  return id
}

/** Where users continue whom a response asks to sign in once more; undefined if it does not. */
export function addressAfterSignIn(response: Response): string | undefined {
  const { pathname, searchParams } = new URL(response.headers.get('Location') ?? '', LOGIN)
  const asks = pathname === '/api/auth/signin' && searchParams.get('prompt') === 'login'
  return response.status === 303 && asks
    ? (searchParams.get('callbackUrl') ?? undefined)
    : undefined
}

/** The page of the account that tells a user who has signed in once more to repeat the change. */
export const ACCOUNT_AFTER_SIGN_IN = '/account?done=confirmed'

/** The page of the account that offers a download to a user who has signed in once more. */
export const DOWNLOAD_AFTER_SIGN_IN = `${ACCOUNT_AFTER_SIGN_IN}&change=download`
