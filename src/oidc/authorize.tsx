import { seconds } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { digest, randomId, randomSecret } from '../crypto/random.ts'
import { AuthorizationError, SignInError } from '../errors.ts'
import { makeHandle } from '../grants/handle.ts'
import type { AppContext } from '../http/app-env.ts'
import { answer } from '../http/authorization-response.tsx'
import { csrfToken } from '../http/csrf.ts'
import { messagesFor, respondWithPage } from '../http/page-response.tsx'
import { note } from '../http/request-log.ts'
import { LONGEST_RETURN_URL, returnQuery } from '../http/return-url.ts'
import { countVisit } from '../limits/rate-limit.ts'
import { ConsentPage } from '../pages/consent-page.tsx'
import { type Pairs, pairsOf, queryOf } from '../query.ts'
import { askObject, readTicket } from '../session/current.ts'
import { verifyIdTokenHint } from '../tokens/verify.ts'
import type { Consent, Granting, Session } from '../users/session.ts'
import { type AuthorizationRequest, readAuthorizationRequest } from './authorization-request.ts'
import { scopesAsked } from './claims.ts'
import { markReauthentication, readReauthentication } from './reauthentication.ts'

/** {@link https://openid.net/specs/openid-connect-core-1_0.html#AuthorizationEndpoint} */
export async function authorize(c: AppContext): Promise<Response> {
  const params = pairsOf(queryOf(c.req.url))
  const request = readAuthorizationRequest(c.get('config'), params)
  const { client, address, prompt } = request
  const isSilent = prompt.includes('none')
  const ticket = await readTicket(c)
  const grantId = randomId('gnt')
  const secret = randomSecret()
  const demand = {
    ...(await demandedTimes(c, request, params)),
    subject: await expectedSubject(c, request),
    asksAgain: prompt.includes('consent'),
    consent: client.first_party ? undefined : consentFor(request),
    upstreamScope: client.upstream_scope,
    grantId,
    key: await digest(secret),
    terms: {
      clientId: client.client_id,
      redirectUri: address.redirectUri,
      scope: request.scope,
      resources: request.resources,
      claims: request.claims,
      nonce: request.nonce,
      codeChallenge: request.codeChallenge,
    },
  }
  const granting: Granting = ticket
    ? await askObject(c, ticket.userId, async (object) => object.grant(ticket.key, demand))
    : 'login'

  if (granting === 'granted' && ticket) {
    const handle = { userId: ticket.userId, grantId, secret, generation: 0 }
    note(c, { event: 'granted', userId: ticket.userId, clientId: client.client_id })
    return answer(c, address, { code: await makeHandle(c.get('config'), 'code', handle) })
  }
  if (typeof granting === 'object') {
    if (isSilent)
      throw new AuthorizationError('consent_required', 'The person has not agreed.', address)
    return askForConsent(c, request, granting)
  }
  const needsMore = granting === 'more'
  if (isSilent && needsMore)
    throw new AuthorizationError('interaction_required', 'The platform must grant more.', address)
  if (isSilent)
    throw new AuthorizationError('login_required', 'The person is not signed in.', address)
  return c.redirect(await signInUrl(c.get('config'), request, params, needsMore), 303)
}

/** As long as a consent page may be thought about. */
const TEN_MINUTES = 600 // seconds

/** The consent page: who asks, for what, and where it leads. */
async function askForConsent(
  c: AppContext,
  request: AuthorizationRequest,
  session: Session,
): Promise<Response> {
  const messages = messagesFor(c)
  const { client, address } = request
  const { scope, resources } = consentFor(request)
  const { origin, host } = new URL(address.redirectUri)
  const { seal } = c.get('config')
  const page = (
    <ConsentPage
      messages={messages}
      host={host}
      name={session.user.name ?? session.user.username}
      scope={[...scope, ...resources]}
      request={
        await seal.seal(
          'consent',
          session.user.id,
          `${seconds() + TEN_MINUTES}${new URL(c.req.url).search}`,
        )
      }
      csrfToken={await csrfToken(c)}
    />
  )
  return respondWithPage(c, page, {
    title: messages.consent.title(client.client_name),
    formTargets: [origin],
  })
}

