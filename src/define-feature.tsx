import { Hono } from 'hono'
import {
  type CallbackClient,
  type CallbackUser,
  type SignInFacts,
  toCallbackClient,
} from './config/callbacks.ts'
import type { FeatureBinding, ListedFeature } from './config/vestibule-options.ts'
import type { Feature, Step } from './feature.ts'
import type { AppContext, AppEnv } from './http/app-env.ts'
import { requireOwnPage } from './http/cross-origin.ts'
import { csrfToken, readForm } from './http/csrf.ts'
import {
  attemptInteraction,
  continueUrl,
  interactionClient,
  readInteraction,
} from './interaction/interaction.ts'
import type { TextsByLanguage } from './messages/languages.ts'
import type { Messages } from './messages/messages.ts'
import { continueAt } from './pages/continue-page.tsx'
import { HiddenFields } from './pages/form-button.tsx'
import { messagesFor, respondWithPage } from './pages/page-response.tsx'
import { limitRequestsByUser } from './session/limit-requests-by-user.ts'
import { authoritativeSession } from './session/read-session.ts'
import { type OpenStep, readStepSession } from './session/step-session.ts'
import { continueSession } from './signin/pass-step.ts'
import { stepUrl } from './signin/step-url.ts'

/*
 * The features that operators write. Unlike `Feature`, whose types are those of the core and change
 * with it, this is a part of the package's interface.
 */

/** A feature of a deployment. `Bindings` are those of its wrangler.toml. */
export interface OwnFeature<Bindings> {
  /** Lower-case letters, digits and hyphens. */
  id: string
  /**
   * Its texts by language tag, such as `{ en: { 'terms.title': 'Terms of service' } }`. A page is in
   * English where it has no text in the language of the user.
   */
  texts?: TextsByLanguage
  /** The bindings that it needs. `/readyz` and `doctor` report those that are missing. */
  bindings?: readonly FeatureBinding[]
  /** Pages for signed-in users, by path. Others are asked to sign in first. */
  pages?: Readonly<Record<string, OwnPage<Bindings>>>
  /** What it asks of users before a session counts. */
  step?: OwnStep<Bindings>
  /** What the Cron Trigger starts every minute, by name. The log names a job that fails. */
  schedule?: Readonly<Record<string, (env: Bindings) => Promise<void>>>
}

/**
 * What a feature asks of users before a session counts. Sessions from before the step was listed, or
 * of another version of it, do not count until the user has passed it.
 */
export interface OwnStep<Bindings> {
  /** By default 1. */
  version?: number
  /** Whether it depends on the app. Then it is also asked at each authorization request. */
  dependsOnApp?: boolean
  /** The path of the page on which the user passes it; undefined if nothing is asked of them. */
  required(request: OwnStepRequest<Bindings>): Promise<string | undefined>
  /**
   * Whether refresh tokens of this user from before the step are rejected; by default, they stay
   * valid.
   */
  endsGrants?(request: { env: Bindings; user: { id: string } }): Promise<boolean>
}

export interface OwnStepRequest<Bindings> {
  env: Bindings
  user: CallbackUser
  signIn: SignInFacts
  /** Whether the user has had a session in this browser before, and not of an unconfirmed account. */
  isKnownBrowser: boolean
  /** The app that the user signs in to; absent for pages of this service. */
  client: CallbackClient | undefined
}

