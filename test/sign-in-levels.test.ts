import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { options } from '../src/deployment.ts'
import { Credentials, Email, Oidc, Passkey } from '../src/provider-exports.ts'
import { linkAccount } from '../src/users/directory.ts'
import { createVestibule } from '../src/vestibule.ts'
import { Browser, serviceOf } from './browser.ts'
import { readConfig } from './deployment.ts'
import { linkAddress, OWN_PAGE } from './link-account.ts'
import { signInNewUser } from './new-user.ts'
import { Authenticator } from './passkeys/authenticator.ts'
import {
  addPasskey,
  confirmWithPasskey,
  createPasskeyUser,
  passkeyBrowser,
} from './passkeys/passkey-user.ts'
import { addressAfterSignIn } from './redirect.ts'
import { linkedProviders } from './storage.ts'

const vestibule = createVestibule({
  ...options,
  providers: [
    ...options.providers,
    Passkey(),
    Email({ from: 'login@acme.example', sendVerificationRequest() {} }),
    Credentials({ credentials: { name: {} }, authorize: () => null }),
    Oidc({
      id: 'op',
      name: 'OP',
      issuer: 'https://op.example',
      clientId: 'id',
      clientSecret: 'x-7Kd2',
    }),
  ],
})

const SETTINGS = { AUTH_GOOGLE_ID: 'id', AUTH_GOOGLE_SECRET: 'secret-7Kd2' }

const GOOGLE = ['google', 'https://accounts.google.com'] as const

/** Links an account as a page would, without its sign-in. */
async function link(userId: string, [provider, issuer]: readonly [string, string]): Promise<void> {
  const accountId = crypto.randomUUID()
  const account = { provider, issuer, accountId, clientId: 'id', scope: undefined }
  await linkAccount(env, readConfig(env), {
    userId,
    account: { ...account, user: { id: accountId } },
    origin: {},
  })
}

/** A user who has just signed in at the platform's prompt, and has another account. */
async function createUserWith(...accounts: (readonly [string, string])[]) {
  const { browser, userId } = await signInNewUser(new Browser(serviceOf(vestibule, SETTINGS)))
  for (const account of accounts) await link(userId, account)
  return { browser, userId }
}

describe('a recent sign-in at the platform', () => {
  it.each([
    ['an email address', ['email', '']],
    ['a password', ['credentials', '']],
    ['an OpenID Provider that sends auth_time', ['op', 'https://op.example']],
  ] as const)('[S6][L14] is not sufficient for a user who could use %s', async (_, account) => {
    const { browser } = await createUserWith(account)

    expect(addressAfterSignIn(await browser.get('/account/delete'))).toBe('/account/delete')
  })

  it.each([
    ['nothing else', undefined],
    ['an OpenID Provider without auth_time', GOOGLE],
    ['an account of a provider that is disabled', ['keycloak', 'https://id.example']],
    ['an account of a former issuer', ['op', 'https://former.example']],
  ] as const)('is sufficient for a user who has %s', async (_, account) => {
    const { browser } = await createUserWith(...(account ? [account] : []))

    expect((await browser.get('/account/delete')).status).toBe(200)
  })

  it('[S6][L14] does not suffice to add a second passkey when the request to prompt was removed', async () => {
    const { browser: owner, handle, userId } = await createPasskeyUser()
    const unlocked = passkeyBrowser().withCookiesOf(owner)
    const authorization = await unlocked.start({ prompt: 'login', callbackUrl: '/account' })
    authorization.searchParams.delete('disable_auto_auth')
    await unlocked.get(await unlocked.approve(authorization, handle))

    const page = await unlocked.get('/account/passkeys/new')

    expect(addressAfterSignIn(page)).toBe('/account/passkeys/new')
    expect(await linkedProviders(userId)).toEqual(['tiktok', 'passkey'])
  })

  it('[S6][L14] does not suffice to use a link of the page that adds accounts', async () => {
    const { browser, handle, authenticator } = await createPasskeyUser()
    await confirmWithPasskey(browser, authenticator)
    const url = await linkAddress(browser, 'tiktok')

    await browser.signIn(handle, { prompt: 'login' })
    const response = await browser.get(url, OWN_PAGE)

    expect(addressAfterSignIn(response)).toBe('/account/link')
  })
})

describe('the page on which a user confirms a change', () => {
  const path = '/api/auth/signin?prompt=login&callbackUrl=%2Faccount%2Fdelete'

  it('offers only methods that are sufficient', async () => {
    const { browser } = await createUserWith(['email', ''], GOOGLE)

    const page = await (await browser.get(path)).text()

    expect(page).toContain('type="email"')
    expect(page).not.toContain('Sign in with TikTok')
    expect(page).not.toContain('Sign in with Google')
  })

  it('offers all methods of a user who has none that proves a sign-in', async () => {
    const { browser } = await createUserWith(GOOGLE)

    const page = await (await browser.get(path)).text()

    expect(page).toContain('Sign in with TikTok')
    expect(page).toContain('Sign in with Google')
  })

  it('offers all methods to a user who signs in again for an app', async () => {
    const { browser } = await createUserWith(['email', ''])

    const page = await (await browser.get('/api/auth/signin?prompt=login')).text()

    expect(page).toContain('Sign in with TikTok')
  })
})

describe('an administrator with a passkey', () => {
  it('[S6][L14] confirms with it before the console shows or changes anything about users', async () => {
    const { browser: user, handle, userId } = await signInNewUser(passkeyBrowser())
    const authenticator = new Authenticator()
    await addPasskey(user, authenticator)
    const browser = passkeyBrowser({}, { AUTH_ADMINS: userId }).withCookiesOf(user)
    await browser.signIn(handle, { prompt: 'login' })
    const paths = ['/admin/users', `/admin/users/${userId}`, '/admin/audit', '/admin/new/clients']

    for (const path of paths) {
      expect(addressAfterSignIn(await browser.get(path)), path).toBe(path)
    }
    expect((await browser.get('/admin')).status).toBe(200)

    await confirmWithPasskey(browser, authenticator)
    for (const path of paths) expect((await browser.get(path)).status, path).toBe(200)
  })
})
