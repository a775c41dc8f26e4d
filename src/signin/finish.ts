import { SignInError } from '../errors.ts'
import type { AppContext } from '../http/app-env.ts'
import { safeReturnUrl } from '../http/return-url.ts'
import type { ResolvedProvider } from '../providers/resolve.ts'
import { openSession, readSession } from '../session/current.ts'
import { findByAccount, recordSignIn } from '../users/directory.ts'
import type { UserRecord } from '../users/user.ts'
import type { Attempt } from './attempt.ts'
import { type Identified, identify } from './exchange.ts'

/** Finishes an attempt that has come back: who is it, are they ours, a session. Says where they go on. */
export async function finishSignIn(
  c: AppContext,
  provider: ResolvedProvider,
  attempt: Attempt,
): Promise<string> {
  const returnTo = safeReturnUrl(c.get('config'), attempt.returnTo)
  try {
    const identified = await identify(provider, attempt, new URL(c.req.url).searchParams)
    const user = await findOrRecord(c.env, provider, identified)
    await refuseSilentSwitch(c, attempt, user)
    await openSession(c, user, attempt.state)
    return returnTo
  } catch (error) {
    const wayOut = { provider: provider.id, returnTo }
    throw error instanceof SignInError ? error.withWayOut(wayOut) : error
  }
}

/** Our record of who came in. A platform that could not show the profile still vouches for whom we know. */
async function findOrRecord(
  env: Env,
  provider: ResolvedProvider,
  identified: Identified,
): Promise<UserRecord> {
  const { accountId, scope, user } = identified
  try {
    if (user)
      return await recordSignIn(env, {
        provider: provider.id,
        clientId: provider.clientId,
        scope,
        user,
      })
    const known = await findByAccount(env, provider.id, accountId)
    if (known) return known
  } catch (cause) {
    throw new SignInError('unavailable', { cause, detail: { hint: String(cause) } })
  }
  throw new SignInError('provider_unavailable')
}

/** Somebody else's session is not replaced behind their back: they are asked. */
async function refuseSilentSwitch(
  c: AppContext,
  { mayReplace }: Attempt,
  user: UserRecord,
): Promise<void> {
  if (mayReplace) return
  const session = await readSession(c)
  if (session && session.user.id !== user.id) throw new SignInError('already_signed_in')
}
