import { isolate } from './isolate.ts'
import type { Messages } from './messages/choose.ts'

interface ConsentPageProps {
  messages: Messages
  clientName: string
  /** The host the person will return to. */
  host: string
  name: string | undefined
  scope: readonly string[]
  /** The request, sealed: what comes back is what was asked. */
  request: string
  csrfToken: string
}

/** Asks a person whether an app that is not the operator's own may use their account. */
export function ConsentPage({
  messages,
  clientName,
  host,
  name,
  scope,
  request,
  csrfToken,
}: ConsentPageProps) {
  const { title, lead, sees, scopes, leads, approve, deny } = messages.consent
  return (
    <>
      <h1>{title(clientName)}</h1>
      <p>{lead(isolate(name ?? messages.signedIn.someone))}</p>
      <h2>{sees}</h2>
      <ul class="problems">
        {scope.map((one) => (
          <li>{scopes[one] ?? one}</li>
        ))}
      </ul>
      <p class="soft">{leads(host)}</p>
      <form method="post" action="/oidc/consent">
        <input type="hidden" name="csrfToken" value={csrfToken} />
        <input type="hidden" name="request" value={request} />
        <ul>
          <li>
            <button class="button main" id="approve" name="answer" value="approve" type="submit">
              {approve}
            </button>
          </li>
          <li>
            <button class="button" id="deny" name="answer" value="deny" type="submit">
              {deny}
            </button>
          </li>
        </ul>
      </form>
    </>
  )
}
