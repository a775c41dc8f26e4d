import { digest } from '../../foundation/crypto/digest.ts'
import type { EventAccount } from '../config/events.ts'

/** Identifies an account. The same id at another issuer is another account. */
export interface AccountReference {
  provider: string
  /** Without a trailing slash; empty if the provider has none. */
  issuer: string
  accountId: string
}

/** One string that identifies an account. */
export function accountKey({ provider, issuer, accountId }: AccountReference): string {
  return `${provider} ${issuer} ${accountId}`
}

/** The name of an account in commands and settings. */
export function accountName({
  provider,
  accountId,
}: Pick<AccountReference, 'provider' | 'accountId'>): string {
  return `${provider}:${accountId}`
}

/** The provider of the account with this key. */
export function providerOfKey(key: string | undefined): string | undefined {
  return key?.split(' ', 1)[0]
}

/** Identifies an account in URLs and forms without revealing the provider's id. */
export function accountDigest(account: AccountReference): Promise<string> {
  return digest(accountKey(account))
}

/** The account with this digest. */
export async function findByDigest<Account extends AccountReference>(
  accounts: readonly Account[],
  requestedDigest: string,
): Promise<Account | undefined> {
  const digests = await Promise.all(accounts.map(accountDigest))
  return accounts[digests.indexOf(requestedDigest)]
}

/** Identifies an account in the deployment's events. */
export function toEventAccount({ provider, issuer, accountId }: AccountReference): EventAccount {
  return { provider, issuer, id: accountId }
}
