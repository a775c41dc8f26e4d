import { digest } from '../../foundation/crypto/digest.ts'
import { randomSecret } from '../../foundation/crypto/random.ts'
import { hasPassed, requiredSteps, stepsOf } from '../config/passed-steps.ts'
import type { AppContext } from '../http/app-env.ts'
import { isNavigation } from '../http/fetch-metadata.ts'
import {
  continueUrl,
  type Interaction,
  interactionClient,
  updateRequest,
} from '../interaction/interaction.ts'
import { setPendingCookie, setSessionCookie, startSession } from '../session/open-session.ts'
import { authoritativeSession } from '../session/read-session.ts'
import { readSessionCookie } from '../session/session-cookie.ts'
import { copiesHaveAccount } from '../session/session-copy.ts'
import { type OpenStep, readPendingSession } from '../session/step-session.ts'
import { askSteps, askStepsAgain, hasStepsOfApps } from '../session/steps.ts'
import type { StepProof } from '../users/session.ts'
import { callUserObject } from '../users/user-object.ts'
import { reportContinuedSignIn } from './admit-user.ts'
import { changesUrl, rememberOwnChange, signInOrigin } from './finish-sign-in.ts'
import type { SignInRequest } from './start-sign-in.ts'
import { stepUrl } from './step-url.ts'

/**
 * Where a user continues whose session waits for a step, also for one that only the app needs,
 * instead of signing in again; undefined if there is none, or the user wants to sign in.
 */
export async function continuePendingSession(
  c: AppContext,
  { interaction, prompt }: SignInRequest,
): Promise<string | undefined> {
  if (prompt !== undefined || !isNavigation(c)) return undefined
  const found = await readPendingSession(c)
  if (found) return continueSession(c, found, { interaction })
  const path = await stepOfApp(c, interaction)
  return path && stepUrl(c, interaction, path)
}

/** The page of a step that the app needs of a session that counts. */
async function stepOfApp(c: AppContext, interaction: Interaction): Promise<string | undefined> {
  if (!hasStepsOfApps(c)) return undefined
  const client = await interactionClient(c, interaction)
  const session = client && (await authoritativeSession(c))
  return session && askStepsAgain(c, { ...session, client }, 'app')
}

/**
 * Continues a session that waits for a step: records what has passed, and asks for what is missing.
 * If nothing is, the session counts from now on. Returns where the user continues; undefined if
 * another version of the deployment has asked for a step whose page is not known, or if the session
 * is not there any more.
 */
export async function continueSession(
  c: AppContext,
  { cookie, session, method, isSignIn }: OpenStep,
  { interaction, passed }: { interaction: Interaction; passed?: { id: string } & StepProof },
): Promise<string | undefined> {
  const config = c.get('config')
  const client = await interactionClient(c, interaction)
  const versions = stepsOf(
    requiredSteps(config.features.filter(({ id }) => id === passed?.id)),
    () => session.user,
  )
  const amr = [...(session.amr ?? []), ...(passed?.amr ?? [])]
  const asked = await askSteps(c, {
    ...session,
    amr,
    method,
    client,
    steps: { ...session.steps, ...versions },
  })
  const isUnchanged = !passed && hasPassed(asked.steps ?? {}, session.steps)
  if (asked.path !== undefined && isUnchanged) return stepUrl(c, interaction, asked.path)
  const former = await readSessionCookie(c)
  const secret = randomSecret()
  const newSecretDigest = await digest(secret)
  const result = await callUserObject(c.env, cookie.userId, (object) =>
    object.passStep(cookie.sessionKey, {
      steps: asked.steps ?? {},
      amr: passed?.amr,
      level: passed?.level,
      newSecretDigest,
      includesAccount: copiesHaveAccount(c),
      ...(former?.userId === cookie.userId && { replaces: former.sessionKey }),
    }),
  )
  // Another tab has just passed the step, or the session has ended: the sign-in page knows.
  if (!result) return undefined
  await keepPressOf(c, interaction, { from: cookie.secretDigest, to: newSecretDigest })
  const { methodsChangedAt, isPending, ...started } = result.session
  if (isPending) {
    await (isSignIn ? setPendingCookie : setSessionCookie)(c, cookie.userId, secret)
    return asked.path && stepUrl(c, interaction, asked.path)
  }
  await startSession(c, { session: started, secret, secretDigest: newSecretDigest, former })
  const { continuation, ownChangeAt } = result
  rememberOwnChange(c, { methodsChangedAt, ownChangeAt })
  if (continuation) {
    const { account, isNewUser } = continuation
    reportContinuedSignIn(c, {
      user: started.user,
      reference: account,
      isNewUser,
      origin: signInOrigin(c, client),
    })
  }
  const hasUnconfirmed = continuation?.hasUnconfirmed ?? false
  const changes = changesUrl(c, interaction, { methodsChangedAt, hasUnconfirmed })
  return changes ?? continueUrl(c, interaction)
}

/** The button that was pressed for the pending session counts for the one that replaces it. */
async function keepPressOf(
  c: AppContext,
  interaction: Interaction,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const { request } = interaction
  if (request?.pressed?.session !== from) return
  await updateRequest(c, interaction, { ...request, pressed: { ...request.pressed, session: to } })
}
