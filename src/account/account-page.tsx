import type { Messages } from '../messages/messages.ts'
import { FormButton } from '../pages/form-button.tsx'
import { type DateFormat, formatChoice, formatDate, formatDateTime } from '../pages/format.ts'
import { Picture, type ShownUser } from '../pages/identity.tsx'
import { Details, Item, List, listEntry } from '../pages/list.tsx'
import { MethodMark } from '../pages/method-mark.tsx'
import { Notice, type NoticeProps } from '../pages/notice.tsx'
import type { AccountPart } from '../pages/page-part.ts'
import { isolateTextDirection } from '../values/isolate-text-direction.ts'
import { CONFIRM_PATH } from './confirm.tsx'
import type { DescribedAccount } from './describe-account.ts'
import { SessionList, type SessionRange } from './sessions.tsx'

interface AccountPageProps {
  messages: Messages
  dates: DateFormat
  user: ShownUser
  /** What is stored about the user besides the name and the picture. */
  profile: readonly string[]
  accounts: readonly ShownAccount[]
  sessions: SessionRange
  /** Whether apps have access through other sessions, which may have expired. */
  hasOtherGrants: boolean
  consents: readonly GrantedConsent[]
  /** Whether the page that adds a way to sign in has anything to offer. */
  mayLink: boolean
  /** What local methods add. */
  parts?: readonly Pick<AccountPart, 'add' | 'note'>[]
  /** What has just been changed, or can be changed now. */
  notice?: NoticeProps | undefined
  /** The latest changes to how the user signs in, which somebody else may have made. */
  changes?: readonly ShownChange[]
  /** Where the user continues who has just signed in for an app, or goes back to. */
  continuation?: { url: string; label: string; isPrimary: boolean } | undefined
  csrfToken: string
}

interface ShownChange {
  title: string
  kind: 'added' | 'removed'
  at: number
}

interface ShownAccount extends DescribedAccount {
  /** What the local method of the account knows about it. */
  facts?: readonly string[] | undefined
  /** The page on which the account can be changed. */
  edit?: AccountPart['edit'] | undefined
  /** Whether the user could still sign in without it. */
  mayRemove: boolean
  /** Whether and how an unconfirmed account can be confirmed; undefined for other accounts. */
  confirmation?: { isPossible: true } | LaterConfirmation | undefined
}

/** An account that can be confirmed only after a sign-in at this time or later. */
interface LaterConfirmation {
  isPossible: false
  from: number
  /** The ways to sign in that are sufficient. */
  methods: readonly string[]
}

interface GrantedConsent {
  clientId: string
  /** The app's display name. */
  name: string
  scope: readonly string[]
  resources: readonly string[]
}

/** A user's linked accounts, sessions and consents, each with a button that ends it. */
export function AccountPage(props: AccountPageProps) {
  const { messages, dates, user, profile, accounts, sessions, hasOtherGrants, consents } = props
  const { mayLink, parts = [], notice, changes = [], continuation, csrfToken } = props
  const additions = parts.flatMap(({ add }) => add ?? [])
  const unconfirmed = accounts.filter(({ confirmation }) => confirmation !== undefined)
  return (
    <>
      {notice && <Notice {...notice} />}
      {unconfirmed.map((account) => (
        <Notice
          text={messages.t('account.unconfirmed')}
          button={<UnconfirmedItem {...{ messages, dates, account }} />}
        />
      ))}
      {changes.length > 0 && (
        <Notice
          text={messages.t('account.changes')}
          button={
            <ul>
              {changes.map(({ title, kind, at }) => (
                <li>
                  {title}
                  <br />
                  {messages.t(kind === 'added' ? 'account.addedOn' : 'account.removedOn', {
                    date: formatDateTime(at, dates),
                  })}
                </li>
              ))}
            </ul>
          }
        />
      )}
      {continuation?.isPrimary && (
        <a class="primary" href={continuation.url}>
          {continuation.label}
        </a>
      )}
      {continuation && !continuation.isPrimary && (
        <p>
          <a href={continuation.url}>{continuation.label}</a>
        </p>
      )}
      <div class="row profile">
        <Picture {...user} />
        <div class="grow">
          <strong>{isolateTextDirection(user.name ?? messages.t('signedIn.unnamedUser'))}</strong>
          <Details of={profile.map(isolateTextDirection)} />
        </div>
        <FormButton action="/api/auth/signout" fields={{ csrfToken }} isSmall>
          {messages.t('signOut.confirm')}
        </FormButton>
      </div>

      <section>
        <h2>{messages.t('account.accountsHeading')}</h2>
        <List whenEmpty={messages.t('account.noAccounts')}>
          {accounts.map((account) => (
            <AccountItem
              {...{ messages, dates, account }}
              whyKept={messages.t(
                unconfirmed.length > 0 ? 'account.onlyConfirmed' : 'account.onlyMethod',
              )}
            />
          ))}
        </List>
        {(mayLink || additions.length > 0) && (
          <div class="row">
            {mayLink && (
              <a class="small quiet" href="/account/link">
                {messages.t('account.addMethod')}
              </a>
            )}
            {additions.map(({ path, label }) => (
              <a class="small quiet" href={path}>
                {label}
              </a>
            ))}
          </div>
        )}
        {parts.map(({ note }) => note && <p class="note">{note}</p>)}
      </section>

      <section>
        <h2>{messages.t('account.sessionsHeading')}</h2>
        <SessionList
          {...{ messages, dates, sessions, csrfToken }}
          mayEndOthers={sessions.total > 1 || hasOtherGrants}
        />
      </section>

      <section>
        <h2>{messages.t('account.consentsHeading')}</h2>
        <List whenEmpty={messages.t('account.noConsents')}>
          {consents.map(({ clientId, name, scope, resources }) => (
            <Item
              title={name}
              details={
                <ul class="note">
                  {scope.map((value) => (
                    <li>{listEntry(messages.scope(value) ?? value, messages.language)}</li>
                  ))}
                  {resources.map((value) => (
                    <li>{value}</li>
                  ))}
                </ul>
              }
            >
              <a
                class="small quiet"
                href={`/account/consents?${new URLSearchParams({ client_id: clientId })}`}
                aria-label={`${messages.t('account.withdrawConsent')} (${isolateTextDirection(name)})`}
              >
                {messages.t('account.withdrawConsent')}
              </a>
            </Item>
          ))}
        </List>
      </section>

      <section>
        <h2>{messages.t('account.dataHeading')}</h2>
        <p class="note">{messages.t('account.dataNote')}</p>
        <FormButton action="/account/export" fields={{ csrfToken }} isDownload>
          {messages.t('account.downloadData')}
        </FormButton>
        <details class="note">
          <summary>{messages.t('account.deleteAccount')}</summary>
          <a class="danger" href="/account/delete">
            {messages.t('account.deleteAccount')}
          </a>
        </details>
      </section>
    </>
  )
}

