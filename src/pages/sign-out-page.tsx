import { FormButton } from './form-button.tsx'
import type { Messages } from './messages/choose.ts'

interface SignOutPageProps {
  messages: Messages
  action: string
  fields: Record<string, string>
  /** Where else they can go. */
  returnTo?: string
}

/** Asks before a sign-out that no button of ours has started: a link did, or an app whose hint does not prove it. */
export function SignOutPage({ messages, action, fields, returnTo }: SignOutPageProps) {
  const words = messages.signOut
  return (
    <>
      <p>{words.lead}</p>
      <FormButton action={action} fields={fields} id="confirm-logout">
        {words.confirm}
      </FormButton>
      {returnTo && <a href={returnTo}>{words.stay}</a>}
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
