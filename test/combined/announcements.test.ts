import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { options } from '../../src/deployment.ts'
import type { OutgoingEmail } from '../../src/provider-interface/local-types.ts'
import type { OAuth2Config } from '../../src/provider-interface/oauth-types.ts'
import type { Provider } from '../../src/provider-interface/types.ts'
import { Email, Passkey } from '../../src/providers.ts'
import { createVestibule } from '../../src/vestibule.ts'
import { accountDigests } from '../account-digests.ts'
import { Browser, issuedSecrets, logLines, SHOP, serviceOf } from '../browser.ts'
import { advanceClock, DAY, HOUR, MINUTE, stopClock } from '../clock.ts'
import { continueUrl } from '../continue-url.ts'
import { RelyingApp } from '../core/oidc/relying-app.ts'
import { connectMachine } from '../features/admin/machine-client.ts'
import { newAddress } from '../features/email/email-browser.ts'
import { Authenticator } from '../features/passkeys/authenticator.ts'
import {
  addPasskey,
  confirmWithPasskey,
  createPasskeyUser,
  passkeyBrowser,
  signInWithPasskey,
} from '../features/passkeys/passkey-user.ts'
import { findLink } from '../html.ts'
import { OWN_PAGE } from '../link-account.ts'
import { signInNewUser } from '../new-user.ts'
import { redirectUrl } from '../redirect.ts'
import { unreachable } from '../storage.ts'

const LINKS_BY_EMAIL = { allowDangerousEmailAccountLinking: true }

/** At the plain OAuth 2 server. */
const ACME: OAuth2Config<unknown> = {
  id: 'acme',
  name: 'Acme',
  type: 'oauth',
  jwks_endpoint: undefined,
  clientId: 'git-client',
  clientSecret: 'git-secret-7Hk2',
  authorization: 'https://git.example/oauth/authorize',
  token: 'https://git.example/oauth/token',
  userinfo: 'https://git.example/api/v4/user',
  ...LINKS_BY_EMAIL,
}

/** A deployment that sends email, and what it has sent, the oldest first. */
function deploymentWith(
  send: (email: OutgoingEmail) => void = () => undefined,
  others: Provider[] = [],
) {
  const sent: OutgoingEmail[] = []
  const sender = {
    name: 'Test',
    settings: [],
    async send(email: OutgoingEmail) {
      sent.push(email)
      send(email)
    },
  }
  const email = Email({ from: 'Acme <login@acme.example>', sender, ...LINKS_BY_EMAIL })
  const providers = [...options.providers, ...others, Passkey(), email]
  const vestibule = createVestibule({ ...options, providers })
  const service = serviceOf(vestibule)
  const withoutGuards = serviceOf(vestibule, { GUARDS: unreachable })
  return { sent, service, withoutGuards, browser: () => new Browser(service) }
}

/** Signs in by email, which gives a new user this address. */
async function signInByEmail(browser: Browser, email: string, sent: readonly OutgoingEmail[]) {
  issuedSecrets.add(email)
  const response = await browser.post('/api/auth/signin/email', { email, prompt: 'login' })
  const [code = ''] = sent.at(-1)?.text.match(/^\d{6}$/m) ?? []
  await browser.post(response.headers.get('Location') ?? '', { code })
}

