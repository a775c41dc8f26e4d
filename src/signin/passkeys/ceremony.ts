import { nowInSeconds } from '../../clock.ts'
import { ATTEMPT_LIFETIME } from '../../config/lifetimes.ts'
import { digest } from '../../crypto/digest.ts'
import { randomSecret } from '../../crypto/random.ts'
import { requireStorage, SignInError } from '../../errors.ts'
import type { AppContext } from '../../http/app-env.ts'
import { guardObject } from '../../limits/guard-object.ts'
import { type Attempt, beginAttempt, takeAttempt } from '../attempt.ts'

/** What the browser is asked for. A challenge for one is not accepted for another. */
type Ceremony = 'sign_in' | 'confirm' | 'create'

interface CeremonyRequest {
  provider: string
  ceremony: Ceremony
  returnTo: string
  prompt?: string | undefined
  /** The user who confirms or creates; absent for a sign-in. */
  userId?: string
}

/** Starts an attempt whose state is the challenge. */
export async function beginCeremony(
  c: AppContext,
  { provider, ceremony, returnTo, prompt, userId }: CeremonyRequest,
): Promise<string> {
  const { state } = await beginAttempt(c, {
    provider,
    state: randomSecret(),
    nonce: '',
    returnTo,
    // Only our own page can send the response, after the user has chosen a passkey there.
    mayReplaceSession: prompt === 'login' || prompt === 'select_account',
    isPrompted: prompt !== undefined,
    local: { ceremony, ...(userId !== undefined && { userId }) },
  })
  return state
}

/**
 * Takes the attempt with this challenge, which must have been started in this browser. Of several responses
 * with the same challenge, only the first is accepted, in whichever tab.
 */
export async function takeCeremony(
  c: AppContext,
  { provider, challenge }: { provider: string; challenge: string },
  ceremonies: readonly Ceremony[],
): Promise<Attempt> {
  const attempt = await takeAttempt(c, provider, challenge)
  const isExpected = ceremonies.some((ceremony) => ceremony === attempt?.local?.['ceremony'])
  if (!attempt || !isExpected || !(await isFirstUse(c, attempt))) {
    throw new SignInError('attempt_missing')
  }
  return attempt
}

async function isFirstUse(c: AppContext, { state }: Attempt): Promise<boolean> {
  const name = `passkey ${await digest(state)}`
  return requireStorage(async () =>
    guardObject(c.env, name).useOnce(name, nowInSeconds() + ATTEMPT_LIFETIME),
  )
}
