import type { AppContext } from '../http/app-env.ts'
import { csrfToken } from '../http/csrf.ts'
import { type Interaction, interactionClient, readInteraction } from '../interaction/interaction.ts'
import { nextUrl } from '../interaction/interaction-step.ts'
import { findReturnPage } from '../interaction/return-url.ts'
import type { Messages } from '../messages/messages.ts'
import { confirmedChange, repeatedChangeLabel } from '../pages/account-path.ts'
import { FormButton } from '../pages/form-button.tsx'
import type { NoticeProps } from '../pages/notice.tsx'
import type { AccountPart } from '../pages/page-part.ts'
import { messagesFor, respondWithPage, toShownUser } from '../pages/page-response.tsx'
import { clearPreference, readPreference, setPreference } from '../pages/preferences.ts'
import { findClient } from '../registrations/find-client.ts'
import { knownDevice } from '../session/device.ts'
import type { AuthoritativeSession } from '../session/read-session.ts'
import { isRecent } from '../session/recent-session.ts'
import { accountKey } from '../users/account-reference.ts'
import type { LinkedAccount } from '../users/directory-rows.ts'
import { listAccounts } from '../users/linked-accounts.ts'
import type { Session } from '../users/session.ts'
import { strongestAccounts } from '../users/sign-in-levels.ts'
import { confirmableFrom, mayConfirm, unconfirmedAccounts } from '../users/unconfirmed-accounts.ts'
import type { UserRecord } from '../users/user.ts'
import { callUserObject } from '../users/user-object.ts'
import { nowInSeconds } from '../values/clock.ts'
import { isolateTextDirection } from '../values/isolate-text-direction.ts'
import { AccountPage } from './account-page.tsx'
import { linkableMethods } from './add-method.tsx'
import { dateFormat } from './date-format.ts'
import {
  accountTitle,
  type DescribedAccount,
  describeAccount,
  methodName,
  methodNames,
} from './describe-account.ts'
import { describeConsents } from './describe-consents.ts'
import { otherWays } from './other-methods.ts'
import { describeSessions } from './sessions.tsx'

/** How long the page may say that the user has just been created. */
const NEW_USER = 600 // seconds

