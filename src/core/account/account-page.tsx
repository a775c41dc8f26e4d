import { nowInSeconds } from '../../foundation/values/clock.ts'
import { isolateTextDirection } from '../../foundation/values/isolate-text-direction.ts'
import type { AppContext } from '../http/app-env.ts'
import { csrfToken } from '../http/csrf.ts'
import { continueUrl, type Interaction, readInteraction } from '../interaction/interaction.ts'
import type { Messages } from '../messages/messages.ts'
import type { AccountSection } from '../pages/account-section.ts'
import { FormButton } from '../pages/form-button.tsx'
import {
  type DateFormat,
  dateFormat,
  formatChoice,
  formatDate,
  formatDateTime,
} from '../pages/format.ts'
import { Picture, type ShownUser } from '../pages/identity.tsx'
import { Details, Item, List, listEntry } from '../pages/list.tsx'
import { MethodMark } from '../pages/method-mark.tsx'
import { Notice, type NoticeProps } from '../pages/notice.tsx'
import type { MethodPart, PageLink } from '../pages/page-part.ts'
import { messagesFor, respondWithPage, toShownUser } from '../pages/page-response.tsx'
import { setPreference } from '../pages/preferences.ts'
import { signInFacts } from '../session/steps.ts'
import { accountKey } from '../users/account-reference.ts'
import type { LinkedAccount } from '../users/directory-rows.ts'
import { listAccounts } from '../users/linked-accounts.ts'
import type { MethodChange } from '../users/method-changes.ts'
import type { AuthoritativeSession, Session } from '../users/session.ts'
import { strongestAccounts } from '../users/sign-in-levels.ts'
import { confirmableFrom, mayConfirm, unconfirmedAccounts } from '../users/unconfirmed-accounts.ts'
import type { UserRecord } from '../users/user.ts'
import { callUserObject } from '../users/user-object.ts'
import { LINK_PATH } from './account-link.ts'
import { linkableMethods } from './add-method.tsx'
import { describeChange } from './change-notice.tsx'
import { CONFIRM_PATH } from './confirm.tsx'
import {
  accountTitle,
  type DescribedAccount,
  describeAccount,
  methodNames,
} from './describe-account.ts'
import { type DescribedConsent, describeConsents } from './describe-consents.ts'
import { otherWays } from './other-methods.ts'
import { describeSessions, SessionList, type SessionRange } from './sessions.tsx'

/** The account page of the user whose session has this key. */
export async function respondWithAccountPage(
  c: AppContext,
  session: AuthoritativeSession,
  sessionKey: string,
): Promise<Response> {
  const config = c.get('config')
  const { user, sid, method } = session
  const messages = await messagesFor(c)
  const page = { messages, userId: user.id }
  const signedIn = { user, sid, method, signIn: signInFacts(session) }
  const [accounts, overview, ofFeatures] = await Promise.all([
    listAccounts(c.env, user.id),
    callUserObject(c.env, user.id, (object) => object.readOverview(sessionKey)),
    Promise.all(config.features.map(({ accountPart }) => accountPart?.(c, signedIn, messages))),
  ])
  const shownUser = toShownUser(config, user)
  const parts = await methodParts(c, page)
  const unconfirmed = unconfirmedAccounts(config, accounts)
  const changes = overview.methodChanges.filter(
    ({ account }) => !unconfirmed.some((linked) => accountKey(linked) === account),
  )
  const interaction = await readInteraction(c, c.req.query('interaction') ?? '')
  // The sign-in does not know which providers can be used.
  if (interaction && changes.length + unconfirmed.length === 0) {
    return c.redirect(await continueUrl(c, interaction))
  }
  const sufficient = strongestAccounts(config, accounts).accounts
  const described = await Promise.all(
    accounts.map(async (linked) => ({
      ...(await describeAccount(config, messages, linked)),
      confirmation: unconfirmed.includes(linked)
        ? describeConfirmation(linked, session, methodNames(config, messages, sufficient))
        : undefined,
      withheldEmail: unconfirmed.includes(linked) && !user.email ? linked.verifiedEmail : undefined,
      ...describePart(parts, linked),
      mayRemove: otherWays(config, accounts, linked).length > 0,
    })),
  )
  const consents = await describeConsents(c, overview)
  const notice = await describeChange(c, messages, {
    session,
    accounts: described,
    consents,
    hasOtherSessions: overview.sessions.length > 1 || overview.hasOtherGrants,
  })
  const lastChange = overview.methodChanges.at(-1)
  if (lastChange) setPreference(c, 'changes-seen', String(lastChange.at))
  return respondWithPage(
    c,
    <AccountPage
      messages={messages}
      dates={dateFormat(c, messages)}
      user={shownUser}
      profile={[
        ...describeProfile(user, shownUser.name),
        ...ofFeatures.flatMap((part) => part?.details ?? []),
      ]}
      accounts={described}
      sessions={await describeSessions(c, overview, 0)}
      hasOtherGrants={overview.hasOtherGrants}
      consents={consents}
      mayLink={linkableMethods(config).length > 0}
      parts={parts.map(({ part }) => part)}
      links={ofFeatures.flatMap((part) => part?.link ?? [])}
      sections={ofFeatures.flatMap((part) => part?.section ?? [])}
      notice={notice}
      changes={changes.map((change) => ({
        title: accountTitle(config, messages, change),
        kind: change.kind,
        at: change.at,
      }))}
      continuation={
        await describeContinuation(
          c,
          messages,
          await readInteraction(c, c.get('accountVisit') ?? ''),
        )
      }
      csrfToken={await csrfToken(c)}
    />,
    {
      title: messages.t('account.title'),
      images: [shownUser.image, ...described.map(({ logo }) => logo)],
      isRepeatable: true,
      isWide: true,
    },
  )
}

