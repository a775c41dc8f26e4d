import type { AppContext } from '../http/app-env.ts'
import type { Messages } from '../messages/messages.ts'
import { ACCOUNT_SIGN_IN_PATH } from '../pages/account-path.ts'
import { FormButton } from '../pages/form-button.tsx'
import { messagesFor, respondWithPage } from '../pages/page-response.tsx'
import { describeRedirectUri } from '../registration-schemas/redirect-uri.ts'

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
      outcome: 'done',
      continueTo: returnTo,
      // Once the session has ended, the provider is no longer known.
      isRepeatable: provider === undefined,
    },
  )
}

interface SignOutPageProps {
  messages: Messages
  action: string
  fields: Record<string, string>
  /** Where the user goes if they stay signed in. */
  returnTo?: string
}

/**
 * Asks for confirmation when the sign-out was not started by a button on our pages: by a link, or
 * by an app whose `id_token_hint` does not belong to this session.
 */
export function SignOutPage({ messages, action, fields, returnTo }: SignOutPageProps) {
  return (
    <>
      <p>{messages.t('signOut.lead')}</p>
      <FormButton action={action} fields={fields} id="confirm-logout" isPrimary>
        {messages.t('signOut.confirm')}
      </FormButton>
      {returnTo && <a href={returnTo}>{messages.t('signOut.staySignedIn')}</a>}
    </>
  )
}

interface SignedOutPageProps {
  messages: Messages
  /** The service that the user signed in with; undefined if they signed in on pages of this one. */
  provider: string | undefined
  /** Where browsers continue by themselves; undefined if the user did not come from an app. */
  returnTo: string | undefined
}

/** Shown after a sign-out. */
export function SignedOutPage({ messages, provider, returnTo }: SignedOutPageProps) {
  return (
    <>
      {provider && <p>{messages.t('signedOut.lead', { provider })}</p>}
      {returnTo ? (
        <a class="primary" id="continue" href={returnTo}>
          {messages.t('signedIn.continueTo', { app: describeRedirectUri(returnTo) })}
        </a>
      ) : (
        <a href={ACCOUNT_SIGN_IN_PATH}>{messages.t('actions.goToSignIn')}</a>
      )}
    </>
  )
}
