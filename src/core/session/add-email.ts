import type { AppContext } from '../http/app-env.ts'
import { addToLog } from '../http/request-log.ts'
import { readConfirmedEmail } from '../users/linked-accounts.ts'
import type { Session } from '../users/session.ts'
import { callUserObject } from '../users/user-object.ts'
import { readSessionCookie } from './session-cookie.ts'
import { deleteCopy } from './session-copy.ts'

/**
 * Adds the email address that an account, which was just linked or confirmed, has given to a user
 * who had none. The directory has it already, so a failure only means that apps and pages get it
 * after the next sign-in.
 */
export async function addEmail(c: AppContext, { user }: Session): Promise<void> {
  if (user.email) return
  try {
    const email = await readConfirmedEmail(c.env, c.get('config'), user.id)
    if (!email) return
    await callUserObject(c.env, user.id, (object) => object.addEmail(email))
  } catch (error) {
    addToLog(c, { cause: String(error) })
  }
  const cookie = await readSessionCookie(c)
  if (cookie) await deleteCopy(c, cookie.sessionKey)
}