interface LocalAccountPart {
  provider: string
  part: MethodPart
}

/** What local methods add to the page. */
async function methodParts(
  c: AppContext,
  page: { messages: Messages; userId: string },
): Promise<LocalAccountPart[]> {
  const parts = await Promise.all(
    c.get('config').localProviders.map(async ({ id, method }) => ({
      provider: id,
      part: await method.methodPart?.(c, page),
    })),
  )
  return parts.flatMap(({ provider, part }) => (part ? [{ provider, part }] : []))
}

/** What the method of an account says about it. */
function describePart(parts: readonly LocalAccountPart[], linked: LinkedAccount) {
  const part = parts.find(({ provider }) => provider === linked.provider)?.part
  const facts = part?.facts.get(linked.accountId)
  return { facts, edit: facts && part?.edit }
}

/** Whether the user can confirm an unconfirmed account after another sign-in here, or when. */
function describeConfirmation(linked: LinkedAccount, { sid }: Session, methods: readonly string[]) {
  return mayConfirm({ sid, authenticatedAt: nowInSeconds() }, linked)
    ? { isPossible: true as const }
    : { isPossible: false as const, from: confirmableFrom(linked), methods }
}

/**
 * The link that continues a sign-in for an app, or leads back to the app that the user came from.
 * The app may have changed its registration meanwhile.
 */
async function describeContinuation(
  c: AppContext,
  messages: Messages,
  visit: Interaction | undefined,
) {
  if (!visit) return undefined
  const client = c.get('returnClient')
  if (visit.request || visit.id === c.req.query('interaction')) {
    const label = client
      ? messages.t('signedIn.continueTo', { app: client.client_name })
      : messages.t('signedIn.continue')
    return { url: await continueUrl(c, visit), label, isPrimary: true }
  }
  if (!client?.origins.includes(new URL(visit.returnTo).origin)) return undefined
  const app = isolateTextDirection(client.client_name)
  return { url: visit.returnTo, label: messages.t('actions.goBackTo', { app }), isPrimary: false }
}

/**
 * What else is stored about the user. A username is written as on most services, so that it is
 * recognised as one.
 */
function describeProfile({ username, email, url }: UserRecord, name: string | undefined): string[] {
  return [username, email, url].flatMap((value) => {
    if (!value || value === name) return []
    return value === username && !value.includes('@') ? [`@${value}`] : [value]
  })
}

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
  consents: readonly DescribedConsent[]
  /** Whether the page that adds a way to sign in has anything to offer. */
  mayLink: boolean
  /** What local methods add. */
  parts?: readonly Pick<MethodPart, 'add' | 'note'>[]
  /** The pages of features that the user may open. */
  links?: readonly PageLink[]
  /** What features add. */
  sections?: readonly AccountSection[]
  /** What has just been changed, or can be changed now. */
  notice?: NoticeProps | undefined
  /** The latest changes to how the user signs in, which somebody else may have made. */
  changes?: readonly ShownChange[]
  /** Where the user continues who has just signed in for an app, or goes back to. */
  continuation?: { url: string; label: string; isPrimary: boolean } | undefined
  csrfToken: string
}