export interface OwnPage<Bindings> {
  /** Whether users pass the step of the feature on this page, so that they have no session yet. */
  isStep?: boolean
  show(request: OwnPageRequest<Bindings>): OwnPageContent | Promise<OwnPageContent>
  /**
   * What the button does. The user then continues to the app that they came from, or to the account
   * page, unless this returns a page. On the page of a step, `required` is asked again, unless this
   * returns what the user has proved.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: most functions return nothing.
  submit?(request: OwnSubmission<Bindings>): Promise<OwnPageContent | OwnStepProof | void>
}

/** The user has passed the step. */
export interface OwnStepProof {
  /** Added to the claim `amr` (RFC 8176), such as `otp` and `mfa`; an empty list adds nothing. */
  amr: readonly string[]
}

export interface OwnPageRequest<Bindings> {
  env: Bindings
  user: CallbackUser
  /** The language of the page (BCP 47). */
  language: string
  /** The texts of this language: `withTexts<typeof en>(messages).t('terms.title')`. */
  messages: Messages
}

export interface OwnSubmission<Bindings> extends OwnPageRequest<Bindings> {
  /** The fields of the form. */
  form: FormData
}

export interface OwnPageContent {
  title: string
  /** A text, or the result of `html` of `hono/html`, in which values are escaped. */
  content: string | Promise<string>
  /** The label of the button, if the page has one. Form fields in `content` are sent with it. */
  button?: string
}

/** Paths of the core and of our features begin with these. */
const RESERVED = ['account', 'admin', 'api', 'device', 'healthz', 'oidc', 'readyz']

const PATH = /^\/([a-z\d-]+)(\/[a-z\d-]+)*$/

/** A feature of your own, for `features` of `createVestibule`. */
export function defineFeature<Bindings = unknown>(own: OwnFeature<Bindings>): ListedFeature {
  const { id, texts, bindings, pages = {}, step, schedule = {} } = own
  for (const path of Object.keys(pages)) requirePath(id, path)
  const feature: Feature = {
    id,
    ...(texts && { texts }),
    ...(bindings && { bindings }),
    routes: () => createRoutes(id, pages),
    ...(step && { step: toStep(step) }),
    schedule: Object.fromEntries(
      Object.entries(schedule).map(([name, run]) => [name, (env) => run(env as Bindings)]),
    ),
  }
  return feature
}

function toStep<Bindings>({ required, endsGrants, ...step }: OwnStep<Bindings>): Step {
  return {
    ...step,
    ...(endsGrants && {
      endsGrants: ({ env }, { id }) => endsGrants({ env: env as Bindings, user: { id } }),
    }),
    required: ({ env }, { client, ...request }) =>
      required({ ...request, env: env as Bindings, client: client && toCallbackClient(client) }),
  }
}

function requirePath(id: string, path: string): void {
  const [, segment = ''] = PATH.exec(path) ?? []
  if (segment !== '' && !RESERVED.includes(segment)) return
  throw new TypeError(
    `The feature ${id} has a page at ${path}: use a path such as /terms, of lower-case letters, digits and hyphens, that begins with none of ${RESERVED.join(', ')}.`,
  )
}

function createRoutes<Bindings>(
  id: string,
  pages: Readonly<Record<string, OwnPage<Bindings>>>,
): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  for (const [path, page] of Object.entries(pages)) {
    routes.use(path, requireOwnPage, limitRequestsByUser(path))
    routes.get(path, async (c) => {
      const visit = await readVisit<Bindings>(c, page)
      if (!visit) return redirectToSignIn(c)
      return respondWithContent(c, await page.show(visit.request), visit.step)
    })
    if (!page.submit) continue
    routes.post(path, async (c) => {
      const visit = await readVisit<Bindings>(c, page)
      if (!visit) return redirectToSignIn(c)
      const form = await readForm(c)
      form.delete('csrfToken')
      const { step } = visit
      // Another user may have signed in since the page was shown.
      if (step && form.get(STEP_FIELD) !== step.cookie.secretDigest) {
        return respondWithContent(c, await page.show(visit.request), step)
      }
      form.delete(STEP_FIELD)
      const result = await page.submit?.({ ...visit.request, form })
      if (result && 'content' in result) return respondWithContent(c, result, step)
      return continueToApp(c, step, result ? { id, ...result } : undefined)
    })
  }
  return routes
}

/** The form field with the session that a step's page was shown for. */
const STEP_FIELD = 'stepSession'

interface Visit<Bindings> {
  request: OwnPageRequest<Bindings>
  /** The session that can pass a step, on the page of one. */
  step?: OpenStep | undefined
}

async function readVisit<Bindings>(
  c: AppContext,
  { isStep }: OwnPage<Bindings>,
): Promise<Visit<Bindings> | undefined> {
  const step = isStep ? await readStepSession(c) : undefined
  const session = isStep ? step?.session : await authoritativeSession(c)
  if (!session) return undefined
  const messages = await messagesFor(c)
  const { user } = session
  return { step, request: { env: c.env as Bindings, user, language: messages.language, messages } }
}

/** The user then continues on the same page. */
function redirectToSignIn(c: AppContext): Response {
  const { pathname, search } = new URL(c.req.url)
  return c.redirect(
    `/api/auth/signin?${new URLSearchParams({ callbackUrl: pathname + search })}`,
    303,
  )
}

async function respondWithContent(
  c: AppContext,
  { title, content, button }: OwnPageContent,
  step: OpenStep | undefined,
): Promise<Response> {
  const interaction = await readInteraction(c, c.req.query('interaction') ?? '')
  if (interaction) await interactionClient(c, interaction)
  const { pathname, search } = new URL(c.req.url)
  const part = await content
  const body = 'isEscaped' in Object(part) ? part : <p>{part}</p>
  return respondWithPage(
    c,
    button === undefined ? (
      body
    ) : (
      <form method="post" action={pathname + search}>
        <HiddenFields
          fields={[
            ['csrfToken', await csrfToken(c)],
            ...(step ? [[STEP_FIELD, step.cookie.secretDigest] as [string, string]] : []),
          ]}
        />
        {body}
        <button class="primary" type="submit">
          {button}
        </button>
      </form>
    ),
    { title, repeatAt: pathname + search },
  )
}

async function continueToApp(
  c: AppContext,
  step: OpenStep | undefined,
  passed: ({ id: string } & OwnStepProof) | undefined,
): Promise<Response> {
  const interactionId = c.req.query('interaction')
  if (step) {
    const interaction = await attemptInteraction(c, { interactionId })
    const url = await continueSession(c, step, { interaction, ...(passed && { passed }) })
    return continueAt(c, url ?? stepUrl(c, interaction, undefined))
  }
  const interaction = await readInteraction(c, interactionId ?? '')
  if (!interaction) return c.redirect('/account', 303)
  await interactionClient(c, interaction)
  return continueAt(c, await continueUrl(c, interaction))
}
