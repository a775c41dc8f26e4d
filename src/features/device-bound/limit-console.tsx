import { englishMessages } from '../../administration/console/console-response.tsx'
import type { AppContext } from '../../core/http/app-env.ts'
import { respondWithPage } from '../../core/pages/page-response.tsx'
import type { Session } from '../../core/users/session.ts'

/** A page instead of the console, which exists in English only, unless the session is bound. */
export async function requireBoundSession(
  c: AppContext,
  { isBound, unsettled }: Session,
): Promise<Response | undefined> {
  if (isBound) return undefined
  const { pathname, search } = new URL(c.req.url)
  const callbackUrl = c.req.method === 'GET' ? pathname + search : '/admin'
  const signIn = `/api/auth/signin?${new URLSearchParams({ callbackUrl, prompt: 'login' })}`
  return respondWithPage(
    c,
    <>
      <p>
        The console of this service opens only in a browser that keeps its sessions on the device:
        Google Chrome on Windows, version 146 or newer.
      </p>
      <p>
        {unsettled
          ? 'You have just signed in, and your browser may need a moment to create the key.'
          : 'This session was opened without a key. In such a browser, sign in again.'}
      </p>
      <a class="primary" href={unsettled ? callbackUrl : signIn}>
        {unsettled ? 'Try again' : 'Sign in again'}
      </a>
    </>,
    {
      title: 'Use another browser',
      status: 403,
      outcome: 'failed',
      messages: await englishMessages(c),
    },
  )
}
