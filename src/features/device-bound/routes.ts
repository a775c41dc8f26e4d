import { Hono } from 'hono'
import type { AppContext, AppEnv } from '../../core/http/app-env.ts'
import { auditUserEvent } from '../../core/http/audit.ts'
import { countedNetwork } from '../../core/http/client-ip.ts'
import { addToLog } from '../../core/http/request-log.ts'
import type { Requester } from '../../core/limits/network.ts'
import { limitPageRequests } from '../../core/limits/rate-limit.ts'
import { count } from '../../core/metrics/count.ts'
import { setRetryAfter } from '../../core/pages/error-response.tsx'
import { randomSecret } from '../../foundation/crypto/random.ts'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import type { BindingEvent } from './audit-events.ts'
import { callBoundUser } from './bound-user-object.ts'
import { describeProofCookie, setProofCookies } from './cookies.ts'
import type { METRICS } from './metrics.ts'
import { REFRESH_PATH, REGISTRATION_PATH } from './paths.ts'
import { readRefreshInitiators } from './refresh-initiators.ts'
import {
  type BoundSession,
  openChallenge,
  openOffer,
  openSessionId,
  sealChallenge,
  sealSessionId,
} from './sealed-values.ts'
import { readChallenge, readNewKey, unquote } from './signed-challenge.ts'

export interface BindingPolicy {
  /** For how long the bound cookie is valid, in seconds. */
  cookieLifetime: number
  /** Whether a session ends if somebody presents a proof of another key. */
  endsOnFailedProof: boolean
}

/**
 * What browsers send by themselves: {@link https://w3c.github.io/webappsec-dbsc/}. They may send it
 * without our other cookies, so only sealed values and signatures count. After a 4xx, the browser
 * forgets the binding, so whatever may succeed later is answered with 503.
 */
export function createRoutes(policy: BindingPolicy): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .post(REGISTRATION_PATH, async (c) => {
      if (await isOverLimit(c, countedNetwork(c))) return unavailable(c)
      const token = unquote(c.req.header('Secure-Session-Response'))
      const offer = await openOffer(c.get('config').seal, readChallenge(token ?? '') ?? '')
      const key = token !== undefined && offer && (await readNewKey(token))
      if (!key) return refuse(c)
      const { userId, secretDigest } = offer
      const proof = randomSecret()
      const result = await callBoundUser(c.env, userId, (object) =>
        object.bindSession(secretDigest, { proof, key }),
      )
      if (result === 'second') reportRefusal(c, userId, 'registration')
      if (result !== 'bound') return refuse(c)
      countOutcome('registered')
      addToLog(c, { userId })
      const id = await sealSessionId(c.get('config').seal, { userId, proof })
      await setProofCookies(c, proof, policy.cookieLifetime)
      return c.json(await instructions(c, id))
    })
    .post(REFRESH_PATH, async (c) => {
      const id = unquote(c.req.header('Sec-Secure-Session-Id')) ?? ''
      const session = await openSessionId(c.get('config').seal, id)
      if (await isOverLimit(c, session?.proof ?? countedNetwork(c))) return unavailable(c)
      if (!session) return refuse(c)
      const token = unquote(c.req.header('Secure-Session-Response'))
      return token === undefined
        ? challenge(c, id, session)
        : renew(c, { id, session, token }, policy)
    })
}

interface RenewalRequest {
  /** The id of the session as the browser has it. */
  id: string
  session: BoundSession
  /** The JWT of the browser. */
  token: string
}

async function renew(
  c: AppContext,
  { id, session, token }: RenewalRequest,
  { cookieLifetime, endsOnFailedProof }: BindingPolicy,
): Promise<Response> {
  const { userId, proof } = session
  const signed = await openChallenge(c.get('config').seal, readChallenge(token) ?? '', proof)
  if (!signed) return refuse(c)
  if (signed.isExpired) return challenge(c, id, session)
  const result = await callBoundUser(c.env, userId, (object) =>
    object.proveKey(proof, { token, sealedAt: signed.sealedAt }, endsOnFailedProof),
  )
  addToLog(c, { userId })
  switch (result.kind) {
    case 'failed':
      if (result.isReported) reportRefusal(c, userId, 'refresh')
      return refuse(c)
    case 'replayed':
      countOutcome('refused')
      return challenge(c, id, session)
    case 'ended':
      return c.json({ session_identifier: id, continue: false })
    case 'proved':
      countOutcome('refreshed')
      await setProofCookies(c, proof, cookieLifetime)
      return c.json(await instructions(c, id))
  }
}

/** What the browser does from now on. Apps may have been added since it was last told. */
async function instructions(c: AppContext, id: string) {
  return {
    session_identifier: id,
    refresh_url: REFRESH_PATH,
    scope: { include_site: false },
    credentials: [{ type: 'cookie', ...describeProofCookie(c) }],
    allowed_refresh_initiators: await readRefreshInitiators(c),
  }
}

async function challenge(c: AppContext, id: string, { proof }: BoundSession): Promise<Response> {
  const sealed = await sealChallenge(c.get('config').seal, proof)
  c.header('Secure-Session-Challenge', `"${sealed}";id="${id}"`)
  return c.body(null, 403)
}

function refuse(c: AppContext): Response {
  countOutcome('refused')
  addToLog(c, { code: 'request_invalid' })
  return c.body(null, 400)
}

/** Not 429: the browser would forget the binding. */
function unavailable(c: AppContext): Response {
  setRetryAfter(c, 503)
  addToLog(c, { code: 'too_many_requests' })
  return c.body(null, 503)
}

async function isOverLimit(c: AppContext, requester: Requester): Promise<boolean> {
  try {
    await limitPageRequests(c.env, 'device-bound', requester)
    return false
  } catch (error) {
    if (error instanceof SignInError) return true
    throw error
  }
}

function reportRefusal(c: AppContext, userId: string, detail: 'registration' | 'refresh'): void {
  auditUserEvent<BindingEvent>(c, userId, { event: 'session_proof_refused', detail })
}

function countOutcome(outcome: 'registered' | 'refreshed' | 'refused'): void {
  count<typeof METRICS>('vestibule_session_bindings_total', { outcome })
}