interface AccountItemProps {
  messages: Messages
  dates: DateFormat
  account: ShownAccount
}

/** An unconfirmed way to sign in, with links to confirm and remove it. */
function UnconfirmedItem({ messages, dates, account }: AccountItemProps) {
  const { digest, provider, providerId, logo, linkedAt, confirmation } = account
  const facts = [
    messages.t('account.addedOn', { date: formatDateTime(linkedAt, dates) }),
    ...(confirmation?.isPossible === false
      ? [
          messages.t('account.confirmation.later', {
            methods: formatChoice(confirmation.methods, messages),
            date: formatDateTime(confirmation.from, dates),
          }),
        ]
      : []),
  ]
  return (
    <ul class="list">
      <Item
        mark={<MethodMark id={providerId} name={provider} logo={logo} />}
        title={provider}
        subtitle={shownLabel(account)}
        details={<Details of={facts} />}
      >
        {confirmation?.isPossible && (
          <a
            class="small quiet"
            href={`${CONFIRM_PATH}?account=${digest}`}
            aria-label={nameAction(messages.t('account.confirmation.confirm'), account)}
          >
            {messages.t('account.confirmation.confirm')}
          </a>
        )}
        <RemovalLink account={account} />
      </Item>
    </ul>
  )
}

/** A way to sign in, with links to rename and remove it. */
function AccountItem(props: AccountItemProps & { whyKept: string }) {
  const { messages, dates, account, whyKept } = props
  const { digest, provider, providerId, logo, linkedAt, facts = [], edit, mayRemove } = account
  const details = [
    messages.t('account.addedOn', { date: formatDate(linkedAt, dates) }),
    ...facts,
    ...(mayRemove ? [] : [whyKept]),
  ]
  return (
    <Item
      mark={<MethodMark id={providerId} name={provider} logo={logo} />}
      title={provider}
      subtitle={shownLabel(account)}
      details={
        <Details
          emphasis={account.confirmation && messages.t('account.notConfirmed')}
          of={details}
        />
      }
    >
      {edit && (
        <a
          class="small quiet"
          href={`${edit.path}?account=${digest}`}
          aria-label={nameAction(edit.label, account)}
        >
          {edit.label}
        </a>
      )}
      {mayRemove && <RemovalLink account={account} />}
    </Item>
  )
}

function RemovalLink({ account }: { account: ShownAccount }) {
  const { digest, removal } = account
  return (
    <a
      class="small quiet"
      href={`/account/disconnect?account=${digest}`}
      aria-label={nameAction(removal.remove, account)}
    >
      {removal.remove}
    </a>
  )
}

function shownLabel({ label }: ShownAccount): string | undefined {
  return label && isolateTextDirection(label)
}

/** The accessible name of a link, because several entries of the list have the same text. */
function nameAction(action: string, account: ShownAccount): string | undefined {
  const label = shownLabel(account)
  return label ? `${action} (${label})` : undefined
}