/** The person's answer to the consent page. The request is checked again, against the client as it is now. */
export async function decideConsent(
  c: AppContext,
  form: { request: string; answer: 'approve' | 'deny' },
): Promise<Response> {
  const ticket = await readTicket(c)
  if (ticket) await countVisit(c, ticket.userId)
  const config = c.get('config')
  const opened = ticket && (await config.seal.open('consent', ticket.userId, form.request))
  const [until, search] = opened?.split(/\?(.*)/s) ?? []
  if (!ticket || search === undefined || Number(until) <= seconds())
    throw new SignInError('attempt_missing')
  const params = pairsOf(search)
  const request = readAuthorizationRequest(config, params)
  const { client, address } = request
  if (form.answer === 'deny') {
    await askObject(c, ticket.userId, (object) => object.disagree(client.client_id))
    throw new AuthorizationError('access_denied', 'The person did not agree.', address)
  }
  const consent = consentFor(request)
  const isHere = await askObject(c, ticket.userId, (object) =>
    object.agree(ticket.key, client.client_id, consent),
  )
  if (!isHere) throw new SignInError('attempt_missing')
  note(c, { event: 'consent', userId: ticket.userId })
  // The page was shown to who met these demands; they are not to meet them again for having read it.
  const unmet = params.filter(([name]) => !['prompt', 'max_age', 'reauth'].includes(name))
  return c.redirect(`/oidc/authorize?${new URLSearchParams(unmet)}`, 303)
}

/** What the person is asked to agree to: all that the client would learn or could do. */
function consentFor({ client, scope, claims, resources }: AuthorizationRequest): Consent {
  return { scope: [...new Set([...scope, ...scopesAsked(claims, client)])], resources }
}

/** The time from a sign-in to the answer of the request that asked for it is a matter of seconds. */
const TWO_MINUTES = 120 // seconds

/** Since when the person must have been here, and been asked, if the request cares. */
async function demandedTimes(
  c: AppContext,
  { prompt, maxAge }: AuthorizationRequest,
  params: Pairs,
): Promise<{ authenticatedSince: number | undefined; forcedSince: number | undefined }> {
  const now = seconds()
  const sentAt = await readReauthentication(c.get('config'), params)
  const asksAnew = prompt.includes('login') || prompt.includes('select_account') || maxAge === 0
  // Without a sign-in that this very request has led to, no session is new enough.
  const forcedSince = sentAt === undefined ? now + 1 : Math.max(sentAt, now - TWO_MINUTES)
  if (asksAnew) return { authenticatedSince: forcedSince, forcedSince }
  if (maxAge === undefined) return { authenticatedSince: undefined, forcedSince: undefined }
  return { authenticatedSince: Math.min(forcedSince, now - maxAge), forcedSince: undefined }
}

async function expectedSubject(
  c: AppContext,
  { idTokenHint, subject, client, address }: AuthorizationRequest,
): Promise<string | undefined> {
  if (!idTokenHint) return subject
  const hint = await verifyIdTokenHint(c.env, c.get('config'), idTokenHint)
  if (hint?.clientId !== client.client_id) {
    throw new AuthorizationError(
      'invalid_request',
      'id_token_hint is not one of this client.',
      address,
    )
  }
  // Two demands that contradict each other are met by nobody.
  return subject === undefined || subject === hint.subject ? hint.subject : ''
}

/** The sign-in room, and back here with the same request. */
async function signInUrl(
  config: Config,
  { address, prompt, provider, maxAge, idTokenHint, subject, uiLocales }: AuthorizationRequest,
  params: Pairs,
  needsMore: boolean,
): Promise<string> {
  const again = new URLSearchParams(params)
  again.set('reauth', await markReauthentication(config, params))
  const returnTo = `${config.issuer}/oidc/authorize?${again}`
  if (returnTo.length > LONGEST_RETURN_URL) {
    throw new AuthorizationError(
      'invalid_request',
      'The request is too long to sign in first.',
      address,
    )
  }
  // Who is signed in, but not well enough or as somebody else, must not just be sent back.
  const isDemanded =
    maxAge !== undefined ||
    idTokenHint !== undefined ||
    subject !== undefined ||
    prompt.includes('login') ||
    prompt.includes('select_account')
  const query = new URLSearchParams({
    ...(await returnQuery(config, returnTo)),
    // The platform shows its page again, or it would grant what it granted before.
    ...((isDemanded && { prompt: 'login' }) || (needsMore && { prompt: 'consent' })),
    ...(uiLocales && { ui_locales: uiLocales }),
  })
  return `/api/auth/signin${provider ? `/${encodeURIComponent(provider)}` : ''}?${query}`
}
