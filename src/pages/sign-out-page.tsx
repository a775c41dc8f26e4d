import { FormButton } from './form-button.tsx'
import type { Messages } from './messages/choose.ts'

interface SignOutPageProps {
  messages: Messages
  returnTo: string
  csrfToken: string
}

/** Asks before a sign-out that a link, not a button of ours, has started. */
export function SignOutPage({ messages, returnTo, csrfToken }: SignOutPageProps) {
  const { title, lead, confirm, stay } = messages.signOut
  return (
    <>
      <h1>{title}</h1>
      <p>{lead}</p>
      <ul>
        <li>
          <FormButton
            action="/api/auth/signout"
            csrfToken={csrfToken}
            fields={{ callbackUrl: returnTo }}
            id="confirm-logout"
            main
          >
            {confirm}
          </FormButton>
        </li>
        <li>
          <a class="button" href={returnTo}>
            {stay}
          </a>
        </li>
      </ul>
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
  const { title, lead, confirm } = messages.signOut
  return (
    <>
      <h1>{title}</h1>
      <p>{lead}</p>
      <FormButton
        action="/oidc/logout/confirm"
        csrfToken={csrfToken}
        fields={fields}
        id="confirm-logout"
        main
      >
        {confirm}
      </FormButton>
    </>
  )
}

/** The end of a sign-out that has nowhere else to go. */
export function SignedOutPage({ messages }: { messages: Messages }) {
  const { title, lead, again } = messages.signedOut
  return (
    <>
      <h1>{title}</h1>
      <p>{lead}</p>
      <ul>
        <li>
          <a class="button" href="/api/auth/signin">
            {again}
          </a>
        </li>
      </ul>
    </>
  )
}
