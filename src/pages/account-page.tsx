import { FormButton } from './form-button.tsx'
import { isolate } from './isolate.ts'
import type { Messages } from './messages/choose.ts'
import { SignedInAs } from './signed-in-as.tsx'

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
  const { account: words, consent } = messages
  const on = (seconds: number) =>
    new Date(seconds * 1000).toLocaleDateString(messages.language, {
      dateStyle: 'long',
      timeZone: 'UTC',
    })
  return (
    <>
      <SignedInAs messages={messages} name={name} />
      <FormButton action="/api/auth/signout" fields={{ csrfToken }}>
        {messages.signOut.confirm}
      </FormButton>

      <h2>{words.accounts}</h2>
      {accounts.map(({ handle, provider, label, linkedAt }) => (
        <Item name={provider} of={label && isolate(label)} more={words.since(on(linkedAt))}>
          <FormButton action="/account/disconnect" fields={{ account: handle, csrfToken }}>
            {words.disconnect(provider)}
          </FormButton>
        </Item>
      ))}
      {choices.map((choice) => (
        <a class={`brand-${choice.id}`} href={choice.href} rel="nofollow">
          {words.link(choice.name)}
        </a>
      ))}

      <h2>{words.sessions}</h2>
      {sessions.map(({ sid, isThis, device, place, seenAt, apps }) => (
        <Item
          name={device ?? words.someBrowser}
          of={place}
          more={[isThis ? words.thisBrowser : words.seen(on(seenAt)), ...apps].join(' · ')}
        >
          {!isThis && (
            <FormButton action="/account/sessions" fields={{ sid, csrfToken }}>
              {words.end}
            </FormButton>
          )}
        </Item>
      ))}
      {sessions.length > 1 && (
        <FormButton action="/account/sessions" fields={{ sid: 'others', csrfToken }}>
          {words.endOthers}
        </FormButton>
      )}

      {consents.length > 0 && <h2>{words.consents}</h2>}
      {consents.map(({ clientId, name: app, scope, resources }) => (
        <Item
          name={app}
          more={[...scope, ...resources].map((one) => consent.scopes[one] ?? one).join(', ')}
        >
          <FormButton action="/account/consents" fields={{ client_id: clientId, csrfToken }}>
            {words.withdraw}
          </FormButton>
        </Item>
      ))}

      <a href="/account/delete">{words.remove}</a>
    </>
  )
}

interface ItemProps {
  name: string
  of?: string | undefined
  more: string
  children?: unknown
}

/** Something that can be ended by its button. */
function Item({ name, of, more, children }: ItemProps) {
  return (
    <>
      <p>
        <strong>{name}</strong> {of}
        <br />
        <span class="soft">{more}</span>
      </p>
      {children}
    </>
  )
}
