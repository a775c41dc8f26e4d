import { digest } from '../../foundation/crypto/digest.ts'
import { randomSecret } from '../../foundation/crypto/random.ts'
import type { AppContext } from '../http/app-env.ts'
import { readSealedCookie, setSealedCookie } from '../http/cookies.ts'

/** Users who do not sign in for longer have the limits of everyone else. */
const LIFETIME = 180 * 24 * 3600 // seconds

/** The number of accounts and users that a browser remembers. Beyond it the oldest is dropped. */
const MAX_ACCOUNTS = 10

/** What the cookie contains. */
interface KnownBrowser {
  id: string
  /** The digests of accounts that have signed in here, the oldest first. */
  accounts: readonly string[]
}

/**
 * The id of this browser, if this account has signed in here before. Such browsers have limits of
 * their own, so that nobody can use up those of the account, or of a shared IP address, to keep the
 * owner out. Only someone who has proved to own the account gets the cookie. The known browsers of
 * an account also share a limit, so that a former owner gets no further guesses with each of them.
 */
export async function knownBrowserId(
  c: AppContext,
  provider: string,
  account: string,
): Promise<string | undefined> {
  const known = await readKnownBrowser(c)
  return known?.accounts.includes(await accountDigest(provider, account)) ? known.id : undefined
}

/** Remembers that the owner of this account uses this browser. */
export async function rememberAccount(
  c: AppContext,
  provider: string,
  account: string,
): Promise<void> {
  const { id, accounts } = (await readKnownBrowser(c)) ?? { id: randomSecret(), accounts: [] }
  const added = await accountDigest(provider, account)
  const others = accounts.filter((other) => other !== added)
  const known: KnownBrowser = { id, accounts: [...others, added].slice(-MAX_ACCOUNTS) }
  await setSealedCookie(c, 'known', { value: JSON.stringify(known), maxAge: LIFETIME })
}

/** Whether this user has had a session in this browser, in a deployment with steps. */
export async function isKnownBrowser(c: AppContext, userId: string): Promise<boolean> {
  return (await knownBrowserId(c, USER, userId)) !== undefined
}

export function rememberUser(c: AppContext, userId: string): Promise<void> {
  return rememberAccount(c, USER, userId)
}

/** In the place of a provider, none of which has this id. */
const USER = ''

async function readKnownBrowser(c: AppContext): Promise<KnownBrowser | undefined> {
  const opened = await readSealedCookie(c, 'known')
  // We sealed it, so its content can be trusted.
  return opened === undefined ? undefined : JSON.parse(opened)
}

function accountDigest(provider: string, account: string): Promise<string> {
  return digest(`${provider} ${account}`)
}
