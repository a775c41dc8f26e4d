import { FormButton } from './form-button.tsx'
import type { Messages } from './messages/choose.ts'

interface SignOutPageProps {
  messages: Messages
  returnTo: string
  csrfToken: string
}

/** Asks before a sign-out that a link, not a button of ours, has started. */
export function SignOutPage({ messages, returnTo, csrfToken }: SignOutPageProps) {
  return (
    <>
      <ConfirmSignOut
        messages={messages}
        action="/api/auth/signout"
        fields={{ callbackUrl: returnTo, csrfToken }}
      />
      <a href={returnTo}>{messages.signOut.stay}</a>
    </>
  )
}

interface LogoutPageProps {
  messages: Messages
  /** The app's request, which is sent again with the answer. */
  fields: Record<string, string>
  csrfToken: string
}

/** Asks before a sign-out that an app wishes, and that its hint does not prove. */
export function LogoutPage({ messages, fields, csrfToken }: LogoutPageProps) {
  return (
    <ConfirmSignOut
      messages={messages}
      action="/oidc/logout/confirm"
      fields={{ ...fields, csrfToken }}
    />
  )
}

interface ConfirmSignOutProps {
  messages: Messages
  action: string
  fields: Record<string, string>
}

function ConfirmSignOut({ messages, action, fields }: ConfirmSignOutProps) {
  const { lead, confirm } = messages.signOut
  return (
    <>
      <p>{lead}</p>
      <FormButton action={action} fields={fields} id="confirm-logout">
        {confirm}
      </FormButton>
    </>
  )
}

/** The end of a sign-out that has nowhere else to go. */
export function SignedOutPage({ messages }: { messages: Messages }) {
  return (
    <>
      <p>{messages.signedOut.lead}</p>
      <a href="/api/auth/signin">{messages.error.toSignIn}</a>
    </>
  )
}