describe('a way to sign in that is added or removed', () => {
  it('[S6] is announced to the address of the user', async () => {
    const { sent, browser: open } = deploymentWith()
    const browser = open()
    const address = newAddress()
    await signInByEmail(browser, address, sent)
    const authenticator = new Authenticator()

    await addPasskey(browser, authenticator, { aaguid: 'bada5566-a7aa-401f-bd96-45619a55120d' })
    const [, digest = ''] = await accountDigests(browser)
    await browser.post('/account/disconnect', { account: digest })

    const [added, removed, ...others] = sent.slice(1)
    expect(others).toEqual([])
    expect(added?.idempotencyKey).not.toBe(removed?.idempotencyKey)
    expect(added).toMatchObject({
      to: address,
      from: 'Acme <login@acme.example>',
      subject: 'Your ways to sign in at login.example have changed',
    })
    expect(added?.text).toContain(
      'A way to sign in was added to your account at login.example: Passkey (\u20681Password\u2069)',
    )
    expect(added?.text).toContain('https://login.example/account')
    expect(added?.html).toContain('href="https://login.example/account"')
    expect(removed?.text).toContain('A way to sign in was removed from your account at')
  })

  it('[S6] is announced four times in a quarter of an hour, and the next message counts the others', async () => {
    stopClock()
    const { sent, browser: open } = deploymentWith()
    const browser = open()
    const address = newAddress()
    await signInByEmail(browser, address, sent)
    const add = (count: number) =>
      Promise.all(Array.from({ length: count }, () => addPasskey(browser, new Authenticator())))
    const announced = () => sent.filter(({ subject }) => subject.includes('have changed'))

    await add(4)
    await add(2)
    expect(announced()).toHaveLength(4)
    expect(announced().at(-1)?.text).not.toContain('Other changes')

    advanceClock(15 * MINUTE)
    await signInByEmail(browser, address, sent)
    await add(1)
    expect(announced()).toHaveLength(5)
    expect(announced().at(-1)?.text).toContain('Other changes since the previous message: 2.')
    await add(1)
    expect(announced().at(-1)?.text).not.toContain('Other changes')
  })

  it('[S6] is announced although another user with the same address has had too many messages', async () => {
    stopClock()
    const { sent, browser: open } = deploymentWith()
    const [stranger, owner] = [open(), open()]
    const address = newAddress()
    const announced = () => sent.filter(({ subject }) => subject.includes('have changed'))
    await signInByEmail(owner, address, sent)
    const { userId } = await signInNewUser(stranger)
    await env.USERS.get(env.USERS.idFromName(userId)).addEmail(address)
    for (let count = 0; count < 6; count += 1) await addPasskey(stranger, new Authenticator())
    expect(announced()).toHaveLength(4)

    await addPasskey(owner, new Authenticator())

    expect(announced()).toHaveLength(5)
    expect(announced().at(-1)?.text).not.toContain('Other changes')
  })

  it('[S6] is announced if nothing can be counted', async () => {
    const { sent, browser: open, withoutGuards } = deploymentWith()
    const browser = open()
    await signInByEmail(browser, newAddress(), sent)
    await addPasskey(browser, new Authenticator())
    const [, digest = ''] = await accountDigests(browser)

    const copy = new Browser(withoutGuards).withCookiesOf(browser)
    await copy.post('/account/disconnect', { account: digest })

    expect(sent.at(-1)?.text).toContain('was removed')
    expect(logLines.join()).toContain('"event":"email_not_counted"')
  })

  it('[S6] is announced to the address that the user had before, if it was that address', async () => {
    const { sent, browser: open } = deploymentWith()
    const browser = open()
    const address = newAddress()
    await signInByEmail(browser, address, sent)
    const authenticator = new Authenticator()
    await addPasskey(browser, authenticator)
    await confirmWithPasskey(browser, authenticator)
    const [digest = ''] = await accountDigests(browser)

    await browser.post('/account/disconnect', { account: digest })

    expect(sent.at(-1)).toMatchObject({ to: address })
    expect(sent.at(-1)?.text).toContain('was removed')
  })

  it('[S6] is announced if an administrator removes it', async () => {
    const { sent, service } = deploymentWith()
    const browser = new Browser(service)
    const address = newAddress()
    await signInByEmail(browser, address, sent)
    const authenticator = new Authenticator()
    await addPasskey(browser, authenticator)
    const userId = (await browser.session())?.user.id
    const { call } = await connectMachine({}, service)

    const account = `passkey:${authenticator.credentialId}`
    await call(`/users/${userId}/accounts/${account}/remove`, { method: 'POST' })

    await vi.waitFor(() => expect(sent).toHaveLength(3))
    expect(sent.at(-1)?.text).toContain('was removed')
  })

  it('[S2][S6] is announced if a sign-in links it by email', async () => {
    const address = newAddress()
    issuedSecrets.add(address)
    const profile = () => ({ id: address, email: address, emailVerified: true })
    const { sent, browser: open } = deploymentWith(undefined, [{ ...ACME, profile }])
    const [owner, other] = [open(), open()]
    await signInByEmail(owner, address, sent)

    const start = await other.get('/api/auth/signin/acme', OWN_PAGE)
    const approved = await fetch(redirectUrl(start), { redirect: 'manual' })
    await other.get(redirectUrl(approved).href)

    expect((await other.session())?.user.id).toBe((await owner.session())?.user.id)
    expect(sent.at(-1)?.text).toContain('was added to your account at login.example: Acme')
    expect(await (await owner.get('/account')).text()).toContain(
      'Did you add this way to sign in? If not, remove it.',
    )
  })

  it('is added even if the message cannot be sent, and the address is not logged', async () => {
    const { sent, browser: open } = deploymentWith(({ to, subject }) => {
      if (subject.includes('changed')) throw new Error(`No mail for ${to}.`)
    })
    const browser = open()
    await signInByEmail(browser, newAddress(), sent)

    const response = await addPasskey(browser, new Authenticator())

    expect(response.status).toBe(303)
    expect(logLines.join()).toContain('No mail for ….')
  })

  it('is not announced by email to a user without an address', async () => {
    const { sent, browser: open } = deploymentWith()

    await createPasskeyUser(open())

    expect(sent).toEqual([])
  })
})

