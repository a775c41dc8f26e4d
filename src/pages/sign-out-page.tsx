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
          <form method="post" action="/api/auth/signout">
            <input type="hidden" name="csrfToken" value={csrfToken} />
            <input type="hidden" name="callbackUrl" value={returnTo} />
            <button class="button main" id="confirm-logout" type="submit">
              {confirm}
            </button>
          </form>
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
      <form method="post" action="/oidc/logout/confirm">
        {Object.entries({ ...fields, csrfToken }).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <button class="button main" id="confirm-logout" type="submit">
          {confirm}
        </button>
      </form>
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
