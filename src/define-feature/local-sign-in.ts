import { isLinkOf, LINK_PATH } from '../core/account/account-link.ts'
import type { AppContext } from '../core/http/app-env.ts'
import { csrfToken } from '../core/http/csrf.ts'
import { recentSession } from '../core/session/recent-session.ts'
import { type Attempt, beginAttempt, createAttempt } from '../core/signin/attempt.ts'
import {
  attemptContent,
  type SignInRequest,
  sameSignInUrl,
  userWhoLinks,
} from '../core/signin/start-sign-in.ts'
import { type SignInMethod, signInMethods } from '../core/upstream/sign-in-methods.ts'
import { randomSecret } from '../foundation/crypto/random.ts'
import { SignInError } from '../foundation/errors/sign-in-error.ts'

/* What local methods with a form share. */

/** The hidden fields of a form that starts a sign-in with the same parameters. */
export async function signInFields(
  c: AppContext,
  { interaction, prompt, link }: SignInRequest,
): Promise<[string, string][]> {
  return [
    ['interaction', interaction.id],
    ...(prompt ? [['prompt', prompt] as [string, string]] : []),
    ...(link ? [['link', link] as [string, string]] : []),
    ['csrfToken', await csrfToken(c)],
  ]
}

/** The sign-in page, for a user who prefers another method; undefined if there is none. */
export function otherMethodsUrl(c: AppContext, input: SignInRequest): string | undefined {
  // Whoever links an account is signed in, and chose the provider on a page of ours.
  if (input.link !== undefined || signInMethods(c.get('config')).length < 2) return undefined
  return sameSignInUrl(input, '/signin')
}

/**
 * Where a user goes before the form that links an account is shown: otherwise, what they enter
 * would be lost. Undefined if they can use it.
 */
export async function pathBeforeLinking(
  c: AppContext,
  { link }: Pick<SignInRequest, 'link'>,
): Promise<string | undefined> {
  if (link === undefined) return undefined
  const session = await recentSession(c)
  const isValid = session && (await isLinkOf(c.get('config'), session.user.id, link))
  // That page has a new link, also for another user than the one who opened it.
  return isValid ? undefined : LINK_PATH
}

/** Starts an attempt of a local method, and stores it in the browser. */
export async function startLocalSignIn(
  c: AppContext,
  method: SignInMethod,
  input: SignInRequest,
  /** What the local method needs to finish it. */
  local: Record<string, string>,
): Promise<Attempt> {
  const content = await localAttemptContent(c, method, input)
  return beginAttempt(c, { ...content, local, sessionSecret: randomSecret() })
}

/** Creates an attempt of a local method that is finished in the same request. */
export async function createLocalSignIn(
  c: AppContext,
  method: SignInMethod,
  input: SignInRequest,
): Promise<Attempt> {
  return createAttempt(c, await localAttemptContent(c, method, input))
}

async function localAttemptContent(c: AppContext, method: SignInMethod, input: SignInRequest) {
  const linkTo = await requireUserWhoLinks(c, input)
  const { client: _, ...content } = await attemptContent(c, method, { ...input, linkTo })
  return { ...content, state: randomSecret(), nonce: '' }
}

/** The same for a form, which is not shown to a user whose link has expired. */
async function requireUserWhoLinks(
  c: AppContext,
  input: SignInRequest,
): Promise<string | undefined> {
  const userId = await userWhoLinks(c, input)
  if (input.link !== undefined && userId === undefined) throw new SignInError('cross_site')
  return userId
}
