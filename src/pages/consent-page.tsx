import type { Messages } from './messages/en.ts'
import { SignedInAs } from './signed-in-as.tsx'

interface ConsentPageProps {
  messages: Messages
  /** The host of the redirect URI. */
  host: string
  name: string | undefined
  /** The scopes of OpenID Connect. */
  scope: readonly string[]
  apis: readonly RequestedApi[]
  /** The authorization request, sealed, so that the form cannot return a different one. */
  request: string
  csrfToken: string
}

/** An API that the app wants to use. */
export interface RequestedApi {
  name: string
  /** What the app may do there. */
  scopes: readonly { name: string; description: string }[]
}

/** Asks the user whether an app that is not first-party may use their account. */
export function ConsentPage(props: ConsentPageProps) {
  const { messages, host, name, scope, apis, request, csrfToken } = props
  const { permissionsHeading, scopes, returnsTo, approve, deny } = messages.consent
  return (
    <>
      <SignedInAs messages={messages} name={name} />
      <h2>{permissionsHeading}</h2>
      <ul>
        {scope.map((value) => (
          <li>{scopes[value] ?? value}</li>
        ))}
        {apis.map((api) => (
          <li>
            {api.name}
            {api.scopes.length > 0 && (
              <ul>
                {api.scopes.map((value) => (
                  <li>{scopes[value.name] ?? value.description}</li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
      <p class="note">{returnsTo(host)}</p>
      <form method="post" action="/oidc/consent">
        <input type="hidden" name="csrfToken" value={csrfToken} />
        <input type="hidden" name="request" value={request} />
        <button class="primary" id="approve" name="answer" value="approve" type="submit">
          {approve}
        </button>
        <button id="deny" name="answer" value="deny" type="submit">
          {deny}
        </button>
      </form>
    </>
  )
}
