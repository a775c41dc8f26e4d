import type { AppContext } from '../config/app-env.ts'
import { SignInError } from '../errors/sign-in-error.ts'
import { auditOrigin } from '../http/audit.ts'
import { readSessionCookie } from '../session/current.ts'
import { requireStorage } from '../storage/unavailable-error.ts'
import type { AccountReference } from '../users/account-reference.ts'
import { undoLink } from '../users/directory.ts'
import { callUserObject } from '../users/user-object.ts'

/**
 * Keeps an account that the directory has just linked to the signed-in user, and records it in the
 * user's object. If the session has ended since it was checked, the account is unlinked again:
 * otherwise, whoever is signed out everywhere could still add a way to sign in. The user then signs
 * in again, and continues at this path.
 */
export async function keepAddedMethod(
  c: AppContext,
  account: AccountReference & { label: string | undefined },
  continueAt: string,
): Promise<void> {
  const { userId = '', secretDigest = '' } = (await readSessionCookie(c)) ?? {}
  const { provider, label } = account
  let isKept = false
  try {
    isKept = await callUserObject(c.env, userId, (object) =>
      object.keepAddedMethod(secretDigest, { provider, label }),
    )
  } finally {
    if (!isKept) {
      const origin = auditOrigin(c, userId)
      await requireStorage(async () =>
        undoLink(c.env, c.get('config'), { userId, account, origin }),
      )
    }
  }
  if (!isKept) throw new SignInError('sign_in_again', { continueAt })
}
