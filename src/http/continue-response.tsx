import { ContinuePage } from '../pages/continue-page.tsx'
import { SignedOutPage } from '../pages/sign-out-page.tsx'
import type { AppContext } from './app-env.ts'
import { messagesFor, respondWithPage } from './page-response.tsx'

/**
 * Ends a form post of our pages, and continues at an address that has been checked. A redirect would be
 * subject to the `form-action` policy of the page with the form, at every address that follows.
 */
export async function continueAt(
  c: AppContext,
  address: string,
  { title }: { title?: string } = {},
): Promise<Response> {
  const messages = await messagesFor(c)
  const { issuer } = c.get('config')
  const { origin, host } = new URL(address, issuer)
  return respondWithPage(
    c,
    <ContinuePage messages={messages} href={address} host={origin === issuer ? undefined : host} />,
    {
      title: title ?? messages.t('continuing.title'),
      continueTo: address,
    },
  )
}

interface SignOut {
  /** Where the user continues, if anywhere: an address that has been checked. */
  returnTo?: string | undefined
  /** The id of the provider that the session was opened with, if it is known. */
  providerId?: string | undefined
}

/** Confirms a sign-out. The user may still be signed in at another service. */
export async function respondSignedOut(
  c: AppContext,
  { returnTo, providerId }: SignOut = {},
): Promise<Response> {
  const messages = await messagesFor(c)
  const provider = c.get('config').providers.find(({ id }) => id === providerId)
  return respondWithPage(
    c,
    <SignedOutPage messages={messages} provider={provider?.name} returnTo={returnTo} />,
    {
      title: messages.t('signedOut.title'),
      continueTo: returnTo,
      // Once the session has ended, the provider is no longer known.
      isRepeatable: provider === undefined,
    },
  )
}
