import type { AppContext } from '../http/app-env.ts'
import { messagesFor, respondWithPage } from '../pages/page-response.tsx'
import { SignedOutPage } from './sign-out-page.tsx'

interface SignOut {
  /** Where the user continues, if anywhere: a URL that has been checked. */
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
