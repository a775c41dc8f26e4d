import type { AppContext } from '../../core/http/app-env.ts'
import { auditUserEvent } from '../../core/http/audit.ts'
import { addToLog } from '../../core/http/request-log.ts'
import type { Attempt } from '../../core/signin/attempt.ts'
import type { IdentifiedUser } from '../../core/upstream/identify-user.ts'
import type { AccountReference } from '../../core/users/account-reference.ts'
import { readUserOfAccount } from '../../core/users/directory.ts'
import type { UserRecord } from '../../core/users/user.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import type { PasskeyEvent } from './audit-events.ts'
import type { AssertionResponse } from './credential-response.ts'
import { passkeyError } from './errors.ts'
import { PASSKEY_METHODS } from './methods.ts'
import { readPasskeyCopy } from './passkey-copies.ts'
import { callPasskeyObject } from './passkey-object.ts'
import { PASSKEY_PROVIDER, type Passkey, passkeyAccount } from './passkeys.ts'
import { userHandle } from './relying-party.ts'
import { rejected, verifyAssertion } from './verify-response.ts'

/**
 * Verifies an assertion, and returns the user whose passkey it is. The error `passkey_unknown`
 * makes browsers delete the passkey, so it is for one thing only: the directory has responded, and
 * no user, blocked or not, has this passkey.
 */
export async function identifyByPasskey(
  c: AppContext,
  attempt: Attempt,
  response: AssertionResponse,
): Promise<IdentifiedUser> {
  const { state, local } = attempt
  const account = passkeyAccount(response.id)
  const { user: owner } = (await readUserOfAccount(c.env, account)) ?? {}
  if (!owner) throw passkeyError('passkey_unknown')
  const confirmedUser = local?.['userId']
  if (confirmedUser !== undefined && confirmedUser !== owner.id) throw rejected()
  await requireUserHandle(owner, response, confirmedUser !== undefined)
  const passkey =
    (await callPasskeyObject(c.env, owner.id, (object) => object.findPasskey(response.id))) ??
    (await restorePasskey(c, owner.id, account))
  if (!passkey) throw rejected()
  const use = await verifyAssertion(c.get('config'), state, { response, passkey })
  const result = await callPasskeyObject(c.env, owner.id, (object) => object.usePasskey(use))
  if (result === 'cloned') {
    addToLog<PasskeyEvent>(c, { event: 'passkey_cloned', userId: owner.id })
    auditUserEvent<PasskeyEvent>(c, owner.id, {
      event: 'passkey_cloned',
      provider: PASSKEY_PROVIDER,
    })
  }
  if (result !== 'used') throw rejected()
  return {
    accountId: response.id,
    tokens: {},
    authenticatedAt: nowInSeconds(),
    amr: PASSKEY_METHODS,
    user: undefined,
    owner: { ...owner, emailVerified: owner.email !== undefined },
    profile: undefined,
    isConfirmation: confirmedUser !== undefined,
  }
}

/** After a restoration of the database, the user's object may lack a passkey. */
async function restorePasskey(
  c: AppContext,
  userId: string,
  account: AccountReference,
): Promise<Passkey | undefined> {
  const copy = await readPasskeyCopy(c.env, account)
  const isRestored =
    copy && (await callPasskeyObject(c.env, userId, (object) => object.restorePasskey(copy)))
  return isRestored ? copy.passkey : undefined
}

/**
 * {@link https://www.w3.org/TR/webauthn-3/#sctn-verifying-assertion}, step 6: only an authenticator
 * that was given a list of passkeys may leave out whose passkey it is.
 */
async function requireUserHandle(
  owner: UserRecord,
  { response }: AssertionResponse,
  isOptional: boolean,
): Promise<void> {
  if (!response.userHandle && isOptional) return
  if (response.userHandle !== (await userHandle(owner))) throw rejected()
}
