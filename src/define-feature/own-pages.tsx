import { Hono } from 'hono'
import type { AppContext, AppEnv, SessionCookie } from '../core/http/app-env.ts'
import { requireOwnPage } from '../core/http/cross-origin.ts'
import { csrfToken, readForm } from '../core/http/csrf.ts'
import {
  attemptInteraction,
  continueUrl,
  interactionClient,
  readInteraction,
  signInUrl,
} from '../core/interaction/interaction.ts'
import { confirmedAccountPath } from '../core/pages/account-path.ts'
import { continueAt } from '../core/pages/continue-page.tsx'
import { HiddenFields } from '../core/pages/form-button.tsx'
import { messagesFor, respondWithPage } from '../core/pages/page-response.tsx'
import type { SignedInUser } from '../core/session/feature-members.ts'
import { limitRequestsByUser } from '../core/session/limit-requests-by-user.ts'
import { authoritativeSession } from '../core/session/read-session.ts'
import {
  isProvedIfPossible,
  isRecent,
  requireRecentSession,
} from '../core/session/recent-session.ts'
import { readSessionCookie } from '../core/session/session-cookie.ts'
import { type OpenStep, readStepSession } from '../core/session/step-session.ts'
import { signInFacts } from '../core/session/steps.ts'
import { continueSession } from '../core/signin/pass-step.ts'
import { stepUrl } from '../core/signin/step-url.ts'
import type { AuthoritativeSession } from '../core/users/session.ts'
import { mayConfirm } from '../core/users/unconfirmed-accounts.ts'
import { digest } from '../foundation/crypto/digest.ts'
import { nowInSeconds } from '../foundation/values/clock.ts'
import { type FeatureWords, requestContext } from './feature-context.ts'
import type { OwnFeature, OwnPage, OwnPageContent, PageContext, StepProof } from './own-feature.ts'

export function createRoutes(
  feature: FeatureWords,
  pages: NonNullable<OwnFeature['pages']>,
): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  for (const [path, page] of Object.entries(pages)) {
    routes.use(path, requireOwnPage, limitRequestsByUser(path))
    routes.get(path, async (c) => {
      const visit = await readVisit(c, feature, page)
      if (visit instanceof Response) return visit
      return respondWithContent(c, await page.show(visit.context), { step: visit.step })
    })
    if (page.submit) {
      routes.post(path, async (c) => {
        const visit = await readVisit(c, feature, page)
        return visit instanceof Response ? visit : submit(c, feature.id, page, visit)
      })
    }
  }
  return routes
}

async function submit(
  c: AppContext,
  id: string,
  page: OwnPage,
  { context, step }: Visit,
): Promise<Response> {
  const form = await readForm(c)
  form.delete('csrfToken')
  // Another user may have signed in since the page was shown.
  if (step && form.get(STEP_FIELD) !== (await nameOf(step))) {
    return respondWithContent(c, await page.show(context), { step })
  }
  form.delete(STEP_FIELD)
  const result = await page.submit?.({ ...context, form })
  if (!result) return continueToApp(c, id, { step })
  if ('content' in result) return respondWithContent(c, result, { step })
  if ('done' in result) return c.redirect(confirmedAccountPath(result.done), 303)
  return continueToApp(c, id, { step, proof: result })
}

/** The form field with the session that a step's page was shown for. */
const STEP_FIELD = 'stepSession'

/** What forms call a session: under the digest of its secret, it is stored. */
function nameOf({ cookie }: OpenStep): Promise<string> {
  return digest(`step ${cookie.secretDigest}`)
}

interface Visit {
  context: PageContext
  /** The session that can pass a step, on the page of one. */
  step?: OpenStep | undefined
}

/** Users who cannot see the page yet are sent to sign in. */
async function readVisit(
  c: AppContext,
  feature: FeatureWords,
  page: OwnPage,
): Promise<Visit | Response> {
  if (page.isStep) {
    const step = await readStepSession(c)
    if (!step) return redirectToSignIn(c)
    const { session, method, cookie } = step
    const signedIn = { ...session, method }
    if (page.needsRecentSignIn && !isForStep(step) && !(await isRecent(c, signedIn))) {
      return redirectToSignInForStep(c)
    }
    return { context: await pageContext(c, feature, toSignedInUser(signedIn), cookie), step }
  }
  const session = page.needsRecentSignIn
    ? await requireRecentSession(c, currentPath(c))
    : await authoritativeSession(c)
  const cookie = await readSessionCookie(c)
  if (!session || !cookie) return redirectToSignIn(c)
  return { context: await pageContext(c, feature, toSignedInUser(session), cookie) }
}

