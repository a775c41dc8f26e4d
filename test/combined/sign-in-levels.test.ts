import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { linkAccount } from '../../src/core/users/directory.ts'
import { options } from '../../src/deployment.ts'
import {
  Credentials,
  Email,
  GitLab,
  Oidc,
  Passkey,
  ResendSender,
  TikTok,
} from '../../src/providers.ts'
import { createVestibule } from '../../src/vestibule.ts'
import { Browser, serviceOf } from '../browser.ts'
import { RelyingApp } from '../core/oidc/relying-app.ts'
import { readConfig } from '../deployment.ts'
import { Authenticator } from '../features/passkeys/authenticator.ts'
import {
  addPasskey,
  confirmWithPasskey,
  createPasskeyUser,
  passkeyBrowser,
} from '../features/passkeys/passkey-user.ts'
import { linkAddress, OWN_PAGE } from '../link-account.ts'
import { signInNewUser } from '../new-user.ts'
import { addressAfterSignIn, redirectUrl } from '../redirect.ts'
import { confirmMethods, linkedProviders } from '../storage.ts'

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
async function link(
  userId: string,
  [provider, issuer]: readonly [string, string],
  accountId: string = crypto.randomUUID(),
): Promise<void> {
  const account = { provider, issuer, accountId, clientId: 'id', scope: undefined }
  await linkAccount(env, readConfig(env), {
    userId,
    account: { ...account, user: { id: accountId } },
    marks: { unconfirmedSid: undefined, confirmed: [] },
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

describe('a provider whose settings have a problem', () => {
  const vestibule = createVestibule({
    ...options,
    providers: [
      TikTok(),
      Passkey(),
      Email({ from: 'login@acme.example', sender: ResendSender() }),
      Oidc({ id: 'op', name: 'OP', clientId: 'id' }),
    ],
    skipUnconfiguredProviders: false,
  })
  const complete = {
    AUTH_RESEND_KEY: 're_123456789abc',
    AUTH_OP_ISSUER: 'https://op.example',
    AUTH_OP_SECRET: 'x-7Kd2',
  }
  const withoutSetting = (name: string) =>
    new Browser(serviceOf(vestibule, { ...complete, [name]: undefined }))

  it.each([
    ['AUTH_RESEND_KEY', ['email', '']],
    ['AUTH_OP_SECRET', ['op', 'https://op.example']],
    ['AUTH_OP_ISSUER', ['op', 'https://op.example']],
  ] as const)(
    '[S6][L14] does not lower what changes need: %s is missing',
    async (name, account) => {
      const { browser, userId } = await signInNewUser(withoutSetting(name))
      expect((await browser.get('/account/passkeys/new')).status).toBe(200)
      await link(userId, account)

      const answer = await browser.get('/account/passkeys/new')
      const page = await (await browser.get(redirectUrl(answer).href)).text()

      expect(addressAfterSignIn(answer)).toBe('/account/passkeys/new')
      expect(page).toContain('one of your ways to sign in that is not available at the moment')
      expect(page).not.toContain('Sign in with TikTok')
      expect(page).not.toContain('please sign in again')
    },
  )

  it('does not prevent changes that are confirmed with a passkey', async () => {
    const { browser, userId } = await signInNewUser(withoutSetting('AUTH_RESEND_KEY'))
    const authenticator = new Authenticator()
    await addPasskey(browser, authenticator)
    await confirmMethods(userId)
    await link(userId, ['email', ''])

    await confirmWithPasskey(browser, authenticator)

    expect((await browser.get('/account/passkeys/new')).status).toBe(200)
  })
})

describe('a sign-in at a provider that cannot be requested to prompt', () => {
  const GITLAB = ['gitlab', 'https://git.example'] as const

  /** A browser that can sign in at GitLab as somebody who has not done so before. */
  function gitLabUser() {
    const accountId = crypto.randomUUID()
    const gitLab = GitLab({
      clientId: 'git-client',
      clientSecret: 'git-secret-7Hk2',
      issuer: 'https://git.example',
      profile: () => ({ id: accountId }),
    })
    const service = serviceOf(
      createVestibule({ ...options, providers: [TikTok(), gitLab, Passkey()] }),
    )
    return { browser: new Browser(service), accountId }
  }

  /** Signs in at GitLab, which does so silently. Returns where the user continues. */
  async function signIn(browser: Browser, query: string): Promise<string> {
    const start = redirectUrl(await browser.get(`/api/auth/signin/gitlab?${query}`, OWN_PAGE))
    expect(start.searchParams.has('prompt')).toBe(false)
    const callback = redirectUrl(await fetch(start, { redirect: 'manual' }))
    return redirectUrl(await browser.get(callback.href)).href
  }

  it('[S6][L14] is not sufficient for a user who could be prompted elsewhere', async () => {
    const { browser, accountId } = gitLabUser()
    const { userId } = await signInNewUser(browser)
    await link(userId, GITLAB, accountId)
    expect((await browser.get('/account/passkeys/new')).status).toBe(200)

    await signIn(browser, 'prompt=login&callbackUrl=/account/passkeys/new')
    const answer = await browser.get('/account/passkeys/new')
    const page = await (await browser.get(redirectUrl(answer).href)).text()

    expect(addressAfterSignIn(answer)).toBe('/account/passkeys/new')
    expect(page).toContain('Sign in with TikTok')
    expect(page).not.toContain('Sign in with GitLab')
  })

  it('[S6] is sufficient for a user who has nothing else, if it was started to confirm', async () => {
    const { browser } = gitLabUser()
    await signIn(browser, '')
    const before = await browser.get('/account/passkeys/new')
    expect(addressAfterSignIn(before)).toBe('/account/passkeys/new')

    await signIn(browser, 'prompt=login&callbackUrl=/account/passkeys/new')

    expect((await browser.get('/account/passkeys/new')).status).toBe(200)
  })

  it.each([{ prompt: 'login' }, { prompt: 'select_account' }, { max_age: '0' }, { max_age: '60' }])(
    '[A17] satisfies an app that requests %o, but only if it was started for that',
    async (changes) => {
      const { browser } = gitLabUser()
      await signIn(browser, '')
      const url = await new RelyingApp('shop').authorizationUrl(changes)
      const signInPage = redirectUrl(await browser.get(url))
      expect(signInPage.pathname).toBe('/api/auth/signin')

      const resumed = await signIn(browser, signInPage.searchParams.toString())

      const callback = redirectUrl(await browser.get(resumed))
      expect(callback.origin).toBe('https://shop.example')
      expect(callback.searchParams.has('code')).toBe(true)
    },
  )
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

  it('marks the last provider only for a user who can choose', async () => {
    const { browser, userId } = await createUserWith()

    expect(await (await browser.get(path)).text()).not.toContain('Last used')
    await link(userId, GOOGLE)
    expect(await (await browser.get(path)).text()).toContain('Last used')
  })

  it('does not mention the account of a provider that is not configured', async () => {
    const { browser } = await createUserWith(['keycloak', 'https://id.example'])

    const page = await (await browser.get(path)).text()

    expect(page).toContain('Sign in with TikTok')
    expect(page).not.toContain('Your other ways to sign in')
  })

  it('offers all methods to a user who signs in again for an app', async () => {
    const { browser } = await createUserWith(['email', ''])

    const page = await (await browser.get('/api/auth/signin?prompt=login')).text()

    expect(page).toContain('Sign in with TikTok')
  })
})

describe('an administrator with a passkey', () => {
  it('[S6][L14] confirms with it before the console shows or changes anything about users', async () => {
    const { browser: user, handle, userId, authenticator } = await createPasskeyUser()
    const browser = passkeyBrowser({}, { AUTH_ADMINS: userId }).withCookiesOf(user)
    await browser.signIn(handle, { prompt: 'login' })
    const paths = ['/admin/users', `/admin/users/${userId}`, '/admin/audit', '/admin/new/clients']

    for (const path of paths) {
      const stepUp = redirectUrl(await browser.get(path), 303)
      expect(stepUp.pathname, path).toBe('/api/auth/signin')
      expect(stepUp.searchParams.get('prompt'), path).toBe('login')
    }
    expect((await browser.get('/admin')).status).toBe(200)

    await confirmWithPasskey(browser, authenticator)
    for (const path of paths) expect((await browser.get(path)).status, path).toBe(200)
  })
})