/** The account page of the user whose session has this secret. */
export async function respondWithAccountPage(
  c: AppContext,
  session: AuthoritativeSession,
  secretDigest: string,
): Promise<Response> {
  const config = c.get('config')
  const { user } = session
  const messages = await messagesFor(c)
  const [accounts, overview] = await Promise.all([
    listAccounts(c.env, user.id),
    callUserObject(c.env, user.id, (object) => object.readOverview(secretDigest)),
  ])
  const shownUser = toShownUser(config, user)
  const parts = await accountParts(c, { messages, userId: user.id })
  const unconfirmed = unconfirmedAccounts(config, accounts)
  const changes = overview.methodChanges.filter(
    ({ account }) => !unconfirmed.some((linked) => accountKey(linked) === account),
  )
  const interaction = await readInteraction(c, c.req.query('interaction') ?? '')
  // The sign-in does not know which providers can be used.
  if (interaction && changes.length + unconfirmed.length === 0) {
    return c.redirect(await nextUrl(c, interaction, user.id))
  }
  const sufficient = strongestAccounts(config, accounts).accounts
  const described = await Promise.all(
    accounts.map(async (linked) => ({
      ...(await describeAccount(config, messages, linked)),
      confirmation: unconfirmed.includes(linked)
        ? describeConfirmation(linked, session, methodNames(config, messages, sufficient))
        : undefined,
      ...describePart(parts, linked),
      mayRemove: otherWays(config, accounts, linked).length > 0,
    })),
  )
  const consents = await describeConsents(c, overview)
  const notice = await describeChange(c, messages, {
    session,
    accounts: described,
    consents,
  })
  const lastChange = overview.methodChanges.at(-1)
  if (lastChange) setPreference(c, 'changes-seen', String(lastChange.at))
  return respondWithPage(
    c,
    <AccountPage
      messages={messages}
      dates={dateFormat(c, messages)}
      user={shownUser}
      profile={describeProfile(user, shownUser.name)}
      accounts={described}
      sessions={await describeSessions(c, overview, 0)}
      hasOtherGrants={overview.hasOtherGrants}
      consents={consents}
      mayLink={linkableMethods(config).length > 0}
      parts={parts.map(({ part }) => part)}
      notice={notice}
      changes={changes.map((change) => ({
        title: accountTitle(config, messages, change),
        kind: change.kind,
        at: change.at,
      }))}
      continuation={
        interaction
          ? await describeContinuation(c, messages, { interaction, userId: user.id })
          : await describeReturn(c, messages)
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
  part: AccountPart
}

/** What local methods add to the page. */
async function accountParts(
  c: AppContext,
  page: { messages: Messages; userId: string },
): Promise<LocalAccountPart[]> {
  const parts = await Promise.all(
    c.get('config').localProviders.map(async ({ id, method }) => ({
      provider: id,
      part: await method.accountPart?.(c, page),
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

/** The link that continues a sign-in for an app. */
async function describeContinuation(
  c: AppContext,
  messages: Messages,
  { interaction, userId }: { interaction: Interaction; userId: string },
) {
  const client = await interactionClient(c, interaction)
  const label = client
    ? messages.t('signedIn.continueTo', { app: client.client_name })
    : messages.t('signedIn.continue')
  return { url: await nextUrl(c, interaction, userId), label, isPrimary: true }
}

/** The link back to the app that the user came from, if it is registered. */
async function describeReturn(c: AppContext, messages: Messages) {
  const { url, client } = await findReturnPage(c, c.req.query('callbackUrl'))
  if (!client) return undefined
  const app = isolateTextDirection(client.client_name)
  return { url, label: messages.t('actions.goBackTo', { app }), isPrimary: false }
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

interface ChangeContext {
  session: AuthoritativeSession
  accounts: readonly DescribedAccount[]
  consents: readonly { clientId: string }[]
}

/**
 * What the user has just done, unless the page shows something else: the URL may be opened again,
 * or forged.
 */
async function describeChange(
  c: AppContext,
  messages: Messages,
  { session, accounts, consents }: ChangeContext,
): Promise<NoticeProps | undefined> {
  const change = confirmedChange(c)
  const isNew = takeNewUserMark(c, accounts)
  switch (change) {
    case undefined:
      return isNew ? { text: messages.t('account.created') } : undefined
    case 'confirmed':
      // Not every sign-in is sufficient.
      return (await isRecent(c, session)) ? offerChange(c, messages) : undefined
    case 'passkeyAdded':
    case 'passkeyRenamed':
    case 'methodConfirmed':
    case 'otherSessionsEnded':
      return { text: messages.t(`account.done.${change}`) }
    case 'sessionEnded': {
      const device = knownDevice(c.req.query('device')) ?? messages.t('account.unknownBrowser')
      return {
        text: messages.t('account.done.sessionEnded', { device: isolateTextDirection(device) }),
      }
    }
    case 'consentWithdrawn': {
      const client = await findClient(c.env, c.get('config'), c.req.query('client'))
      const hasAccess = consents.some(({ clientId }) => clientId === client?.client_id)
      if (!client || hasAccess) return undefined
      const app = isolateTextDirection(client.client_name)
      return { text: messages.t('account.done.consentWithdrawn', { app }) }
    }
    case 'linked':
    case 'alreadyLinked': {
      const linked = accounts.find(({ providerId }) => providerId === c.req.query('provider'))
      if (!linked) return undefined
      const provider = methodName(c.get('config'), messages, linked.providerId)
      return { text: messages.t(`account.done.${change}`, { provider }) }
    }
  }
}

/** Offers the change for which the user has signed in again, as far as it is known. */
async function offerChange(c: AppContext, messages: Messages): Promise<NoticeProps> {
  const { searchParams } = new URL(c.req.url)
  const label = repeatedChangeLabel(messages, searchParams)
  if (label === undefined) return { text: messages.t('account.done.confirmed') }
  const isDownload = searchParams.get('change') === 'download'
  const form = (
    <FormButton
      action={isDownload ? '/account/export' : '/account/sessions'}
      fields={{ ...(!isDownload && { sid: 'others' }), csrfToken: await csrfToken(c) }}
      isPrimary
      isDownload={isDownload}
    >
      {label}
    </FormButton>
  )
  return { text: messages.t('account.confirmedFor', { change: label }), button: form }
}

/**
 * Whether this browser has created the user a few minutes ago. It forgets this, so that the page
 * says so once.
 */
function takeNewUserMark(c: AppContext, [oldest]: readonly DescribedAccount[]): boolean {
  const hasCreatedUser = readPreference(c, 'new-user') !== undefined
  clearPreference(c, 'new-user')
  return hasCreatedUser && oldest !== undefined && nowInSeconds() - oldest.linkedAt < NEW_USER
}
