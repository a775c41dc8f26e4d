import { ATTEMPT_LIFETIME } from '../../core/config/lifetimes.ts'
import type { AppContext } from '../../core/http/app-env.ts'
import { useOnce } from '../../core/limits/use-once.ts'
import { type Attempt, beginAttempt, readAttempts, takeAttempt } from '../../core/signin/attempt.ts'
import { digest } from '../../foundation/crypto/digest.ts'
import { randomSecret } from '../../foundation/crypto/random.ts'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import { PASSKEY_PROVIDER } from './passkeys.ts'

/** What the browser is asked for. A challenge for one is not accepted for another. */
type Ceremony = 'sign_in' | 'confirm' | 'create'

/** The time that a user who opens the sign-in page has at least. */
const MIN_REMAINING_TIME = ATTEMPT_LIFETIME / 2

/**
 * The attempt of this browser's sign-in pages. All of them share one until it is used or half of
 * its time is over, because a browser keeps few attempts, and those of providers must not be
 * dropped for pages that were only opened. Its state is the challenge. The form of each page says
 * where the user returns to.
 */
export async function signInAttempt(c: AppContext): Promise<Attempt> {
  const attempts = await readAttempts(c, PASSKEY_PROVIDER)
  const existing = attempts.find(
    (attempt) =>
      attempt.local?.['ceremony'] === ('sign_in' satisfies Ceremony) &&
      attempt.expiresAt - nowInSeconds() >= MIN_REMAINING_TIME,
  )
  return existing ?? beginCeremony(c, { ceremony: 'sign_in' })
}

/** Starts an attempt. Its state is the challenge. */
export function beginCeremony(
  c: AppContext,
  local: { ceremony: 'sign_in' } | { ceremony: 'confirm' | 'create'; userId: string },
): Promise<Attempt> {
  return beginAttempt(c, {
    provider: PASSKEY_PROVIDER,
    state: randomSecret(),
    nonce: '',
    mayReplaceSession: false,
    level: 'prompted',
    local,
  })
}

/**
 * Takes the attempt with this challenge, which must have been started in this browser. Of several
 * responses with the same challenge, only the first is accepted, in whichever tab.
 */
export async function takeCeremony(
  c: AppContext,
  challenge: string,
  ceremonies: readonly Ceremony[],
): Promise<Attempt> {
  const attempt = await takeAttempt(c, PASSKEY_PROVIDER, challenge)
  const isExpected = ceremonies.some((ceremony) => ceremony === attempt?.local?.['ceremony'])
  if (!attempt || !isExpected) throw new SignInError('attempt_missing')
  const name = `passkey ${await digest(attempt.state)}`
  const isFirst = await useOnce(c.env, name, nowInSeconds() + ATTEMPT_LIFETIME)
  if (!isFirst) throw new SignInError('attempt_missing')
  return attempt
}
