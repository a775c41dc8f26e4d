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

type RequiredSignInTimes = Pick<
  GrantRequest,
  'authenticatedSince' | 'promptedSince' | 'chosenSince' | 'acrRequestedAt'
>

/**
 * The times since which the user must have signed in, and been prompted, to satisfy the request.
 */
export function requiredSignInTimes(
  { prompt, maxAge }: AuthorizationRequest,
  { sentToSignInAt, isForAcr }: Partial<PendingRequest>,
): RequiredSignInTimes {
  const now = nowInSeconds()
  // Only a sign-in since this request asked for one is recent enough.
  const since =
    sentToSignInAt === undefined ? now + 1 : Math.max(sentToSignInAt, now - MAX_RETURN_TIME)
  const others = {
    chosenSince: prompt.includes('select_account') ? since : undefined,
    acrRequestedAt: isForAcr ? sentToSignInAt : undefined,
  }
  if (prompt.includes('login') || maxAge === 0) {
    return { ...others, authenticatedSince: since, promptedSince: since }
  }
  if (maxAge === undefined) {
    return { ...others, authenticatedSince: undefined, promptedSince: undefined }
  }
  const authenticatedSince = Math.min(since, now - maxAge)
  const promptedSince = maxAge < MIN_SESSION_AGE ? authenticatedSince : undefined
  return { ...others, authenticatedSince, promptedSince }
}
