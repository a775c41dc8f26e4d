import { expect } from 'vitest'
import { LOGIN } from './browser.ts'

/** The absolute address that a response redirects to. Fails if the response is not a redirect, or has another status. */
export function redirectUrl(response: Response, status?: number): URL {
  const location = response.headers.get('Location')
  expect(location).toBeTruthy()
  if (status !== undefined) expect(response.status).toBe(status)
  return new URL(location ?? '', LOGIN)
}
