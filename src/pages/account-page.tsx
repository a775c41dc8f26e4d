import type { PropsWithChildren } from 'hono/jsx'
import { FormButton } from './form-button.tsx'
import { isolateTextDirection } from './isolate-text-direction.ts'
import type { Messages } from './messages/en.ts'
import { SignedInAs } from './signed-in-as.tsx'

interface AccountPageProps {
  messages: Messages
  name: string | undefined
  accounts: readonly LinkedAccount[]
  sessions: readonly ActiveSession[]
  /** Whether apps have access through other sessions, which may have expired. */
  hasOtherGrants: boolean
  consents: readonly GrantedConsent[]
  /** The providers that can be linked. */
  choices: readonly LinkableProvider[]
  csrfToken: string
}

interface LinkedAccount {
  /** Identifies the account in forms. */
  digest: string
  /** The provider's display name. */
  provider: string
  /** The user's name at the provider. */
  label: string | undefined
  linkedAt: number
}

interface ActiveSession {
  sid: string
  /** Whether this is the session of the browser that shows the page. */
  isCurrent: boolean
  device: string | undefined
  place: string | undefined
  lastUsedAt: number
  apps: readonly string[]
}

interface GrantedConsent {
  clientId: string
  /** The app's display name. */
  name: string
  scope: readonly string[]
  resources: readonly string[]
}

interface LinkableProvider {
  id: string
  name: string
  href: string
}

/** A user's linked accounts, sessions and consents, each with a button that ends it. */
export function AccountPage(props: AccountPageProps) {
  const { messages, name, accounts, sessions, hasOtherGrants, consents, choices, csrfToken } = props
  const texts = messages.account
  return (
    <>
      <SignedInAs messages={messages} name={name} />
      <FormButton action="/api/auth/signout" fields={{ csrfToken }}>
        {messages.signOut.confirm}
      </FormButton>

      <h2>{texts.accountsHeading}</h2>
      {accounts.map(({ digest, provider, label, linkedAt }) => (
        <Item
          title={provider}
          subtitle={label && isolateTextDirection(label)}
          details={texts.linkedOn(formatDate(linkedAt, messages))}
        >
          <FormButton action="/account/disconnect" fields={{ account: digest, csrfToken }}>
            {texts.disconnect(provider)}
          </FormButton>
        </Item>
      ))}
      {choices.map((choice) => (
        <a class={`brand-${choice.id}`} href={choice.href} rel="nofollow">
          {texts.link(choice.name)}
        </a>
      ))}

      <h2>{texts.sessionsHeading}</h2>
      {sessions.map(({ sid, isCurrent, device, place, lastUsedAt, apps }) => (
        <Item
          title={device ?? texts.unknownBrowser}
          subtitle={place && isolateTextDirection(place)}
          details={[
            isCurrent ? texts.thisBrowser : texts.lastSeenOn(formatDate(lastUsedAt, messages)),
            ...apps.map(isolateTextDirection),
          ].join(' · ')}
        >
          {!isCurrent && (
            <FormButton action="/account/sessions" fields={{ sid, csrfToken }}>
              {texts.endSession}
            </FormButton>
          )}
        </Item>
      ))}
      {(sessions.length > 1 || hasOtherGrants) && (
        <FormButton action="/account/sessions" fields={{ sid: 'others', csrfToken }}>
          {texts.endOtherSessions}
        </FormButton>
      )}

      {consents.length > 0 && <h2>{texts.consentsHeading}</h2>}
      {consents.map(({ clientId, name: appName, scope, resources }) => (
        <Item
          title={appName}
          details={[...scope, ...resources]
            .map((value) => messages.consent.scopes[value] ?? value)
            .join(', ')}
        >
          <FormButton action="/account/consents" fields={{ client_id: clientId, csrfToken }}>
            {texts.withdrawConsent}
          </FormButton>
        </Item>
      ))}

      <p>
        <a href="/account/export" download>
          {texts.downloadData}
        </a>
      </p>
      <a href="/account/delete">{texts.deleteAccount}</a>
    </>
  )
}

type ItemProps = PropsWithChildren<{
  title: string
  subtitle?: string | undefined
  details: string
}>

/** One entry of a list, followed by its button. */
function Item({ title, subtitle, details, children }: ItemProps) {
  return (
    <>
      <p>
        <strong>{title}</strong> {subtitle}
        <br />
        <span class="note">{details}</span>
      </p>
      {children}
    </>
  )
}

function formatDate(seconds: number, { language }: Messages): string {
  const date = new Date(seconds * 1000)
  return date.toLocaleDateString(language, { dateStyle: 'long', timeZone: 'UTC' })
}
