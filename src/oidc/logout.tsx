import type { Client } from '../config/clients.ts'
import { SignInError } from '../errors.ts'
import type { AppContext } from '../http/app-env.ts'
import { csrfToken } from '../http/csrf.ts'
import { messagesFor, respondWithPage } from '../http/page-response.tsx'
import { SignedOutPage, SignOutPage } from '../pages/sign-out-page.tsx'
import { askObject, confirmSession, endSession } from '../session/current.ts'
import { verifyIdTokenHint } from '../tokens/verify.ts'

/** {@link https://openid.net/specs/openid-connect-rpinitiated-1_0.html#RPLogout} */
export async function logout(c: AppContext, params: URLSearchParams): Promise<Response> {
  const { sid, subject, returnTo } = await readLogoutRequest(c, params)
  const session = await confirmSession(c)
  // A session may be gone and what was granted in it still alive.
  if (!session && sid && subject) await askObject(c, subject, (object) => object.endGone(sid))
  // The hint proves that the app knew this very session: it wishes, and the person need not be asked.
  if (session && session.sid !== sid) return askToLogOut(c, params, returnTo)
  return finishLogout(c, returnTo)
}

/** The person has confirmed. The request is checked again, as it came. */
export async function confirmLogout(c: AppContext, params: URLSearchParams): Promise<Response> {
  const { returnTo } = await readLogoutRequest(c, params)
  return finishLogout(c, returnTo)
}

/** Ends the session, tells the others, and leads back to the app that asked, or nowhere. */
async function finishLogout(c: AppContext, returnTo: string | undefined): Promise<Response> {
  await endSession(c)
  if (returnTo) return c.redirect(returnTo, 303)
  const messages = messagesFor(c)
  return respondWithPage(c, <SignedOutPage messages={messages} />, {
    title: messages.signedOut.title,
  })
}

async function askToLogOut(
  c: AppContext,
  params: URLSearchParams,
  returnTo: string | undefined,
): Promise<Response> {
  const messages = messagesFor(c)
  const asked = Object.fromEntries([...params].filter(([name]) => PARAMETERS.includes(name)))
  const fields = { ...asked, csrfToken: await csrfToken(c) }
  const page = <SignOutPage messages={messages} action="/oidc/logout/confirm" fields={fields} />
  const formTargets = returnTo ? [new URL(returnTo).origin] : []
  return respondWithPage(c, page, { title: messages.signOut.title, formTargets })
}

const PARAMETERS = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state']

interface LogoutRequest {
  /** The session that the hint is about. */
  sid: string | undefined
  subject: string | undefined
  /** Where to go afterwards: an address its client has registered, letter for letter. */
  returnTo: string | undefined
}

async function readLogoutRequest(c: AppContext, params: URLSearchParams): Promise<LogoutRequest> {
  for (const name of PARAMETERS) {
    if (params.getAll(name).length > 1)
      throw new SignInError('request_invalid', { parameter: name })
  }
  const config = c.get('config')
  const get = (name: string) => params.get(name) || undefined
  const shown = get('id_token_hint')
  const hint = shown && (await verifyIdTokenHint(c.env, config, shown))
  if (shown && !hint) throw new SignInError('id_token_hint_refused')
  const named = get('client_id')
  if (hint && named && hint.clientId !== named) throw new SignInError('id_token_hint_refused')

  const wanted = get('post_logout_redirect_uri')
  const client = config.clients.find(
    ({ client_id }) => client_id === (hint ? hint.clientId : named),
  )
  if (wanted && !client) throw new SignInError('id_token_hint_refused')
  return {
    sid: hint ? hint.sid : undefined,
    subject: hint ? hint.subject : undefined,
    returnTo: wanted && client && returnUrl(client, wanted, get('state')),
  }
}

function returnUrl(
  { post_logout_redirect_uris }: Client,
  wanted: string,
  state: string | undefined,
): string {
  if (!post_logout_redirect_uris.includes(wanted))
    throw new SignInError('post_logout_redirect_uri_refused')
  const url = new URL(wanted)
  if (state !== undefined) url.searchParams.set('state', state)
  return url.href
}
