import { nowInSeconds } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { digest } from '../crypto/digest.ts'
import { openUnexpired, sealUntil } from '../crypto/expiring-seal.ts'
import type { GrantRequest } from '../users/authorization.ts'
import {
  type AuthorizationRequest,
  REAUTHENTICATION_PARAMETER,
  supportedParameters,
} from './authorization-request.ts'

/** How long a user may take to sign in before the authorization request is repeated. */
const MARK_LIFETIME = 900 // seconds

/** After a sign-in, the browser repeats the authorization request within seconds. */
const MAX_RETURN_TIME = 120 // seconds

/**
 * A `max_age` below this asks for a new authentication, which a silent sign-in does not prove. A
 * larger one limits the age of the session.
 */
const MIN_SESSION_AGE = 600 // seconds

/** A sign-in that an authorization request led to. */
interface RequestedSignIn {
  sentAt: number
  /** Whether the user was sent to sign in because of `acr`. */
  isForContext: boolean
}

/** Seals the time at which this authorization request sent the user to sign in, and whether because of `acr`. */
export async function sealSignInTime(
  { seal }: Config,
  params: URLSearchParams,
  isForContext = false,
): Promise<string> {
  const now = nowInSeconds()
  return sealUntil(seal, now + MARK_LIFETIME, {
    purpose: 'reauth',
    context: await markedRequest(params),
    text: isForContext ? `${now} acr` : String(now),
  })
}

interface RequiredSignInTimes
  extends Pick<GrantRequest, 'authenticatedSince' | 'promptedSince' | 'contextRequestedAt'> {}

/**
 * The times since which the user must have signed in, and been prompted, to satisfy the request.
 */
export async function requiredSignInTimes(
  config: Config,
  { prompt, maxAge }: AuthorizationRequest,
  params: URLSearchParams,
): Promise<RequiredSignInTimes> {
  const now = nowInSeconds()
  const requested = await readRequestedSignIn(config, params)
  const sentAt = requested?.sentAt
  const contextRequestedAt = requested?.isForContext ? sentAt : undefined
  // Only a sign-in that this request led to is recent enough; without one, no session is.
  const since = sentAt === undefined ? now + 1 : Math.max(sentAt, now - MAX_RETURN_TIME)
  const requiresPrompt =
    prompt.includes('login') || prompt.includes('select_account') || maxAge === 0
  if (requiresPrompt) {
    return { authenticatedSince: since, promptedSince: since, contextRequestedAt }
  }
  if (maxAge === undefined) {
    return { authenticatedSince: undefined, promptedSince: undefined, contextRequestedAt }
  }
  const authenticatedSince = Math.min(since, now - maxAge)
  const promptedSince = maxAge < MIN_SESSION_AGE ? authenticatedSince : undefined
  return { authenticatedSince, promptedSince, contextRequestedAt }
}

async function readRequestedSignIn(
  { seal }: Config,
  params: URLSearchParams,
): Promise<RequestedSignIn | undefined> {
  const mark = params.get(REAUTHENTICATION_PARAMETER)
  if (!mark) return undefined
  const opened = await openUnexpired(seal, mark, {
    purpose: 'reauth',
    context: await markedRequest(params),
  })
  if (opened === undefined) return undefined
  const [sentAt, context] = opened.split(' ')
  return { sentAt: Number(sentAt), isForContext: context !== undefined }
}

function markedRequest(params: URLSearchParams): Promise<string> {
  return requestDigest(params, REAUTHENTICATION_PARAMETER)
}

/** Identifies a request, so that a sealed parameter of it is valid for that request only. */
export function requestDigest(params: URLSearchParams, sealedParameter: string): Promise<string> {
  const others = [...supportedParameters(params)].filter(([name]) => name !== sealedParameter)
  return digest(JSON.stringify(others))
}
