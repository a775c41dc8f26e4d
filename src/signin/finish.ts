import { seconds } from '../clock.ts'
import type { Client } from '../config/clients.ts'
import { SignInError } from '../errors.ts'
import type { AppContext } from '../http/app-env.ts'
import { note } from '../http/request-log.ts'
import { returnQuery, safeReturnUrl } from '../http/return-url.ts'
import type { TokenSet } from '../providers/oauth-types.ts'
import { confirmFreshSession, openSession, readSession } from '../session/current.ts'
import { type Identified, identify } from '../upstream/exchange.ts'
import type { ResolvedProvider } from '../upstream/resolve.ts'
import {
  findByAccount,
  linkAccount,
  recordSignIn,
  type SignedInAccount,
} from '../users/directory.ts'
import { sealTokens } from '../users/platform-token.ts'
import { nameOfAccount, type Upstream } from '../users/session.ts'
import type { UserRecord } from '../users/user.ts'
import { askingClient } from './asking-client.ts'
import type { Attempt } from './attempt.ts'

/** Finishes an attempt that has come back: who is it, are they ours, a session. Says where they go on. */
export async function finishSignIn(
  c: AppContext,
  provider: ResolvedProvider,
  attempt: Attempt,
  callback: URLSearchParams,
): Promise<string> {
  const config = c.get('config')
  const returnTo = safeReturnUrl(config, attempt.returnTo)
  try {
    const identified = await identify(provider, attempt, callback)
    refuseTooLittle(identified, askingClient(config, returnTo))
    if (attempt.linkTo) {
      await linkTo(c, provider, identified, attempt.linkTo)
    } else {
      const user = await findOrRecord(c, provider, identified)
      await refuseSilentSwitch(c, attempt, user)
      await openSession(c, user, {
        ...attempt,
        upstream: await toUpstream(c, provider, identified),
        account: nameOfAccount({ provider: provider.id, accountId: identified.accountId }),
      })
    }
    return returnTo
  } catch (error) {
    const again = await returnQuery(config, returnTo)
    const wayOut = { provider: provider.id, returnTo, again }
    throw error instanceof SignInError ? error.withWayOut(wayOut) : error
  }
}

/** Our record of who came in. A platform that could not show the profile still vouches for whom we know. */
async function findOrRecord(
  c: AppContext,
  provider: ResolvedProvider,
  identified: Identified,
): Promise<UserRecord> {
  const account = toAccount(provider, identified)
  const user = await stored(
    account
      ? recordSignIn(c.env, account)
      : findByAccount(c.env, provider.id, identified.accountId),
  )
  if (!user) throw new SignInError('provider_unavailable')
  return user
}

/** Links what has just been proven to who has just been proven to be here. */
async function linkTo(
  c: AppContext,
  provider: ResolvedProvider,
  identified: Identified,
  userId: string,
): Promise<void> {
  const session = await confirmFreshSession(c)
  if (session.user.id !== userId) throw new SignInError('already_signed_in')
  const account = toAccount(provider, identified)
  if (!account) throw new SignInError('provider_unavailable')
  const isTheirs = await stored(linkAccount(c.env, userId, account))
  if (!isTheirs) throw new SignInError('account_taken')
  note(c, { event: 'account_linked', userId, provider: provider.id })
}

/** An app may need more than to know who it is; who refused that is told, and can try again. */
function refuseTooLittle({ tokens }: Identified, client: Client | undefined): void {
  const granted = scopesIn(tokens)
  const isEnough = client?.upstream_scope.every((one) => granted.includes(one)) ?? true
  if (!isEnough) throw new SignInError('scope_missing')
}

/** What the directory keeps of it. */
function toAccount(
  { id, clientId, allowDangerousEmailAccountLinking: linksByEmail }: ResolvedProvider,
  { tokens, user }: Identified,
): SignedInAccount | undefined {
  return user && { provider: id, clientId, linksByEmail, user, scope: tokens.scope }
}

/** What the person's object keeps of it; the provider's `account` callback says which tokens. */
async function toUpstream(
  c: AppContext,
  provider: ResolvedProvider,
  { accountId, tokens, user }: Identified,
): Promise<Upstream | undefined> {
  if (!user) return undefined
  const known = Object.entries(user.extras ?? {}).filter(([, value]) => value !== undefined)
  const kept = provider.account(tokens) ?? undefined
  return {
    provider: provider.id,
    accountId,
    scope: scopesIn(tokens),
    readAt: seconds(),
    extras: Object.fromEntries(known) as Upstream['extras'],
    sealedTokens: kept && (await sealTokens(c.get('config'), provider.id, accountId, kept)),
  }
}

/** Some platforms join them by commas. */
function scopesIn({ scope = '' }: TokenSet): string[] {
  return scope.split(/[\s,]+/).filter(Boolean)
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

/** The directory answers, or the person is told to try again. */
async function stored<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    throw new SignInError('unavailable', { cause, detail: { hint: String(cause) } })
  }
}
