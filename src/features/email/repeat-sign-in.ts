import type { AppContext } from '../../core/http/app-env.ts'
import { addToLog } from '../../core/http/request-log.ts'
import {
  attemptInteraction,
  continueUrl,
  type Interaction,
  interactionClient,
} from '../../core/interaction/interaction.ts'
import { setPreference } from '../../core/pages/preferences.ts'
import {
  offerBinding,
  setPendingCookie,
  setSessionCookie,
} from '../../core/session/open-session.ts'
import type { Attempt } from '../../core/signin/attempt.ts'
import { changesUrl, linkedUrl } from '../../core/signin/finish-sign-in.ts'
import { logSignIn } from '../../core/signin/start-sign-in.ts'
import { stepUrl } from '../../core/signin/step-url.ts'
import type { SignInMethod } from '../../core/upstream/sign-in-methods.ts'
import { type ClaimedUser, readUserOfAccount } from '../../core/users/directory.ts'
import type { OpenedSession } from '../../core/users/session.ts'
import { callUserObject } from '../../core/users/user-object.ts'
import { digest } from '../../foundation/crypto/digest.ts'

/** The first request may not be finished yet. Altogether far more than a sign-in takes. */
const WAITING_TIMES = [0, 100, 200, 400, 800, 1600, 1600] // milliseconds

/**
 * Gives a browser that has sent a form twice the result of the first request, whose response it has
 * dropped. Nothing is stored, recorded or announced again. Returns where the user continues;
 * undefined if the first request has failed, or the session has ended.
 */
export async function repeatSignIn(
  c: AppContext,
  provider: SignInMethod,
  attempt: Attempt,
  accountId: string,
): Promise<string | undefined> {
  const interaction = await attemptInteraction(c, attempt)
  logSignIn(c, provider, await interactionClient(c, interaction))
  const account = { provider: provider.id, issuer: provider.accountIssuer, accountId }
  for (const milliseconds of WAITING_TIMES) {
    await scheduler.wait(milliseconds)
    const found = await readUserOfAccount(c.env, account)
    const url = found && (await repeatFor(c, provider, { ...found, attempt, interaction }))
    if (url !== undefined) return url
  }
  return undefined
}

interface Repetition extends Pick<ClaimedUser, 'user' | 'hasUnconfirmed'> {
  attempt: Attempt
  interaction: Interaction
}

async function repeatFor(
  c: AppContext,
  provider: SignInMethod,
  { user, hasUnconfirmed, attempt, interaction }: Repetition,
): Promise<string | undefined> {
  const returnTo = await continueUrl(c, interaction)
  if (attempt.linkTo !== undefined) {
    if (user.id !== attempt.linkTo) return undefined
    return linkedUrl(c.get('config'), { returnTo, done: 'linked', provider }) ?? returnTo
  }
  const opened = await repeatSession(c, user.id, attempt.sessionSecret ?? '')
  if (!opened) return undefined
  setPreference(c, 'provider', provider.id)
  const { methodsChangedAt, isPending } = opened
  if (isPending) return stepUrl(c, interaction, undefined)
  const changes = changesUrl(c, interaction, { methodsChangedAt, hasUnconfirmed })
  return changes ?? returnTo
}

/**
 * Signs this browser in with a session that was opened a moment ago, unless it has ended. Nothing is
 * stored or recorded.
 */
async function repeatSession(
  c: AppContext,
  userId: string,
  secret: string,
): Promise<OpenedSession | undefined> {
  const secretDigest = await digest(secret)
  const opened = await callUserObject(c.env, userId, (object) =>
    object.readOpenedSession(secretDigest),
  )
  if (!opened) return undefined
  if (opened.isPending) {
    await setPendingCookie(c, userId, secret)
  } else {
    await setSessionCookie(c, userId, secret)
    await offerBinding(c, opened, secretDigest)
  }
  addToLog(c, { event: 'signin_repeated', userId })
  return opened
}
