import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { isolateTextDirection } from '../../foundation/values/isolate-text-direction.ts'
import { findLocalProvider } from '../config/local-providers.ts'
import { emitEvent } from '../http/after-response.ts'
import type { AppContext } from '../http/app-env.ts'
import { auditOrigin, auditUserEvent } from '../http/audit.ts'
import { csrfToken } from '../http/csrf.ts'
import { addToLog } from '../http/request-log.ts'
import type { Messages } from '../messages/messages.ts'
import { ACCOUNT_SIGN_IN_PATH } from '../pages/account-path.ts'
import { FormButton } from '../pages/form-button.tsx'
import { formatChoice, joinSentences } from '../pages/format.ts'
import { MethodMark } from '../pages/method-mark.tsx'
import { messagesFor, respondWithPage } from '../pages/page-response.tsx'
import { clearPreference, readPreference } from '../pages/preferences.ts'
import { endSession } from '../session/end-session.ts'
import { findByDigest, toEventAccount } from '../users/account-reference.ts'
import type { LinkedAccount } from '../users/directory-rows.ts'
import { listAccounts } from '../users/linked-accounts.ts'
import { removeAccount } from '../users/remove-user.ts'
import type { UserRecord } from '../users/user.ts'
import { callUserObject } from '../users/user-object.ts'
import { announceToUser } from './announce-change.ts'
import { type DescribedAccount, describeAccount, methodNames } from './describe-account.ts'
import { otherWays } from './other-methods.ts'

/** The page that asks for confirmation before the account with this digest is disconnected. */
export async function respondWithDisconnectPage(
  c: AppContext,
  userId: string,
  digest: string,
): Promise<Response> {
  const config = c.get('config')
  const messages = await messagesFor(c)
  const accounts = await listAccounts(c.env, userId)
  const linked = await findByDigest(accounts, digest)
  if (!linked) return respondNotLinked(c)
  // The account page says why it cannot be disconnected.
  const others = otherWays(config, accounts, linked)
  if (others.length === 0) return c.redirect('/account')
  const account = await describeAccount(config, messages, linked)
  return respondWithPage(
    c,
    <DisconnectPage
      messages={messages}
      account={account}
      methods={methodNames(config, messages, others)}
      csrfToken={await csrfToken(c)}
    />,
    {
      title: account.removal.title,
      images: [account.logo],
      isRepeatable: true,
    },
  )
}

/** The page for a link to an account that the user does not have, or no longer. */
export async function respondNotLinked(c: AppContext): Promise<Response> {
  addToLog(c, { code: 'not_found' })
  const messages = await messagesFor(c)
  const title = messages.t('account.removal.unknownTitle')
  return respondWithPage(c, <NotLinkedPage messages={messages} />, {
    title,
    status: 404,
    isRepeatable: true,
  })
}

/**
 * Disconnects the account with this digest, and confirms it to the user, whose sessions have ended.
 */
export async function respondToDisconnect(
  c: AppContext,
  user: UserRecord,
  digest: string,
): Promise<Response> {
  const messages = await messagesFor(c)
  const config = c.get('config')
  const { removed, others = [] } = (await disconnectAccount(c, user, digest)) ?? {}
  await endSession(c)
  // The next sign-in page must not recommend what was removed.
  if (removed?.provider === readPreference(c, 'provider')) clearPreference(c, 'provider')
  const account = removed && (await describeAccount(config, messages, removed))
  const local = findLocalProvider(config, removed?.provider)
  const part = await local?.method.removedPart?.(c, { id: user.id, isDeleted: false })
  return respondWithPage(
    c,
    <>
      <DisconnectedPage
        messages={messages}
        methods={removed && methodNames(config, messages, others)}
      />
      {part?.content}
    </>,
    {
      title: account?.removal.doneTitle ?? messages.t('signedOut.title'),
      outcome: 'done',
      script: part?.script,
    },
  )
}

