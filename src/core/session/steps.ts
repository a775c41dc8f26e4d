import type { SignInFacts } from '../config/callbacks.ts'
import { type PassedSteps, stepsOf } from '../config/passed-steps.ts'
import type { StepOccasion } from '../config/step-occasion.ts'
import type { AppContext } from '../http/app-env.ts'
import type { Client } from '../registration-schemas/clients.ts'
import { providerOfKey } from '../users/account-reference.ts'
import type { Session } from '../users/session.ts'
import type { StepRequest } from './feature-members.ts'
import { isKnownBrowser } from './known-browser.ts'

/** The steps that a session has passed, and the page of the next one. */
interface AskedSteps {
  /** Absent in a deployment without steps. */
  steps?: PassedSteps
  /** Undefined if nothing is asked of the user. */
  path: string | undefined
  isKnownBrowser?: boolean
}

/** How a user has signed in. `method` is the key of the account. */
interface SignedIn extends Pick<Session, 'user' | 'level'>, Partial<Pick<Session, 'steps'>> {
  authenticatedAt: number
  amr?: readonly string[] | undefined
  method: string | undefined
  /** The app that the user signs in to. */
  client?: Client | undefined
}

/**
 * Asks features, in their order, for the steps that a session has not passed, until one has a page
 * for the user.
 */
export async function askSteps(c: AppContext, signedIn: SignedIn): Promise<AskedSteps> {
  const { features, steps: ofDeployment } = c.get('config')
  if (Object.keys(ofDeployment).length === 0) return { path: undefined }
  const required = stepsOf(ofDeployment, () => signedIn.user)
  const request = await toStepRequest(c, signedIn)
  const steps: Record<string, number> = { ...signedIn.steps }
  for (const { id, step } of features) {
    const version = required[id]
    if (!step || version === undefined || steps[id] === version) continue
    const path = await step.required(c, request)
    if (path !== undefined) return { steps, path, isKnownBrowser: request.isKnownBrowser }
    steps[id] = version
  }
  return { steps, path: undefined }
}

/**
 * The page of a step that depends on the app which asks, or on the user's being an administrator, for
 * a session that counts.
 */
export async function askStepsAgain(
  c: AppContext,
  signedIn: SignedIn,
  occasion: StepOccasion,
): Promise<string | undefined> {
  const steps = c.get('config').features.flatMap(({ step }) => step ?? [])
  const asked = steps.filter(({ dependsOn }) => dependsOn?.includes(occasion))
  if (asked.length === 0) return undefined
  const request = await toStepRequest(c, signedIn, occasion === 'administration')
  for (const step of asked) {
    const path = await step.required(c, request)
    if (path !== undefined) return path
  }
  return undefined
}

/** Whether there are steps that depend on the app which asks. */
export function hasStepsOfApps(c: AppContext): boolean {
  return c.get('config').features.some(({ step }) => step?.dependsOn?.includes('app'))
}

async function toStepRequest(
  c: AppContext,
  { user, authenticatedAt, level, amr = [], method, client }: SignedIn,
  isAdministration = false,
): Promise<StepRequest> {
  return {
    user,
    signIn: signInFacts({ authenticatedAt, level, amr, method }),
    isKnownBrowser: await isKnownBrowser(c, user.id),
    client,
    isAdministration,
  }
}

/** How a user has signed in, as features are told. An unconfirmed account proves nothing. */
export function signInFacts({
  authenticatedAt,
  level,
  amr = [],
  method,
}: Omit<SignedIn, 'user' | 'client'>): SignInFacts {
  const provider = providerOfKey(method)
  return { provider, authenticatedAt, level, amr: level === 'unconfirmed' ? [] : amr }
}
