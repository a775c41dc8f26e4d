import { randomSecret } from '../crypto/random.ts'
import { SignInError } from '../errors.ts'
import type { AppContext } from '../http/app-env.ts'
import { messagesFor, respondWithPage } from '../http/page-response.tsx'
import { returnQuery } from '../http/return-url.ts'
import { QrPage } from '../pages/qr-page.tsx'
import { checkQrCode, type QrProgress, requestQrCode } from '../upstream/qr-login.ts'
import type { ResolvedProvider } from '../upstream/resolve.ts'
import { askingClient } from './asking-client.ts'
import { type Attempt, beginAttempt, handleOf, readAttempt, takeAttempt } from './attempt.ts'
import { finishSignIn } from './finish.ts'
import { scopeFor } from './start.ts'

/** What leaves room for the code in the attempt's cookie. */
const LONGEST_RETURN_URL = 1600

/** How often the page asks, in seconds. */
const INTERVAL = '3'

/** Begins an attempt that goes on at a phone, and says where this browser waits for it. */
export async function startQrLogin(
  c: AppContext,
  provider: ResolvedProvider,
  returnTo: string,
): Promise<string> {
  if (!provider.hasQrCode) throw new SignInError('not_found')
  if (returnTo.length > LONGEST_RETURN_URL) throw new SignInError('request_too_large')
  const scope = scopeFor(provider, askingClient(c.get('config'), returnTo))
  const attempt = await beginAttempt(c, {
    provider: provider.id,
    state: randomSecret(),
    nonce: '',
    returnTo,
    mayReplace: true,
    // Who scans a code that somebody else showed them has proven nothing to themselves: it opens no account page.
    isForced: false,
    linkTo: undefined,
    qr: await requestQrCode(provider, scope),
  })
  return `/api/auth/signin/${provider.id}/qr/${handleOf(attempt)}`
}

/** How far the phone is. Only the browser that shows the code holds the attempt, and it alone is signed in. */
export async function waitForPhone(
  c: AppContext,
  provider: ResolvedProvider,
  handle: string,
): Promise<Response> {
  const attempt = await readAttempt(c, provider.id, handle)
  if (!attempt?.qr) throw new SignInError('attempt_missing')
  const progress = await checkQrCode(provider, attempt.qr)
  if (progress.status === 'confirmed') return finish(c, provider, attempt, progress)
  if (progress.status !== 'expired') c.header('Refresh', INTERVAL)
  const messages = messagesFor(c)
  const config = c.get('config')
  const back = new URLSearchParams(await returnQuery(config, attempt.returnTo))
  const page = (
    <QrPage
      messages={messages}
      provider={provider.name}
      status={progress.status}
      link={attempt.qr.link}
      newCodeUrl={`/api/auth/signin/${provider.id}/qr?${back}`}
    />
  )
  const clientName = askingClient(config, attempt.returnTo)?.client_name
  const { title, titleFor } = messages.signIn
  return respondWithPage(c, page, { title: clientName ? titleFor(clientName) : title })
}

/** The code was asked for without a challenge, and for an address of the platform's choice. */
async function finish(
  c: AppContext,
  provider: ResolvedProvider,
  { state }: Attempt,
  { code, redirectUri }: Extract<QrProgress, { status: 'confirmed' }>,
): Promise<Response> {
  const attempt = await takeAttempt(c, provider.id, state)
  if (!attempt) throw new SignInError('attempt_missing')
  const asked = { ...provider, callbackUrl: redirectUri, codeChallenge: 'none' as const }
  return c.redirect(
    await finishSignIn(c, asked, attempt, new URLSearchParams({ code, state })),
    303,
  )
}
