import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import type { AppContext } from '../http/app-env.ts'
import { auditOrigin } from '../http/audit.ts'
import { readSessionCookie } from '../session/session-cookie.ts'
import { type AccountReference, accountKey } from '../users/account-reference.ts'
import { undoLink } from '../users/linked-accounts.ts'
import type { UserRecord } from '../users/user.ts'
import { callUserObject } from '../users/user-object.ts'
import { announceToUser } from './announce-change.ts'

interface AddedMethod {
  user: UserRecord
  account: AccountReference
  label: string | undefined
  /** Where the user continues who has to sign in again. */
  continueAt: string
}

/**
 * Keeps an account that the directory has just linked to the signed-in user, records it in the
 * user's object, and announces it. If the session has ended since it was checked, the account is
 * unlinked again: otherwise, whoever is signed out everywhere could still add a way to sign in. They
 * may have signed in with it already, so every session ends.
 */
export async function keepAddedMethod(
  c: AppContext,
  { user, account, label, continueAt }: AddedMethod,
): Promise<void> {
  const { sessionKey = '' } = (await readSessionCookie(c)) ?? {}
  const { provider, issuer, accountId } = account
  let isKept = false
  try {
    isKept = await callUserObject(c.env, user.id, (object) =>
      object.keepAddedMethod(sessionKey, { provider, account: accountKey(account), label }),
    )
  } finally {
    if (!isKept) {
      const origin = auditOrigin(c, user.id)
      const undoneAt = await undoLink(c.env, c.get('config'), { userId: user.id, account, origin })
      const reference = { provider, issuer, accountId }
      await callUserObject(c.env, user.id, (object) =>
        object.disconnect(reference, undoneAt, [reference]),
      )
    }
  }
  if (!isKept) throw new SignInError('sign_in_again', { continueAt })
  await announceToUser(c, user, { kind: 'added', provider, label })
}
