import type { Child, PropsWithChildren } from 'hono/jsx'
import { FormButton } from './form-button.tsx'
import { type ShownUser, SignedInAs } from './identity.tsx'
import { isolateTextDirection } from './isolate-text-direction.ts'
import type { Messages } from './messages/en.ts'

interface AccountPageProps {
  messages: Messages
  user: ShownUser
  accounts: readonly LinkedAccount[]
  sessions: readonly ActiveSession[]
  /** Whether apps have access through other sessions, which may have expired. */
  hasOtherGrants: boolean
  consents: readonly GrantedConsent[]
  /** The providers that can be linked. */
  choices: readonly LinkableProvider[]
  /** What providers of this service show to add a way to sign in. */
  parts?: readonly Child[]
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
  logo: string | undefined
  href: string
}

/** A user's linked accounts, sessions and consents, each with a button that ends it. */
export function AccountPage(props: AccountPageProps) {
  const { messages, user, accounts, sessions, hasOtherGrants, consents } = props
  const { choices, parts, csrfToken } = props
  const texts = messages.account
  return (
    <>
      <div class="row">
        <div class="grow">
          <SignedInAs messages={messages} user={user} />
        </div>
        <FormButton action="/api/auth/signout" fields={{ csrfToken }} isSmall>
          {messages.signOut.confirm}
        </FormButton>
      </div>

      <section>
        <h2>{texts.accountsHeading}</h2>
        <ul class="list">
          {accounts.map(({ digest, provider, label, linkedAt }) => (
            <Item
              title={provider}
              subtitle={label && isolateTextDirection(label)}
              details={texts.linkedOn(formatDate(linkedAt, messages))}
            >
              <FormButton
                action="/account/disconnect"
                fields={{ account: digest, csrfToken }}
                isSmall
              >
                {texts.disconnect(provider)}
              </FormButton>
            </Item>
          ))}
        </ul>
        <div class="row">
          {choices.map(({ id, name, logo, href }) => (
            <a class={`small brand-${id}`} href={href} rel="nofollow">
              {logo && <img src={logo} alt="" />}
              {texts.link(name)}
            </a>
          ))}
        </div>
        {parts}
      </section>

      <section>
        <h2>{texts.sessionsHeading}</h2>
        <ul class="list">
          {currentFirst(sessions).map(({ sid, isCurrent, device, place, lastUsedAt, apps }) => (
            <Item
              title={device ?? texts.unknownBrowser}
              subtitle={place && isolateTextDirection(place)}
              details={[
                isCurrent ? texts.thisBrowser : texts.lastSeenOn(formatDate(lastUsedAt, messages)),
                ...apps.map(isolateTextDirection),
              ].join(' · ')}
            >
              {!isCurrent && (
                <FormButton action="/account/sessions" fields={{ sid, csrfToken }} isSmall>
                  {texts.endSession}
                </FormButton>
              )}
            </Item>
          ))}
        </ul>
        {(sessions.length > 1 || hasOtherGrants) && (
          <FormButton action="/account/sessions" fields={{ sid: 'others', csrfToken }}>
            {texts.endOtherSessions}
          </FormButton>
        )}
      </section>

      {consents.length > 0 && (
        <section>
          <h2>{texts.consentsHeading}</h2>
          <ul class="list">
            {consents.map(({ clientId, name, scope, resources }) => (
              <Item
                title={name}
                details={formatList(
                  [...scope, ...resources].map((value) => messages.consent.scopes[value] ?? value),
                  messages,
                )}
              >
                <FormButton
                  action="/account/consents"
                  fields={{ client_id: clientId, csrfToken }}
                  isSmall
                >
                  {texts.withdrawConsent}
                </FormButton>
              </Item>
            ))}
          </ul>
        </section>
      )}

      <section>
        <FormButton action="/account/export" fields={{ csrfToken }}>
          {texts.downloadData}
        </FormButton>
        <a class="danger" href="/account/delete">
          {texts.deleteAccount}
        </a>
      </section>
    </>
  )
}

function currentFirst(sessions: readonly ActiveSession[]): ActiveSession[] {
  return sessions.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
}

type ItemProps = PropsWithChildren<{
  title: string
  subtitle?: string | undefined
  details: string
}>

/** One entry of a list, with its button. */
function Item({ title, subtitle, details, children }: ItemProps) {
  return (
    <li class="row">
      <p class="grow">
        <strong>{title}</strong> {subtitle}
        <br />
        <span class="note">{details}</span>
      </p>
      {children}
    </li>
  )
}

function formatDate(seconds: number, { language }: Messages): string {
  const date = new Date(seconds * 1000)
  return date.toLocaleDateString(language, { dateStyle: 'long', timeZone: 'UTC' })
}

function formatList(texts: readonly string[], { language }: Messages): string {
  return new Intl.ListFormat(language, { style: 'narrow' }).format(texts)
}
