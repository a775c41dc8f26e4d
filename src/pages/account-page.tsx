import type { Child, PropsWithChildren } from 'hono/jsx'
import { Confirmation } from './confirmation.tsx'
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
  /** What has just been changed. */
  confirmation?: string | undefined
  csrfToken: string
}

interface LinkedAccount {
  /** Identifies the account in forms. */
  digest: string
  /** The provider's display name. */
  provider: string
  providerId: string
  /** The provider's logo. */
  logo: string | undefined
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
  authenticatedAt: number
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

/** More are shown when the user asks for all of them. */
const SHOWN_SESSIONS = 5

/** A user's linked accounts, sessions and consents, each with a button that ends it. */
export function AccountPage(props: AccountPageProps) {
  const { messages, user, accounts, sessions, hasOtherGrants, consents } = props
  const { choices, parts, confirmation, csrfToken } = props
  const texts = messages.account
  const sorted = currentAndNewestFirst(sessions)
  // A list that ends with a link to one more entry would be silly.
  const shown = sorted.length > SHOWN_SESSIONS + 1 ? sorted.slice(0, SHOWN_SESSIONS) : sorted
  const hidden = sorted.slice(shown.length)
  return (
    <>
      <Confirmation text={confirmation} />
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
          {accounts.map(({ digest, provider, providerId, logo, label, linkedAt }) => (
            <Item
              mark={logo && <ProviderMark id={providerId} logo={logo} />}
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
              {accounts.some(({ providerId }) => providerId === id)
                ? texts.linkAnother(name)
                : texts.link(name)}
            </a>
          ))}
        </div>
        {parts}
      </section>

      <section>
        <h2>{texts.sessionsHeading}</h2>
        <SessionList messages={messages} sessions={shown} csrfToken={csrfToken} />
        {hidden.length > 0 && (
          <details>
            <summary>{texts.showAll(formatNumber(sessions.length, messages))}</summary>
            <SessionList messages={messages} sessions={hidden} csrfToken={csrfToken} />
          </details>
        )}
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

interface SessionListProps {
  messages: Messages
  sessions: readonly ActiveSession[]
  csrfToken: string
}

function SessionList({ messages, sessions, csrfToken }: SessionListProps) {
  const texts = messages.account
  return (
    <ul class="list">
      {sessions.map((session) => (
        <Item
          title={session.device ?? texts.unknownBrowser}
          subtitle={session.place && isolateTextDirection(session.place)}
          details={describeSession(session, messages)}
        >
          {session.isCurrent ? (
            <FormButton action="/api/auth/signout" fields={{ csrfToken }} isSmall>
              {messages.signOut.confirm}
            </FormButton>
          ) : (
            <FormButton action="/account/sessions" fields={{ sid: session.sid, csrfToken }} isSmall>
              {texts.endSession}
            </FormButton>
          )}
        </Item>
      ))}
    </ul>
  )
}

function describeSession(session: ActiveSession, messages: Messages): string {
  const { isCurrent, authenticatedAt, lastUsedAt, apps } = session
  const { thisBrowser, signedInOn, lastUsedOn } = messages.account
  return [
    ...(isCurrent ? [thisBrowser] : []),
    signedInOn(formatDate(authenticatedAt, messages)),
    ...(isCurrent ? [] : [lastUsedOn(formatDate(lastUsedAt, messages))]),
    ...apps.map(isolateTextDirection),
  ].join(' · ')
}

function currentAndNewestFirst(sessions: readonly ActiveSession[]): ActiveSession[] {
  return sessions.toSorted(
    (a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.lastUsedAt - a.lastUsedAt,
  )
}

type ItemProps = PropsWithChildren<{
  mark?: Child
  title: string
  subtitle?: string | undefined
  details: string
}>

/** One entry of a list, with its button. */
function Item({ mark, title, subtitle, details, children }: ItemProps) {
  return (
    <li class="row">
      {mark}
      <p class="grow">
        <strong>{title}</strong> {subtitle}
        <br />
        <span class="note">{details}</span>
      </p>
      {children}
    </li>
  )
}

/** Logos are drawn for the provider's own colour. The name is next to it. */
function ProviderMark({ id, logo }: { id: string; logo: string }) {
  return (
    <span class={`mark brand-${id}`}>
      <img src={logo} alt="" />
    </span>
  )
}

function formatNumber(value: number, { language }: Messages): string {
  return value.toLocaleString(language)
}

function formatDate(seconds: number, { language }: Messages): string {
  const date = new Date(seconds * 1000)
  return date.toLocaleDateString(language, { dateStyle: 'long', timeZone: 'UTC' })
}

function formatList(texts: readonly string[], { language }: Messages): string {
  return new Intl.ListFormat(language, { style: 'narrow' }).format(texts)
}