/**
 * Whether the user has signed in for the step. A provider may do that without asking anything, for
 * whoever uses a browser that is signed in there: that is sufficient only for a new user.
 */
function isForStep({ isSignIn, isNewUser, session }: OpenStep): boolean {
  return isSignIn && (isNewUser || session.level !== 'silent')
}

function toSignedInUser(session: AuthoritativeSession): SignedInUser {
  const { user, sid, method } = session
  return { user, sid, method, signIn: signInFacts(session) }
}

/** What a page of a feature knows about the session of this browser. */
export async function pageContext(
  c: AppContext,
  feature: FeatureWords,
  { user, sid, method, signIn }: SignedInUser,
  { sessionKey }: Pick<SessionCookie, 'sessionKey'>,
): Promise<PageContext> {
  const messages = await messagesFor(c)
  const interaction = await readInteraction(c, c.req.query('interaction') ?? '')
  const client = interaction && (await interactionClient(c, interaction))
  const { level, authenticatedAt } = signIn
  return {
    ...requestContext(c, feature, { user, signIn, client, session: sessionKey }),
    messages,
    url: (path) =>
      interaction ? `${path}?${new URLSearchParams({ interaction: interaction.id })}` : path,
    isProvedIfPossible: () => isProvedIfPossible(c, { user, level, method }),
    unconfirmedMark: () => (level === 'proved' ? undefined : { sid, at: nowInSeconds() }),
    mayConfirm: ({ sid: unconfirmedSid, at: linkedAt }) =>
      mayConfirm({ sid, authenticatedAt }, { unconfirmedSid, linkedAt }),
  }
}

function currentPath(c: AppContext): string {
  const { pathname, search } = new URL(c.req.url)
  return pathname + search
}

/** The user then continues on the same page. */
function redirectToSignIn(c: AppContext): Response {
  const params = new URLSearchParams({ callbackUrl: currentPath(c) })
  return c.redirect(`/api/auth/signin?${params}`, 303)
}

/** The next sign-in asks for the step again, and continues where this one would. */
async function redirectToSignInForStep(c: AppContext): Promise<Response> {
  const interaction = await attemptInteraction(c, { interactionId: c.req.query('interaction') })
  return c.redirect(signInUrl(interaction, '/signin', { prompt: 'login' }), 303)
}

async function respondWithContent(
  c: AppContext,
  { title, content, button, links = [] }: OwnPageContent,
  { step }: Pick<Visit, 'step'>,
): Promise<Response> {
  const path = currentPath(c)
  const body = await toBody(content)
  const form = button !== undefined && (
    <form method="post" action={path}>
      <HiddenFields
        fields={Object.entries({
          csrfToken: await csrfToken(c),
          ...(step && { [STEP_FIELD]: await nameOf(step) }),
        })}
      />
      {body}
      <button class="primary" type="submit">
        {button}
      </button>
    </form>
  )
  const page = (
    <>
      {form || body}
      {links.map(({ url, label }) => (
        <a href={url}>{label}</a>
      ))}
    </>
  )
  return respondWithPage(c, page, { title, repeatAt: path })
}

/** A page after the step has passed, whose button leads on. */
async function respondWithLastPage(
  c: AppContext,
  { title, content, button }: OwnPageContent,
  url: string,
): Promise<Response> {
  const link = button !== undefined && (
    <a class="primary" href={url}>
      {button}
    </a>
  )
  const page = (
    <>
      {await toBody(content)}
      {link}
    </>
  )
  return respondWithPage(c, page, { title })
}

async function toBody(content: OwnPageContent['content']) {
  const part = await content
  return 'isEscaped' in Object(part) ? part : <p>{part}</p>
}

async function continueToApp(
  c: AppContext,
  id: string,
  { step, proof }: { step: OpenStep | undefined; proof?: StepProof },
): Promise<Response> {
  const interactionId = c.req.query('interaction')
  if (step) {
    const interaction = await attemptInteraction(c, { interactionId })
    const passed = proof && { id, amr: proof.amr, level: proof.level }
    const found = await continueSession(c, step, { interaction, ...(passed && { passed }) })
    const url = found ?? stepUrl(c, interaction, undefined)
    if (!proof?.page) return continueAt(c, url)
    return respondWithLastPage(c, proof.page, url)
  }
  const interaction = await readInteraction(c, interactionId ?? '')
  if (!interaction) return c.redirect('/account', 303)
  return continueAt(c, await continueUrl(c, interaction))
}