describe('GET /account', () => {
  const page = async (browser: Browser, url = '/account') => (await browser.get(url)).text()
  const NOTICE = 'Your ways to sign in have changed.'

  /** Signs in as an authorization request demands. Returns where the user continues. */
  async function signInForApp(
    browser: Browser,
    { url, handle }: { url: string; handle: string },
  ): Promise<URL> {
    const request = redirectUrl(await browser.get(url))
    const start = request.href.replace('/signin?', '/signin/tiktok?')
    const callback = await browser.approve(redirectUrl(await browser.get(start, OWN_PAGE)), handle)
    return redirectUrl(await browser.get(callback))
  }

  it('[S6] shows in every other browser what was added, for 30 days', async () => {
    const { browser, handle } = await createPasskeyUser()
    const other = new Browser()
    await other.signIn(handle)

    expect(await page(browser)).not.toContain(NOTICE)
    const [, notice = ''] = (await page(other)).split(NOTICE)
    expect(notice).toMatch(/<li>passkey \(\u2068Passkey\u2069\)<br\/?>Added on /)
    expect(await page(other)).toContain(NOTICE)

    advanceClock(30 * DAY)
    const later = new Browser()
    await later.signIn(handle)
    expect(await page(later)).not.toContain(NOTICE)
  })

  it('[S6] precedes the app at the next sign-in in another browser, once, and leads to the app', async () => {
    const { browser: owner, handle, authenticator } = await createPasskeyUser()
    const browser = new Browser()
    const app = new RelyingApp('shop')
    const signIn = async () => signInForApp(browser, { url: await app.authorizationUrl(), handle })

    const account = await signIn()
    const shown = await page(browser, account.href)
    const answer = redirectUrl(await browser.get(findLink(shown, '/oidc/authorize/')))
    await browser.post('/api/auth/signout', {})
    const again = await signIn()
    const withPasskey = await signInWithPasskey(passkeyBrowser(), authenticator, {
      query: { callbackUrl: `${SHOP}/cart` },
    })

    expect(account.pathname).toBe('/account')
    expect(shown).toContain(NOTICE)
    expect(shown).toContain('Continue to The shop')
    expect(answer.searchParams.get('code')).toMatch(/^ac_/)
    expect(again.pathname).toMatch(/^\/oidc\/authorize\//)
    expect(await continueUrl(withPasskey)).toBe(`${SHOP}/cart`)
    expect(await page(owner)).not.toContain(NOTICE)
  })

  it('[S6] precedes the app again after each further change, once', async () => {
    const { handle, userId } = await signInNewUser()
    const object = env.USERS.get(env.USERS.idFromName(userId))
    const browser = new Browser()
    const url = await new RelyingApp('shop').authorizationUrl({ prompt: 'login' })
    const change = async () => {
      advanceClock(1)
      await object.removeMethod({ provider: 'p', issuer: '', accountId: 'x' })
    }
    const isShown = async () => {
      const { pathname, href } = await signInForApp(browser, { url, handle })
      await page(browser, href)
      return pathname === '/account'
    }

    await change()
    await change()
    expect([await isShown(), await isShown()]).toEqual([true, false])
    await change()
    expect([await isShown(), await isShown()]).toEqual([true, false])
  })

  it('[S6] precedes the app at the next sign-in in the browser that was left unlocked, too', async () => {
    const { browser, handle } = await createPasskeyUser()
    const app = new RelyingApp('shop')
    const url = await app.authorizationUrl({ prompt: 'login' })

    const account = await signInForApp(browser, { url, handle })

    expect(account.pathname).toBe('/account')
    expect(await page(browser, account.href)).toContain(NOTICE)
  })

  it('[S6] shows what was removed at the next sign-in', async () => {
    const { browser, handle, authenticator } = await createPasskeyUser()
    await confirmWithPasskey(browser, authenticator)
    const [, digest = ''] = await accountDigests(browser)
    await browser.post('/account/disconnect', { account: digest })

    await browser.signIn(handle)

    expect(await page(browser)).toMatch(new RegExp(`${NOTICE}.*Removed on`, 's'))
  })

  it('is all that is stored of an inactive user, who is forgotten after 30 days', async () => {
    const { browser, userId, authenticator } = await createPasskeyUser()
    await confirmWithPasskey(browser, authenticator)
    const [, digest = ''] = await accountDigests(browser)
    await browser.post('/account/disconnect', { account: digest })
    const object = env.USERS.get(env.USERS.idFromName(userId))
    const keysAfterAlarm = async () => {
      await runDurableObjectAlarm(object)
      return runInDurableObject(object, async (_, { storage }) => [
        ...(await storage.list()).keys(),
      ])
    }

    advanceClock(HOUR)
    const keys = await keysAfterAlarm()
    advanceClock(30 * DAY)

    expect(keys.filter((key) => /^(user|upstream|passkey)/.test(key))).toEqual([])
    expect(keys.filter((key) => key.startsWith('method-change:'))).toHaveLength(2)
    expect(await keysAfterAlarm()).toEqual([])
  })

  it('shows nothing of a user who was deleted and signs in again', async () => {
    const { browser, handle, authenticator } = await createPasskeyUser()
    await confirmWithPasskey(browser, authenticator)
    await browser.post('/account/delete', {})

    await browser.signIn(handle)

    expect(await page(browser)).not.toContain(NOTICE)
  })

  it('shows at most the latest 20 changes', async () => {
    const { browser, handle, userId } = await signInNewUser()
    const object = env.USERS.get(env.USERS.idFromName(userId))
    for (let n = 0; n < 21; n++) {
      advanceClock(1)
      await object.removeMethod({ provider: 'p', issuer: '', accountId: 'x', label: `number ${n}` })
    }
    await browser.signIn(handle)

    const shown = await page(browser)
    expect(shown.match(/Removed on/g)).toHaveLength(20)
    expect(shown).toContain('number 20')
    expect(shown).not.toContain('number 0')
  })
})
