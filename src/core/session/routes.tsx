import { Hono } from 'hono'
import * as z from 'zod/mini'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { customClaims, mergeClaims } from '../callbacks/claims.ts'
import { toCallbackClient } from '../config/callbacks.ts'
import type { AppContext, AppEnv } from '../http/app-env.ts'
import {
  clientAtOrigin,
  firstPartyCors,
  hint,
  requireFirstPartyOrigin,
  requireFirstPartyPost,
} from '../http/cross-origin.ts'
import { csrfToken } from '../http/csrf.ts'
import { requestSite } from '../http/fetch-metadata.ts'
import { addToLog } from '../http/request-log.ts'
import { optionalText, validateForm, validateQuery } from '../http/validate.ts'
import {
  decideReturnPage,
  defaultReturnUrl,
  findReturnPage,
  type ReturnPage,
} from '../interaction/return-url.ts'
import { messagesFor, respondWithPage, wantsPage } from '../pages/page-response.tsx'
import type { Client } from '../registration-schemas/clients.ts'
import { findClient } from '../registrations/find-client.ts'
import { signSessionToken } from '../tokens/sign.ts'
import { confirmedSignIn, type Session } from '../users/session.ts'
import { toCallbackAccount } from '../users/upstream-account.ts'
import { applyClaims, toClaims } from '../users/user.ts'
import { endSession } from './end-session.ts'
import { limitRequestsByUser } from './limit-requests-by-user.ts'
import { sessionForDisplay, sessionForToken } from './read-session.ts'
import { respondSignedOut, SignOutPage } from './sign-out-page.tsx'
import { readPendingSession } from './step-session.ts'
import { askStepsAgain, hasStepsOfApps } from './steps.ts'

const sessionQuery = z.object({
  client_id: optionalText,
  token: z.optional(z.enum(['true', 'false'])),
})

const signOutInput = z.object({
  callbackUrl: optionalText,
})

/** `/api/auth/session` and `/api/auth/signout`: the current browser's session. */
export const session = new Hono<AppEnv>()
  .use('/session', requireFirstPartyOrigin, firstPartyCors('GET'), limitRequestsByUser('session'))
  .get('/session', validateQuery(sessionQuery), async (c) => {
    const { client_id, token } = c.req.valid('query')
    hintAtOtherSite(c)
    const client = await tokenAudience(c, client_id)
    const isForDisplay = token === 'false'
    const session = await sessionForApp(c, client, isForDisplay)
    if (!session || isForDisplay) return c.json(describeSession(session))
    const signIn = confirmedSignIn(session)
    const claims = mergeClaims(toClaims(session.user), await sessionClaims(c, session, client))
    return c.json({
      ...describeSession(session),
      user: applyClaims(session.user, claims),
      token: await signSessionToken(c.env, c.get('config'), {
        userId: session.user.id,
        sid: session.sid,
        authenticatedAt: signIn?.authenticatedAt,
        amr: signIn?.amr,
        acr: signIn?.acr,
        audience: client?.client_id,
        claims,
      }),
    })
  })

  .use('/signout', requireFirstPartyOrigin, firstPartyCors('POST'), limitRequestsByUser('signout'))
  .get('/signout', validateQuery(signOutInput), async (c) => {
    const { callbackUrl } = c.req.valid('query')
    const page = await findReturnPage(c, callbackUrl)
    const isSignedOut = !(await sessionForDisplay(c)) && !(await readPendingSession(c))
    if (isSignedOut) return respondSignedOut(c)
    const messages = await messagesFor(c)
    return respondWithPage(
      c,
      <SignOutPage
        messages={messages}
        action="/api/auth/signout"
        fields={{ callbackUrl: page.url, csrfToken: await csrfToken(c) }}
        returnTo={await signedOutReturnUrl(c, page)}
      />,
      { title: messages.t('signOut.title'), isRepeatable: true },
    )
  })
  .post('/signout', requireFirstPartyPost, validateForm(signOutInput), async (c) => {
    const { callbackUrl } = c.req.valid('form')
    const requested = await findReturnPage(c, callbackUrl)
    const providerId = await endSession(c)
    const returnTo = await signedOutReturnUrl(c, requested)
    if (!wantsPage(c)) return c.json({ url: returnTo })
    const isDefault = returnTo === defaultReturnUrl(c.get('config'))
    return respondSignedOut(c, { providerId, returnTo: isDefault ? undefined : returnTo })
  })

/** A sign-out does not depend on the deployment's callback: if it fails, users stay here. */
async function signedOutReturnUrl(c: AppContext, requested: ReturnPage): Promise<string> {
  try {
    return (await decideReturnPage(c, requested)).url
  } catch (error) {
    addToLog(c, { cause: String(error) })
    return defaultReturnUrl(c.get('config'))
  }
}

/**
 * The audience of the session token: the app whose page sent the request, the app it names, or this
 * service.
 */
async function tokenAudience(
  c: AppContext,
  clientId: string | undefined,
): Promise<Client | undefined> {
  const config = c.get('config')
  const origin = c.req.header('Origin')
  const named = await findClient(c.env, config, clientId)
  // No session token is for an app that nobody has registered.
  if (clientId !== undefined && (!named || named.unregistered)) {
    await hintAtClient(c, 'No client has this client_id.')
    throw new SignInError('request_invalid', { parameter: 'client_id' })
  }
  if (origin === undefined || origin === config.issuer) return named
  if (named && !named.origins.includes(origin)) {
    await hintAtClient(c, `The client ${named.client_id} has no redirect URI at ${origin}.`)
    throw new SignInError('cross_site')
  }
  return named ?? clientAtOrigin(c)
}

/** The session of this browser; for an app, there is none while a step is missing that it needs. */
async function sessionForApp(
  c: AppContext,
  client: Client | undefined,
  isForDisplay: boolean,
): Promise<Session | undefined> {
  if (!client || !hasStepsOfApps(c)) {
    return isForDisplay ? sessionForDisplay(c) : sessionForToken(c)
  }
  const session = await sessionForToken(c, { trustsCopies: false })
  if (!session) return undefined
  const { method } = session
  const path = await askStepsAgain(c, { ...session, method, client }, 'app')
  return path === undefined ? session : undefined
}

/** Tells the app at the origin of the request which client it is. */
async function hintAtClient(c: AppContext, problem: string): Promise<void> {
  const client = await clientAtOrigin(c)
  if (client)
    hint(c, `${problem} The client_id for ${c.req.header('Origin')} is ${client.client_id}.`)
}

/** Tells an app on another site why its users are never signed in: the cookie is SameSite=Lax. */
function hintAtOtherSite(c: AppContext): void {
  const origin = c.req.header('Origin')
  if (origin === undefined || requestSite(c) !== 'cross-site') return
  const { issuer } = c.get('config')
  hint(
    c,
    `${origin} is on another site than ${issuer}, so browsers do not send the session cookie, and nobody is signed in. Pass redirectUri to createClient, or use OpenID Connect.`,
  )
}

/** The claims that the deployment adds to a session token. */
function sessionClaims(c: AppContext, { user, account }: Session, client: Client | undefined) {
  return customClaims(c.get('config'), {
    user: { ...user },
    account: account ? toCallbackAccount(account) : undefined,
    client: client && toCallbackClient(client),
    scope: [],
    kind: 'session',
  })
}

function describeSession(session: Session | undefined) {
  if (!session) return null
  const { user, idleExpiresAt, expiresAt } = session
  return { user, expires: new Date(Math.min(idleExpiresAt, expiresAt) * 1000).toISOString() }
}
