import { Confirmation } from './confirmation.tsx'
import { FormButton } from './form-button.tsx'
import type { Messages } from './messages/en.ts'

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
  const { lead, confirm, staySignedIn } = messages.signOut
  return (
    <>
      <p>{lead}</p>
      <FormButton action={action} fields={fields} id="confirm-logout" isPrimary>
        {confirm}
      </FormButton>
      {returnTo && <a href={returnTo}>{staySignedIn}</a>}
    </>
  )
}

interface SignedOutPageProps {
  messages: Messages
  /** Where browsers continue by themselves; undefined if the user did not come from an app. */
  returnTo: string | undefined
  /** The change by which the user was signed out. */
  confirmation?: string | undefined
}

/** Shown after a sign-out. */
export function SignedOutPage({ messages, returnTo, confirmation }: SignedOutPageProps) {
  return (
    <>
      <Confirmation text={confirmation} />
      <p>{messages.signedOut.lead}</p>
      {returnTo ? (
        <a class="primary" id="continue" href={returnTo}>
          {messages.signedIn.continueTo(new URL(returnTo).host)}
        </a>
      ) : (
        <a href="/api/auth/signin">{messages.actions.goToSignIn}</a>
      )}
    </>
  )
}
