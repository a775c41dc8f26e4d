import { nowInSeconds } from '../../foundation/values/clock.ts'
import type { PendingRequest } from '../interaction/interaction.ts'
import type { GrantRequest } from '../users/authorization.ts'
import type { AuthorizationRequest } from './authorization-request.ts'

/** After a sign-in, the browser continues the authorization request within seconds. */
const MAX_RETURN_TIME = 120 // seconds

/**
 * A `max_age` below this asks for a new authentication, which a silent sign-in does not prove. A
 * larger one limits the age of the session.
 */
const MIN_SESSION_AGE = 600 // seconds

interface RequiredSignInTimes
  extends Pick<
    GrantRequest,
    'authenticatedSince' | 'promptedSince' | 'chosenSince' | 'acrRequestedAt'
  > {}

/**
 * The times since which the user must have signed in, and been prompted, to satisfy the request.
 */
export function requiredSignInTimes(
  { prompt, maxAge }: AuthorizationRequest,
  { sentToSignInAt, isForAcr }: Partial<PendingRequest>,
): RequiredSignInTimes {
  const now = nowInSeconds()
  const acrRequestedAt = isForAcr ? sentToSignInAt : undefined
  // Only a sign-in since this request asked for one is recent enough.
  const since =
    sentToSignInAt === undefined ? now + 1 : Math.max(sentToSignInAt, now - MAX_RETURN_TIME)
  const chosenSince = prompt.includes('select_account') ? since : undefined
  if (prompt.includes('login') || maxAge === 0) {
    return { authenticatedSince: since, promptedSince: since, chosenSince, acrRequestedAt }
  }
  if (maxAge === undefined) {
    return { authenticatedSince: undefined, promptedSince: undefined, chosenSince, acrRequestedAt }
  }
  const authenticatedSince = Math.min(since, now - maxAge)
  const promptedSince = maxAge < MIN_SESSION_AGE ? authenticatedSince : undefined
  return { authenticatedSince, promptedSince, chosenSince, acrRequestedAt }
}
