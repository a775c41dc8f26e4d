import type { AppContext } from '../config/app-env.ts'
import type { Config } from '../config/config.ts'
import { findPasskeyProvider } from '../config/local-providers.ts'
import { csrfToken } from '../http/csrf.ts'
import type { Messages } from '../messages/messages.ts'
import { messagesFor, respondWithPage } from '../pages/page-response.tsx'
import { clearPreference, readPreference } from '../pages/preferences.ts'
import { endSession } from '../session/current.ts'
import { requireStorage } from '../storage/unavailable-error.ts'
import { findByDigest } from '../users/account-reference.ts'
import { type LinkedAccount, listAccounts } from '../users/directory.ts'
import { PASSKEY_PROVIDER } from '../users/passkeys.ts'
import { describeAccount, methodName } from './describe-account.ts'
import { disconnectAccount } from './disconnect-account.ts'
import { DisconnectedPage, DisconnectPage } from './disconnect-page.tsx'
import { otherWays } from './linked-accounts.ts'
import { respondNotLinked } from './not-linked-response.tsx'

/** The page that asks for confirmation before the account with this digest is disconnected. */
export async function respondWithDisconnectPage(
  c: AppContext,
  userId: string,
  digest: string,
): Promise<Response> {
  const config = c.get('config')
  const messages = await messagesFor(c)
  const accounts = await requireStorage(async () => listAccounts(c.env, userId))
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

/** Disconnects the account with this digest, and confirms it to the user, whose sessions have ended. */
export async function respondToDisconnect(
  c: AppContext,
  userId: string,
  digest: string,
): Promise<Response> {
  const messages = await messagesFor(c)
  const config = c.get('config')
  const { removed, others = [] } = (await disconnectAccount(c, userId, digest)) ?? {}
  await endSession(c)
  // The next sign-in page must not recommend what was removed.
  if (removed?.provider === readPreference(c, 'provider')) clearPreference(c, 'provider')
  const account = removed && (await describeAccount(config, messages, removed))
  const part =
    removed?.provider === PASSKEY_PROVIDER
      ? await findPasskeyProvider(config)?.method.removedPart(c, { id: userId, isDeleted: false })
      : undefined
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
      script: part?.script,
    },
  )
}

function methodNames(
  config: Config,
  messages: Messages,
  accounts: readonly LinkedAccount[],
): string[] {
  return [...new Set(accounts.map(({ provider }) => methodName(config, messages, provider)))]
}
