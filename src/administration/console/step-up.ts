import { ATTEMPT_LIFETIME } from '../../core/config/lifetimes.ts'
import type { AppContext } from '../../core/http/app-env.ts'
import { clearSealedCookie, readSealedCookie, setSealedCookie } from '../../core/http/cookies.ts'
import { readForm } from '../../core/http/csrf.ts'
import { type SignInPurpose, signInUrl, startVisit } from '../../core/interaction/interaction.ts'
import { RegistrationError } from '../../core/registrations/registration-error.ts'
import { recentSession } from '../../core/session/recent-session.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import { parseJson } from '../../foundation/values/json.ts'

/** A form of this size fits into three cookies. */
const MAX_KEPT_LENGTH = 8000 // bytes

const TOO_LONG =
  'You signed in more than ten minutes ago, and what you entered is too long to be kept while you sign in again. Open this page in another tab, save there, and sign in. Then save here.'

/** What an administrator entered before a step-up. */
interface EnteredForm {
  userId: string
  /** The path and the query of the page. */
  url: string
  fields: [name: string, value: string][]
  expiresAt: number
}

/** Asks a signed-in administrator to sign in again, and leads back to the page. */
export async function signInAgain(c: AppContext, purpose: SignInPurpose): Promise<Response> {
  const interaction = await startVisit(c, pageUrl(c), purpose)
  return c.redirect(signInUrl(interaction, '/signin', { prompt: 'login' }), 303)
}

/**
 * The response to a form of an administrator who has not signed in recently; undefined if they
 * have. They sign in again, and find the form as they have sent it: only when they send it again,
 * something changes.
 */
export async function stepUpBefore(
  c: AppContext,
  change: Omit<SignInPurpose, 'isChange'>,
): Promise<Response | undefined> {
  if (await recentSession(c)) return undefined
  await keepEnteredForm(c)
  return signInAgain(c, { ...change, isChange: true })
}

/** What is not longer than the cookies may be, sealed: only this administrator sees it again. */
async function keepEnteredForm(c: AppContext): Promise<void> {
  const form = await readForm(c)
  const entered: EnteredForm = {
    userId: c.get('administrator')?.id ?? '',
    url: pageUrl(c),
    fields: [...form].flatMap(([name, value]) =>
      typeof value === 'string' && name !== 'csrfToken' ? [[name, value]] : [],
    ),
    expiresAt: nowInSeconds() + ATTEMPT_LIFETIME,
  }
  const value = JSON.stringify(entered)
  if (new TextEncoder().encode(value).length > MAX_KEPT_LENGTH) {
    throw new RegistrationError({ path: [], code: 'unusable', message: TOO_LONG })
  }
  await setSealedCookie(c, 'entered', { value, maxAge: ATTEMPT_LIFETIME })
}

/** The form that this administrator sent from this page before the step-up. It is shown once. */
export async function takeEnteredForm(c: AppContext): Promise<FormData | undefined> {
  const opened = await readSealedCookie(c, 'entered')
  if (opened === undefined || c.req.method !== 'GET') return undefined
  // We sealed it, so its content can be trusted.
  const { userId, url, fields, expiresAt } = parseJson(opened) as EnteredForm
  const isOwn = userId === c.get('administrator')?.id
  if (!isOwn || url !== pageUrl(c) || expiresAt <= nowInSeconds()) return undefined
  clearSealedCookie(c, 'entered')
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  return form
}

/** What the page says above that form. */
export function enteredNotice(button: string): string {
  return `Thank you. Nothing has changed yet: check this page, and press “${button}”.`
}

function pageUrl(c: AppContext): string {
  const { pathname, search } = new URL(c.req.url)
  return pathname + search
}
