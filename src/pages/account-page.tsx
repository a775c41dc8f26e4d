import { FormButton } from './form-button.tsx'
import { isolate } from './isolate.ts'
import type { Messages } from './messages/choose.ts'

interface AccountPageProps {
  messages: Messages
  name: string | undefined
  accounts: readonly AccountLine[]
  sessions: readonly SessionLine[]
  consents: readonly ConsentLine[]
  choices: readonly { id: string; name: string; href: string }[]
  csrfToken: string
}

/** An account as the page shows it. */
interface AccountLine {
  /** What the form sends to name it. */
  handle: string
  provider: string
  label: string | undefined
  linkedAt: number
}

interface SessionLine {
  sid: string
  isThis: boolean
  device: string | undefined
  place: string | undefined
  seenAt: number
  apps: readonly string[]
}

interface ConsentLine {
  clientId: string
  name: string
  scope: readonly string[]
  resources: readonly string[]
}

/** Who a person is here, where they are signed in, and what they allowed; and how to end each of it. */
export function AccountPage(props: AccountPageProps) {
  const { messages, name, accounts, sessions, consents, choices, csrfToken } = props
  const { account: words, signedIn, consent } = messages
  const date = new Intl.DateTimeFormat(messages.language, { dateStyle: 'long', timeZone: 'UTC' })
  const on = (seconds: number) => date.format(seconds * 1000)
  return (
    <>
      <h1>{words.title}</h1>
      <p>{words.as(isolate(name ?? signedIn.someone))}</p>
      <FormButton action="/api/auth/signout" csrfToken={csrfToken}>
        {signedIn.signOut}
      </FormButton>

      <h2>{words.accounts}</h2>
      <ul>
        {accounts.map(({ handle, provider, label, linkedAt }) => (
          <li>
            <p>
              <strong>{provider}</strong> {label && isolate(label)} <br />
              <span class="soft">{words.since(on(linkedAt))}</span>
            </p>
            <FormButton
              action="/account/disconnect"
              csrfToken={csrfToken}
              fields={{ account: handle }}
            >
              {words.disconnect(provider)}
            </FormButton>
          </li>
        ))}
        {choices.map((choice) => (
          <li>
            <a class={`button brand-${choice.id}`} href={choice.href} rel="nofollow">
              {words.link(choice.name)}
            </a>
          </li>
        ))}
      </ul>

      <h2>{words.sessions}</h2>
      <ul>
        {sessions.map(({ sid, isThis, device, place, seenAt, apps }) => (
          <li>
            <p>
              <strong>{device ?? words.someBrowser}</strong> {place} <br />
              <span class="soft">
                {isThis ? words.thisBrowser : words.seen(on(seenAt))}
                {apps.length > 0 && ` · ${apps.join(', ')}`}
              </span>
            </p>
            {!isThis && (
              <FormButton action="/account/sessions" csrfToken={csrfToken} fields={{ sid }}>
                {words.end}
              </FormButton>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <FormButton action="/account/sessions" csrfToken={csrfToken} fields={{ sid: 'others' }}>
          {words.endOthers}
        </FormButton>
      )}

      {consents.length > 0 && <h2>{words.consents}</h2>}
      <ul>
        {consents.map(({ clientId, name: app, scope, resources }) => (
          <li>
            <p>
              <strong>{app}</strong>
              <br />
              <span class="soft">
                {[...scope, ...resources].map((one) => consent.scopes[one] ?? one).join(', ')}
              </span>
            </p>
            <FormButton
              action="/account/consents"
              csrfToken={csrfToken}
              fields={{ client_id: clientId }}
            >
              {words.withdraw}
            </FormButton>
          </li>
        ))}
      </ul>

      <a class="button" href="/account/delete">
        {words.remove}
      </a>
    </>
  )
}
