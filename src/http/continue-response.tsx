import { CONFIRMATION_CSS } from '../pages/confirmation.tsx'
import { ContinuePage } from '../pages/continue-page.tsx'
import { SignedOutPage } from '../pages/sign-out-page.tsx'
import type { AppContext } from './app-env.ts'
import { confirmationText } from './confirmation.ts'
import { messagesFor, respondWithPage } from './page-response.tsx'

/**
 * Ends a form post of our pages, and continues at an address that has been checked. A redirect would be
 * subject to the `form-action` policy of the page with the form, at every address that follows.
 */
export async function continueAt(c: AppContext, address: string): Promise<Response> {
  const messages = await messagesFor(c)
  return respondWithPage(c, <ContinuePage messages={messages} href={address} />, {
    title: messages.continuing.title,
    continueTo: address,
  })
}

/** Confirms a sign-out, and continues at `returnTo`, if any: an address that has been checked. */
export async function respondSignedOut(c: AppContext, returnTo?: string): Promise<Response> {
  const messages = await messagesFor(c)
  const confirmation = confirmationText(c, messages.signedOut.done)
  return respondWithPage(
    c,
    <SignedOutPage messages={messages} returnTo={returnTo} confirmation={confirmation} />,
    {
      title: messages.signedOut.title,
      continueTo: returnTo,
      css: confirmation ? CONFIRMATION_CSS : '',
    },
  )
}
