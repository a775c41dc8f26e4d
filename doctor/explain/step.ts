import type { LogLine } from './log-lines.ts'

const CALLBACK = '/api/auth/callback/:provider'
const SIGN_IN = '/api/auth/signin/:provider'

/** What happened in one request, in a sentence. */
export function describeStep(line: LogLine, isFirst: boolean): string {
  const { route, event, code, method, status } = line
  if (route === undefined) return 'After that answer, something was left undone.'
  if (event === 'signin') return `The person came back, and was signed in as ${line.userId}.`
  if (event === 'account_linked')
    return `The person came back, and the account was linked to ${line.userId}.`
  if (route === CALLBACK) return describeCallback(line, isFirst)
  if (code !== undefined) return `${method} ${route} was refused with ${status}: ${code}.`
  if (route.startsWith(SIGN_IN)) return describeStart(line)
  return `${method} ${route} was answered with ${status}.`
}

/** Whether a browser only asked how far the phone is. */
export function isWaiting({ route, event }: LogLine): boolean {
  return event === undefined && route === `${SIGN_IN}/qr/:handle`
}

function describeStart(line: LogLine): string {
  const { route, status = 0, provider } = line
  if (isWaiting(line)) return 'The browser waited for the phone.'
  if (route?.endsWith('/qr')) return 'The browser was shown a code for the phone.'
  if (status < 300)
    return 'Another site had led here, so the sign-in page was shown, and nothing began yet.'
  return `It began: the browser was sent to ${provider ?? 'the platform'}.`
}

function describeCallback({ code, status = 0 }: LogLine, isFirst: boolean): string {
  if (code === 'attempt_missing')
    return 'Somebody came back, and this browser has no such sign-in under way.'
  if (code !== undefined)
    return `The person came back, and the sign-in failed with ${status}: ${code}.`
  if (isFirst)
    return 'Somebody came back in a browser that does not hold their sign-in, and was sent to the platform once more.'
  return 'The same answer came once more, or is for another deployment: the browser was sent on.'
}
