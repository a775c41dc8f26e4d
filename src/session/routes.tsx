import * as z from 'zod/mini'
import type { Client } from '../config/clients.ts'
import { oneOf } from '../config/schemas.ts'
import { SignInError } from '../errors.ts'
import type { AppContext } from '../http/app-env.ts'
import { clientAt, openToClients, ownPosts } from '../http/cross-origin.ts'
import { csrfToken } from '../http/csrf.ts'
import { messagesFor, respondWithPage, wantsPage } from '../http/page-response.tsx'
import { defaultReturnUrl, safeReturnUrl } from '../http/return-url.ts'
import { room } from '../http/room.ts'
import { readQuery, validForm } from '../http/validate.ts'
import { SignedOutPage, SignOutPage } from '../pages/sign-out-page.tsx'
import { mintSessionToken } from '../tokens/sign.ts'
import type { Session } from '../users/session.ts'
import { confirmSession, endSession, readSession } from './current.ts'

const sessionQuery = z.object({
  client_id: z.optional(z.string()),
  token: z.optional(oneOf('true', 'false')),
})

const signoutInput = z.object({
  callbackUrl: z.optional(z.string()),
  csrfToken: z.optional(z.string()),
})

/** `/api/auth/session` and `/api/auth/signout`: this browser. */
export const session = room()
  .use('/session', openToClients('GET'))
  .get('/session', async (c) => {
    const { client_id, token } = readQuery(c, sessionQuery)
    const client = audienceOf(c, client_id)
    if (token === 'false') return c.json(describe(await readSession(c)))

    const session = await confirmSession(c)
    if (!session) return c.json(null)
    const jwt = await mintSessionToken(c.env, c.get('config'), session, client?.client_id)
    return c.json({ ...describe(session), token: jwt })
  })

  .use('/signout', openToClients('POST'))
  .get('/signout', async (c) => {
    const { callbackUrl } = readQuery(c, signoutInput)
    const returnTo = safeReturnUrl(c.get('config'), callbackUrl)
    const messages = messagesFor(c)
    if (!(await readSession(c))) return respondSignedOut(c)
    return respondWithPage(
      c,
      <SignOutPage
        messages={messages}
        action="/api/auth/signout"
        fields={{ callbackUrl: returnTo, csrfToken: await csrfToken(c) }}
        returnTo={returnTo}
      />,
      { title: messages.signOut.title, formTargets: [new URL(returnTo).origin] },
    )
  })
  .post('/signout', ownPosts, validForm(signoutInput), async (c) => {
    const { callbackUrl } = c.req.valid('form')
    const config = c.get('config')
    const returnTo = safeReturnUrl(config, callbackUrl)
    await endSession(c)
    if (!wantsPage(c)) return c.json({ url: returnTo })
    return returnTo === defaultReturnUrl(config) ? respondSignedOut(c) : c.redirect(returnTo, 303)
  })

function respondSignedOut(c: AppContext): Response | Promise<Response> {
  const messages = messagesFor(c)
  return respondWithPage(c, <SignedOutPage messages={messages} />, {
    title: messages.signedOut.title,
  })
}

/** Whom the session's token is for: the app whose page asks, or the one it names, or ourselves. */
function audienceOf(c: AppContext, clientId: string | undefined): Client | undefined {
  const origin = c.req.header('Origin')
  const { clients, issuer } = c.get('config')
  const named = clients.find((client) => client.client_id === clientId)
  if (clientId !== undefined && !named) {
    throw new SignInError('request_invalid', { parameter: 'client_id' })
  }
  if (origin === undefined || origin === issuer) return named
  if (named && !named.origins.includes(origin)) throw new SignInError('cross_site')
  return named ?? clientAt(c, origin)
}

function describe(session: Session | undefined) {
  if (!session) return null
  const { user, idleExpiresAt, expiresAt } = session
  return { user, expires: new Date(Math.min(idleExpiresAt, expiresAt) * 1000).toISOString() }
}
