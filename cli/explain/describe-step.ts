import type { LogLine } from './log-lines.ts'

const CALLBACK_ROUTE = '/api/auth/callback/:provider'
const SIGN_IN_PAGE_ROUTE = '/api/auth/signin'
const SIGN_IN_ROUTE = '/api/auth/signin/:provider'
const QR_ROUTE = `${SIGN_IN_ROUTE}/qr`
const QR_POLLING_ROUTE = `${QR_ROUTE}/:attempt`

/** Describes what happened in one request, in a sentence. */
export function describeStep(line: LogLine, isFirst: boolean): string {
  const { route, event, code, method, status } = line
  if (route === undefined) return 'A task that runs after the response failed.'
  if (event === 'signin') return `The user returned and was signed in as ${line.userId}.`
  if (event === 'signin_repeated') {
    return `The browser sent the same form again, and got the same session of ${line.userId}.`
  }
  if (event === 'account_linked') {
    return `The user returned, and the account was linked to ${line.userId}.`
  }
  if (route === CALLBACK_ROUTE) return describeCallback(line, isFirst)
  if (code !== undefined) return `${method} ${route} failed with ${status}: ${code}.`
  if (route.startsWith(SIGN_IN_ROUTE)) return describeStart(line)
  // The page is skipped if there is only one provider.
  if (route === SIGN_IN_PAGE_ROUTE && line.provider !== undefined) return describeStart(line)
  return `${method} ${route} returned ${status}.`
}

/** Whether a request only polled whether the phone has scanned the QR code. */
export function isQrPolling({ route, event }: LogLine): boolean {
  return event === undefined && route === QR_POLLING_ROUTE
}

function describeStart(line: LogLine): string {
  const { route, provider } = line
  if (isQrPolling(line)) return 'The browser waited for the phone.'
  if (route === QR_ROUTE) return 'The browser showed a QR code for the phone.'
  if (provider === undefined) {
    return 'The browser came from another site, or with a link that is out of date, so it was sent to one of our pages, and no sign-in started yet.'
  }
  return `The sign-in started: the browser was sent to ${provider}.`
}

function describeCallback({ code, status = 0 }: LogLine, isFirst: boolean): string {
  if (code === 'attempt_missing') {
    return 'A browser returned from the provider that has no such sign-in in progress.'
  }
  if (code === 'access_denied' && status === 303) {
    return 'The user cancelled, or the provider did not let them sign in, and returned to the page they came from.'
  }
  if (code !== undefined) {
    return `The user returned, and the sign-in failed with ${status}: ${code}.`
  }
  if (isFirst) {
    return 'The user returned in a browser that has no such sign-in in progress, and was redirected to the provider once more.'
  }
  return 'The callback was called again, or is for another deployment: the browser was redirected.'
}
