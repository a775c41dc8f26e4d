import { env } from 'cloudflare:workers'
import { accountDigest } from '../src/core/users/account-reference.ts'
import { listAccounts } from '../src/core/users/linked-accounts.ts'
import type { Browser } from './browser.ts'

/**
 * What identifies the accounts of the signed-in user in a request to disconnect one, the oldest
 * first.
 */
export async function accountDigests(browser: Browser): Promise<string[]> {
  const { user } = (await browser.session()) ?? {}
  const accounts = user ? await listAccounts(env, user.id) : []
  return Promise.all(accounts.map(accountDigest))
}
