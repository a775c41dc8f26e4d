import { UnavailableError } from './session.ts'

/** Whether this is a browser, and not a server that renders pages. */
export function isBrowser(): boolean {
  return typeof document !== 'undefined'
}

/** Servers have nobody's session. To treat all users as signed out would be wrong. */
export function requireBrowser(): void {
  if (isBrowser()) return
  throw new UnavailableError(
    'Only the browser knows the session. On a server, the state is "loading": call this function in the browser.',
  )
}
