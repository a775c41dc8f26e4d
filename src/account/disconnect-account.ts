import type { AppContext } from '../config/app-env.ts'
import type { Config } from '../config/config.ts'
import { SignInError } from '../errors/sign-in-error.ts'
import { emitEvent } from '../http/after-response.ts'
import { auditOrigin, auditUserEvent } from '../http/audit.ts'
import { addToLog } from '../http/request-log.ts'
import { requireStorage } from '../storage/unavailable-error.ts'
import { findByDigest, toEventAccount } from '../users/account-reference.ts'
import { type LinkedAccount, listAccounts, unlinkAccount } from '../users/directory.ts'
import { PASSKEY_PROVIDER } from '../users/passkeys.ts'
import { callUserObject } from '../users/user-object.ts'
import { otherWays } from './linked-accounts.ts'

/**
 * Disconnects the account with this digest. Someone else may have signed in with it, so every session ends. Returns
 * the account and those that remain, unless it was kept because it is the last one, or had been disconnected before.
 */
export async function disconnectAccount(
  c: AppContext,
  userId: string,
  requestedDigest: string,
): Promise<{ removed: LinkedAccount; others: LinkedAccount[] } | undefined> {
  const accounts = await requireStorage(async () => listAccounts(c.env, userId))
  const linked = await findByDigest(accounts, requestedDigest)
  // The form may have been sent again because the object failed after the account was unlinked.
  if (!linked) {
    await callUserObject(c.env, userId, (object) => object.endEverything([]))
    return undefined
  }

  requireOtherMethod(c.get('config'), accounts, linked)
  const unlinked = await requireStorage(async () =>
    unlinkAccount(c.env, c.get('config'), {
      userId,
      account: linked,
      origin: auditOrigin(c, userId),
    }),
  )
  if (linked.provider === PASSKEY_PROVIDER && !unlinked.isKept) {
    await callUserObject(c.env, userId, (object) => object.removePasskey(linked.accountId))
  }
  await callUserObject(c.env, userId, (object) =>
    object.disconnect(linked, unlinked.unlinkedAt, unlinked.accounts),
  )
  if (unlinked.isKept) {
    const detail = 'last account disconnected'
    auditUserEvent(c, userId, { event: 'sessions_ended', provider: linked.provider, detail })
  } else {
    emitEvent(c, 'unlinkAccount', { user: { id: userId }, account: toEventAccount(linked) })
  }
  addToLog(c, { event: 'account_unlinked', userId, provider: linked.provider })
  if (unlinked.isKept) return undefined
  return { removed: linked, others: otherWays(c.get('config'), accounts, linked) }
}

/**
 * The last account of another service is only disconnected, but a passkey that is removed is gone. The page does
 * not offer to remove the last one.
 */
function requireOtherMethod(
  config: Config,
  accounts: readonly LinkedAccount[],
  linked: LinkedAccount,
): void {
  if (linked.provider !== PASSKEY_PROVIDER) return
  if (otherWays(config, accounts, linked).length > 0) return
  throw new SignInError('request_invalid', { parameter: 'account' })
}
