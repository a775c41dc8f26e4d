import { digest } from '../crypto/digest.ts'
import type { LinkedAccount } from './directory.ts'
import { accountKey } from './upstream-account.ts'

/** Identifies an account in addresses and forms without revealing the provider's id. */
export function accountDigest(account: LinkedAccount): Promise<string> {
  return digest(accountKey(account))
}

/** The account with this digest. */
export async function findByDigest(
  accounts: readonly LinkedAccount[],
  requestedDigest: string,
): Promise<LinkedAccount | undefined> {
  const digests = await Promise.all(accounts.map(accountDigest))
  return accounts[digests.indexOf(requestedDigest)]
}
