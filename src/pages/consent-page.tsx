import type { Messages } from './messages/choose.ts'
import { SignedInAs } from './signed-in-as.tsx'

interface ConsentPageProps {
  messages: Messages
  /** The host the person will return to. */
  host: string
  name: string | undefined
  scope: readonly string[]
  /** The request, sealed: what comes back is what was asked. */
  request: string
  csrfToken: string
}

/** Asks a person whether an app that is not the operator's own may use their account. */
export function ConsentPage(props: ConsentPageProps) {
  const { messages, host, name, scope, request, csrfToken } = props
  const words = messages.consent
  return (
    <>
      <SignedInAs messages={messages} name={name} />
      <h2>{words.sees}</h2>
      <ul>
        {scope.map((one) => (
          <li>{words.scopes[one] ?? one}</li>
        ))}
      </ul>
      <p class="soft">{words.leads(host)}</p>
      <form method="post" action="/oidc/consent">
        <input type="hidden" name="csrfToken" value={csrfToken} />
        <input type="hidden" name="request" value={request} />
        <button class="main" id="approve" name="answer" value="approve" type="submit">
          {words.approve}
        </button>
        <button id="deny" name="answer" value="deny" type="submit">
          {words.deny}
        </button>
      </form>
    </>
  )
}