/**
 * Disconnects the account with this digest. Someone else may have signed in with it, so every
 * session ends. Returns the account and those that remain, unless it was kept because it is the
 * last one, or had been disconnected before.
 */
async function disconnectAccount(
  c: AppContext,
  user: UserRecord,
  requestedDigest: string,
): Promise<{ removed: LinkedAccount; others: LinkedAccount[] } | undefined> {
  const userId = user.id
  const accounts = await listAccounts(c.env, userId)
  const linked = await findByDigest(accounts, requestedDigest)
  // The form may have been sent again because the object failed after the account was unlinked.
  if (!linked) {
    await callUserObject(c.env, userId, (object) => object.endEverything([]))
    return undefined
  }

  const others = otherWays(c.get('config'), accounts, linked)
  // The last account of another service is only disconnected, but a passkey that is removed is gone.
  // The page does not offer to remove the last one.
  const local = findLocalProvider(c.get('config'), linked.provider)
  if (others.length === 0 && local?.method.isCreatedByDevice) {
    throw new SignInError('request_invalid', { parameter: 'account' })
  }
  const isRemoved = await removeAccount(c.env, c.get('config'), {
    userId,
    account: linked,
    remaining: others,
    origin: auditOrigin(c, userId),
  })
  addToLog(c, { event: 'account_unlinked', userId, provider: linked.provider })
  if (!isRemoved) {
    const detail = 'last account disconnected'
    auditUserEvent(c, userId, { event: 'sessions_ended', provider: linked.provider, detail })
    return undefined
  }
  emitEvent(c, 'unlinkAccount', { user: { id: userId }, account: toEventAccount(linked) })
  await announceToUser(c, user, { ...linked, kind: 'removed' })
  return { removed: linked, others }
}

interface DisconnectPageProps {
  messages: Messages
  account: Omit<DescribedAccount, 'linkedAt'>
  /** The other ways to sign in. */
  methods: readonly string[]
  csrfToken: string
}

/** Asks for confirmation before an account is disconnected, which also ends every session. */
export function DisconnectPage({ messages, account, methods, csrfToken }: DisconnectPageProps) {
  const { digest, removal } = account
  return (
    <>
      <AccountRow account={account} />
      <ul>
        <li>{removal.effect}</li>
        <li>
          {messages.t('account.removal.sessions', { methods: formatChoice(methods, messages) })}
        </li>
      </ul>
      <FormButton
        action="/account/disconnect"
        fields={{ account: digest, csrfToken }}
        id="confirm-disconnect"
        isDanger
      >
        {removal.remove}
      </FormButton>
      <a href="/account">{messages.t('actions.goBack')}</a>
    </>
  )
}

/** The account that a page is about. */
export function AccountRow({ account }: Pick<DisconnectPageProps, 'account'>) {
  const { provider, providerId, logo, label } = account
  return (
    <p class="row">
      <MethodMark id={providerId} name={provider} logo={logo} />
      <strong class="grow">{isolateTextDirection(label ?? provider)}</strong>
    </p>
  )
}

interface DisconnectedPageProps {
  messages: Messages
  /** The ways to sign in that remain, if one was removed. */
  methods: readonly string[] | undefined
}

/** Says that every session has ended. Its title says what was disconnected. */
export function DisconnectedPage({ messages, methods }: DisconnectedPageProps) {
  const sentences = [
    messages.t('account.removal.signedOut'),
    ...(methods
      ? [messages.t('account.removal.signInAgain', { methods: formatChoice(methods, messages) })]
      : []),
  ]
  return (
    <>
      <p>{joinSentences(sentences, messages)}</p>
      <a class="primary" href={ACCOUNT_SIGN_IN_PATH}>
        {messages.t('actions.goToSignIn')}
      </a>
    </>
  )
}

/** For a link to an account that the user does not have, or no longer. Its title says so. */
export function NotLinkedPage({ messages }: { messages: Messages }) {
  return (
    <a class="primary" href="/account">
      {messages.t('actions.goToAccount')}
    </a>
  )
}