interface ShownChange extends Pick<MethodChange, 'kind' | 'at'> {
  title: string
}

interface ShownAccount extends DescribedAccount {
  /** What the local method of the account knows about it. */
  facts?: readonly string[] | undefined
  /** The page on which the account can be changed. */
  edit?: MethodPart['edit'] | undefined
  /** Whether the user could still sign in without it. */
  mayRemove: boolean
  /** Whether and how an unconfirmed account can be confirmed; undefined for other accounts. */
  confirmation?: { isPossible: true } | LaterConfirmation | undefined
  /** The address that apps get once the account is confirmed. */
  withheldEmail?: string | undefined
}

/** An account that can be confirmed only after a sign-in at this time or later. */
interface LaterConfirmation {
  isPossible: false
  from: number
  /** The ways to sign in that are sufficient. */
  methods: readonly string[]
}

/** A user's linked accounts, sessions and consents, each with a button that ends it. */
export function AccountPage(props: AccountPageProps) {
  const { messages, dates, user, profile, accounts, sessions, hasOtherGrants, consents } = props
  const {
    mayLink,
    parts = [],
    links = [],
    sections: added = [],
    notice,
    changes = [],
    continuation,
    csrfToken,
  } = props
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
        <div class="row actions">
          {links.map(({ path, label }) => (
            <SmallLink href={path} label={label} />
          ))}
          <FormButton action="/api/auth/signout" fields={{ csrfToken }} isSmall>
            {messages.t('signOut.confirm')}
          </FormButton>
        </div>
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
            {mayLink && <SmallLink href={LINK_PATH} label={messages.t('account.addMethod')} />}
            {additions.map(({ path, label }) => (
              <SmallLink href={path} label={label} />
            ))}
          </div>
        )}
        {parts.map(({ note }) => note && <p class="note">{note}</p>)}
      </section>

      {added.map((section) => (
        <AddedSection {...section} />
      ))}

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
              <SmallLink
                href={`/account/consents?${new URLSearchParams({ client_id: clientId })}`}
                label={messages.t('account.withdrawConsent')}
                about={isolateTextDirection(name)}
              />
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

/** A section of a feature. */
function AddedSection({ title, facts, warning, links }: AccountSection) {
  return (
    <section>
      <h2>{title}</h2>
      <Details emphasis={warning} of={facts} />
      <div class="row">
        {links.map(({ path, label }) => (
          <SmallLink href={path} label={label} />
        ))}
      </div>
    </section>
  )
}

interface AccountItemProps {
  messages: Messages
  dates: DateFormat
  account: ShownAccount
}

/** An unconfirmed way to sign in, with links to confirm and remove it. */
function UnconfirmedItem({ messages, dates, account }: AccountItemProps) {
  const { digest, provider, providerId, logo, linkedAt, confirmation, withheldEmail } = account
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
    ...(withheldEmail
      ? [messages.t('account.confirmation.email', { email: isolateTextDirection(withheldEmail) })]
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
          <SmallLink
            href={`${CONFIRM_PATH}?account=${digest}`}
            label={messages.t('account.confirmation.confirm')}
            about={shownLabel(account)}
          />
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
        <SmallLink
          href={`${edit.path}?account=${digest}`}
          label={edit.label}
          about={shownLabel(account)}
        />
      )}
      {mayRemove && <RemovalLink account={account} />}
    </Item>
  )
}

function RemovalLink({ account }: { account: ShownAccount }) {
  const { digest, removal } = account
  return (
    <SmallLink
      href={`/account/disconnect?account=${digest}`}
      label={removal.remove}
      about={shownLabel(account)}
    />
  )
}

function shownLabel({ label }: ShownAccount): string | undefined {
  return label && isolateTextDirection(label)
}

/** A link. `about` distinguishes it from others with the same text, for those who do not see it. */
function SmallLink({
  href,
  label,
  about,
}: {
  href: string
  label: string
  about?: string | undefined
}) {
  return (
    <a class="small quiet" href={href} aria-label={about && `${label} (${about})`}>
      {label}
    </a>
  )
}
