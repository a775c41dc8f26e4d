import type { AppContext } from '../../core/http/app-env.ts'
import {
  attemptInteraction,
  interactionClient,
  signInUrl,
} from '../../core/interaction/interaction.ts'
import { withTexts } from '../../core/messages/messages.ts'
import type { SignInPageOptions, SignInPart } from '../../core/pages/page-part.ts'
import { messagesFor, respondWithPage } from '../../core/pages/page-response.tsx'
import { beginAttempt, cookieSuffix, readAttempt, takeAttempt } from '../../core/signin/attempt.ts'
import { finishSignIn } from '../../core/signin/finish-sign-in.ts'
import {
  attemptContent,
  logSignIn,
  requestedScope,
  type SignInRequest,
} from '../../core/signin/start-sign-in.ts'
import { identifyUser } from '../../core/upstream/identify-user.ts'
import type { ResolvedProvider } from '../../core/upstream/resolved-provider.ts'
import { readSetting } from '../../define-feature/read-setting.ts'
import { randomSecret } from '../../foundation/crypto/random.ts'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { STAND_IN_WEB } from '../../providers/tiktok/settings.ts'
import { type QrLogin, readQrStatus, requestQrCode } from './qr-login.ts'
import { QrLink, QrPage } from './qr-page.tsx'
import { hasQrSignIn } from './qr-setting.ts'
import type { en } from './texts.ts'

/** How often the page reloads itself to read the status. */
const REFRESH_INTERVAL = '3' // seconds

/** The link of the sign-in page. */
export async function qrLinkPart(
  c: AppContext,
  { messages, params, providers }: SignInPageOptions,
): Promise<SignInPart | undefined> {
  const provider = providers.find(({ id }) => hasQrSignIn(c.get('config'), id))
  if (!provider) return undefined
  const href = `/api/auth/signin/${provider.id}/qr?${params}`
  const content = (
    <QrLink messages={withTexts<typeof en>(messages)} provider={provider.name} href={href} />
  )
  return { content, place: 'link' }
}

/** Starts an attempt that continues on a phone. Returns the page that shows the QR code. */
export async function startQrSignIn(
  c: AppContext,
  provider: ResolvedProvider,
  input: SignInRequest,
): Promise<string> {
  const { client, ...content } = await attemptContent(c, provider, input)
  const scope = requestedScope(provider, client)
  const attempt = await beginAttempt(c, {
    ...content,
    state: randomSecret(),
    nonce: '',
    // Someone may have been tricked into scanning the code, so it does not open the account page.
    level: 'silent',
    local: await requestQrCode(provider, scope),
  })
  return `/api/auth/signin/${provider.id}/qr/${cookieSuffix(attempt)}`
}

/**
 * Shows the QR code until it is confirmed. Only the browser that shows the code has the attempt,
 * and only it is signed in.
 */
export async function continueQrSignIn(
  c: AppContext,
  provider: ResolvedProvider,
  suffix: string,
): Promise<Response> {
  const attempt = await readAttempt(c, provider.id, suffix)
  // Only a QR code adds something to an attempt at this provider.
  const qrLogin = attempt?.local as QrLogin | undefined
  if (!attempt || !qrLogin) throw new SignInError('attempt_missing')
  const qrStatus = await readQrStatus(provider, qrLogin)
  if (qrStatus.status === 'confirmed') {
    return finishQrSignIn(c, provider, { ...qrStatus, state: attempt.state })
  }

  if (qrStatus.status !== 'expired') c.header('Refresh', REFRESH_INTERVAL)
  const messages = withTexts<typeof en>(await messagesFor(c))
  const interaction = await attemptInteraction(c, attempt)
  const client = await interactionClient(c, interaction)
  logSignIn(c, provider, client)
  const webUrl = readSetting(c.get('config'), STAND_IN_WEB)
  const params = attempt.mayReplaceSession ? { prompt: 'select_account' } : {}
  return respondWithPage(
    c,
    <QrPage
      messages={messages}
      provider={provider.name}
      status={qrStatus.status}
      link={qrLogin.link}
      standInPhone={webUrl && `${webUrl}/v2/auth/phone`}
      newCodeUrl={signInUrl(interaction, `/signin/${provider.id}/qr`, params)}
      otherWaysUrl={signInUrl(interaction, '/signin', params)}
    />,
    {
      title: client
        ? messages.t('signIn.titleFor', { app: client.client_name })
        : messages.t('signIn.signInWith', { provider: provider.name }),
      client,
    },
  )
}

/** The code was issued without a challenge and for a redirect URI of the provider's choice. */
async function finishQrSignIn(
  c: AppContext,
  provider: ResolvedProvider,
  { state, code, redirectUri }: { state: string; code: string; redirectUri: string },
): Promise<Response> {
  const attempt = await takeAttempt(c, provider.id, state)
  if (!attempt) throw new SignInError('attempt_missing')
  const qrProvider = {
    ...provider,
    callbackUrl: redirectUri,
    codeChallengeEncoding: 'none' as const,
  }
  const callback = new URLSearchParams({ code, state })
  const continueUrl = await finishSignIn(c, provider, attempt, () =>
    identifyUser(qrProvider, attempt, callback),
  )
  return c.redirect(continueUrl, 303)
}
