import { challengeOf } from './challenge.ts'
import type { SessionSource, SignInRequirements } from './session.ts'
import type { SessionStore } from './session-store.ts'

/** A sign-in that did not satisfy the API is not requested again within this time. */
const PAUSE = 60_000 // milliseconds

const LAST_REQUEST_KEY = 'vestibule required sign-in'

/**
 * Sends a request with the token. It is repeated once with another token if the API rejects it. If
 * the API requires more than the token proves (RFC 9470), the browser goes to sign in, and the
 * caller gets the API's response.
 */
export async function fetchWithToken<Claims>(
  store: SessionStore<Claims>,
  source: SessionSource<Claims>,
  { request, audience }: { request: Request; audience: string | undefined },
): Promise<Response> {
  const held = await store.get(audience)
  if (!held) return fetch(request)
  const response = await source.send(request.clone(), held.session.token)
  const required = requiredSignIn(source, response)
  if (required) {
    await signInOnce(source, required)
    return response
  }
  if (response.status !== 401) return response
  const next = await store.replace(held, audience)
  if (!next || next.session.token === held.session.token) return response
  return source.send(request, next.session.token)
}

/** What the API requires that a sign-in can achieve, from the challenge of its response. */
function requiredSignIn<Claims>(
  source: SessionSource<Claims>,
  response: Response,
): SignInRequirements | undefined {
  const { status } = response
  const parameter = challengeOf(response)
  const error = parameter('error')
  if (status === 401 && error === 'insufficient_user_authentication') {
    return { acrValues: parameter('acr_values'), maxAge: parameter('max_age') }
  }
  if (status !== 403 || error !== 'insufficient_scope') return undefined
  const scope = parameter('scope')
  return source.canRequest(scope, response) ? { scope } : undefined
}

/**
 * Some providers sign the same user in again without asking. If that does not satisfy the API, the
 * browser would go back and forth forever.
 */
async function signInOnce<Claims>(
  source: SessionSource<Claims>,
  required: SignInRequirements,
): Promise<void> {
  const last = Number(sessionStorage.getItem(LAST_REQUEST_KEY))
  if (Date.now() - last < PAUSE) return
  sessionStorage.setItem(LAST_REQUEST_KEY, String(Date.now()))
  await source.signIn(required)
}
