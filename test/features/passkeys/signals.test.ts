import { env } from 'cloudflare:workers'
import { base64url } from 'jose'
import { describe, expect, it } from 'vitest'
import { accountDigests } from '../../account-digests.ts'
import { Browser } from '../../browser.ts'
import { unescapeHtml } from '../../html.ts'
import { signInNewUser } from '../../new-user.ts'
import { failingAt, unreachable, userObject } from '../../storage.ts'
import { Authenticator, type Deviations } from './authenticator.ts'
import { expectOwnScripts } from './expect-own-scripts.ts'
import {
  addPasskey,
  createConfirmedUser,
  openSignInPage,
  passkeyBrowser,
  sendAssertion,
  signInWithPasskey,
} from './passkey-user.ts'

/** What the script of a page tells the browser about passkeys, if it has one. */
function readSignal(html: string): { method: string; options: unknown } | undefined {
  const [, method = '', options = ''] =
    html.match(/<div id="passkey-signal" hidden[^>]* data-method="(\w+)" data-options="([^"]*)"/) ??
    []
  return method ? { method, options: JSON.parse(unescapeHtml(options)) } : undefined
}

/** Fails if the page tells the browser anything about passkeys. Returns its error code. */
async function withoutSignal(response: Response): Promise<string | undefined> {
  const html = await response.text()
  expect(html).not.toContain('signal')
  return html.match(/<dd[^>]*>(\w+)<\/dd>/)?.[1]
}

/** A passkey that was created on a page of this service, and whose user was deleted. */
async function deletedPasskey(): Promise<Authenticator> {
  const { browser, authenticator } = await createConfirmedUser()
  await browser.post('/account/delete', {})
  return authenticator
}

async function countAccounts(credentialId: string): Promise<number | null> {
  return env.DIRECTORY.prepare('SELECT count(*) AS n FROM accounts WHERE provider_account_id = ?')
    .bind(credentialId)
    .first<number>('n')
}

describe('the page for a passkey that nobody has', () => {
  it('tells the browser that the passkey is unknown, and offers another way to sign in', async () => {
    const authenticator = await deletedPasskey()

    const response = await signInWithPasskey(passkeyBrowser(), authenticator, {
      query: { callbackUrl: 'https://shop.example/cart' },
    })

    expect(response.status).toBe(403)
    const html = await response.text()
    expect(html).toContain('<h1>This passkey is not registered here</h1>')
    expect(readSignal(html)).toEqual({
      method: 'signalUnknownCredential',
      options: { rpId: 'login.example', credentialId: authenticator.credentialId },
    })
    const [, href = '', label] = html.match(/<a class="primary" href="([^"]*)">([^<]*)</) ?? []
    expect(label).toBe('Choose another way to sign in')
    const url = new URL(unescapeHtml(href), 'https://login.example')
    expect(url.pathname).toBe('/api/auth/signin')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      interaction: expect.any(String),
      autofill: 'off',
    })
    expect(html).not.toContain('Try again')
  })

  it('[M3] allows its script by the nonce, and no requests', async () => {
    const response = await signInWithPasskey(passkeyBrowser(), await deletedPasskey())

    await expectOwnScripts(response)
  })

  it('[W11] tells the browser nothing if it is opened without a passkey', async () => {
    const { credentialId } = await deletedPasskey()
    const params = new URLSearchParams({ error: 'passkey_unknown', credentialId })

    const response = await passkeyBrowser().get(`/api/auth/error?${params}`)

    expect(response.status).toBe(200)
    expect(await withoutSignal(response)).toBe('passkey_unknown')
  })

  it('[W11] tells the browser nothing if the request is repeated, or comes from another site', async () => {
    const authenticator = await deletedPasskey()
    const browser = passkeyBrowser()
    const credential = await authenticator.get(await openSignInPage(browser))

    const foreign = await browser.post(
      '/api/auth/signin/passkey',
      { credential },
      { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' },
    )
    expect(await withoutSignal(foreign)).toBe('cross_site')
    const first = await sendAssertion(browser, credential)
    expect(readSignal(await first.text())).toBeDefined()
    const second = await sendAssertion(browser, credential)
    expect(await withoutSignal(second)).toBe('attempt_missing')
  })

  it('[W11] tells the browser nothing if the challenge is not its own', async () => {
    const authenticator = await deletedPasskey()
    const credential = await authenticator.get(await openSignInPage(passkeyBrowser()))
    const browser = passkeyBrowser()
    await openSignInPage(browser)

    expect(await withoutSignal(await sendAssertion(browser, credential))).toBe('attempt_missing')
  })
})

describe('a passkey that a user has', () => {
  it.each<[string, Deviations]>([
    ['was used on another site', { origin: 'https://evil.example' }],
    ['was used without verification of the user', { isVerified: false }],
    ['is presented with the handle of another user', { userHandle: base64url.encode('other') }],
    ['is presented without a handle', { userHandle: null }],
    ['has changed its backup eligibility', { isBackupEligible: false }],
  ])('[W11] is not reported to the browser if it %s', async (_, deviations) => {
    const { authenticator } = await createConfirmedUser()

    const response = await signInWithPasskey(passkeyBrowser(), authenticator, deviations)

    expect(await withoutSignal(response)).toBe('passkey_rejected')
  })

  it('[W11] is not reported if its counter did not increase', async () => {
    const { authenticator } = await createConfirmedUser()
    await signInWithPasskey(passkeyBrowser(), authenticator, { counter: 7 })

    const response = await signInWithPasskey(passkeyBrowser(), authenticator, { counter: 7 })

    expect(await withoutSignal(response)).toBe('passkey_rejected')
  })

  it('[W11] is not reported if it was signed with the key of somebody else', async () => {
    const { authenticator } = await createConfirmedUser()
    const { credentialId, userHandle } = authenticator

    const response = await signInWithPasskey(passkeyBrowser(), new Authenticator(), {
      credentialId,
      userHandle,
    })

    expect(await withoutSignal(response)).toBe('passkey_rejected')
  })

  it('[W11] is not reported if its user is blocked', async () => {
    const { authenticator, userId } = await createConfirmedUser()
    await env.DIRECTORY.prepare('UPDATE users SET blocked_at = 1 WHERE id = ?').bind(userId).run()
    await userObject(userId).block()

    const response = await signInWithPasskey(passkeyBrowser(), authenticator)

    expect(await withoutSignal(response)).toBe('user_blocked')
  })

  it('[W11] is not reported if its user confirms as somebody else', async () => {
    const { browser } = await createConfirmedUser()
    const other = await createConfirmedUser()
    const request = await openSignInPage(browser, { prompt: 'login', callbackUrl: '/account' })

    const response = await sendAssertion(browser, await other.authenticator.get(request))

    expect(await withoutSignal(response)).toBe('passkey_rejected')
  })

  it('[W11] is not reported if storage does not respond', async () => {
    const { authenticator } = await createConfirmedUser()
    const DIRECTORY = new Proxy(env.DIRECTORY, {
      get: () => () => {
        throw new Error('D1_ERROR: overloaded')
      },
    })

    for (const failing of [{ DIRECTORY }, { USERS: unreachable(env.USERS) }]) {
      const response = await signInWithPasskey(passkeyBrowser({}, failing), authenticator)
      expect(await withoutSignal(response)).toBe('unavailable')
    }
  })

  it('[W11] is not reported if its id is written in another way that decodes to the same bytes', async () => {
    const { authenticator } = await createConfirmedUser()
    const { credentialId } = authenticator
    // Sixteen bytes are 22 characters, of which the last one has four bits that are not used.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const last = alphabet[alphabet.indexOf(credentialId.at(-1) ?? '') + 1]
    const other = credentialId.slice(0, -1) + last
    expect(base64url.decode(other)).toEqual(base64url.decode(credentialId))
    expect(await countAccounts(other)).toBe(0)

    for (const written of [other, `${credentialId}AAA`]) {
      const response = await signInWithPasskey(passkeyBrowser(), authenticator, {
        credentialId: written,
      })
      expect(await withoutSignal(response)).toBe('request_invalid')
    }
  })
})

describe('the page after a passkey was removed', () => {
  it('tells the browser which passkeys the user still has', async () => {
    const { browser, userId, authenticator } = await createConfirmedUser()
    const kept = new Authenticator()
    await addPasskey(browser, kept)
    const [, removed = ''] = await accountDigests(browser)

    const response = await browser.post('/account/disconnect', { account: removed })

    const html = await response.text()
    expect(html).toContain('<h1>The passkey is removed</h1>')
    expect(readSignal(html)).toEqual({
      method: 'signalAllAcceptedCredentials',
      options: {
        rpId: 'login.example',
        userId: authenticator.userHandle,
        allAcceptedCredentialIds: [kept.credentialId],
      },
    })
    expect(html).not.toContain(userId)
    expect(await countAccounts(authenticator.credentialId)).toBe(0)
    const other = passkeyBrowser()
    await signInWithPasskey(other, kept)
    expect((await other.session())?.user.id).toBe(userId)
  })

  it("[W11] lists a passkey that the user's object has lost, because the directory restores it", async () => {
    const { browser, userId } = await createConfirmedUser()
    const lost = new Authenticator()
    await addPasskey(browser, lost)
    const [, removed = ''] = await accountDigests(browser)
    await userObject(userId).removePasskey(lost.credentialId)

    const response = await browser.post('/account/disconnect', { account: removed })

    expect(readSignal(await response.text())?.options).toMatchObject({
      allAcceptedCredentialIds: [lost.credentialId],
    })
  })

  it('[W11] lists a passkey that is being added', async () => {
    const { browser, userId } = await createConfirmedUser()
    const [stored] = await userObject(userId).listPasskeys()
    if (!stored) throw new Error('The user has no passkey.')
    await userObject(userId).addPasskey({ ...stored, credentialId: 'AAAA' })
    const [, removed = ''] = await accountDigests(browser)

    const response = await browser.post('/account/disconnect', { account: removed })

    expect(readSignal(await response.text())?.options).toMatchObject({
      allAcceptedCredentialIds: ['AAAA'],
    })
  })

  it('confirms the removal, and tells the browser nothing, if the passkeys cannot be read', async () => {
    const { browser, authenticator } = await createConfirmedUser()
    const [, removed = ''] = await accountDigests(browser)
    const failing = passkeyBrowser({}, { USERS: failingAt('listPasskeys') }).withCookiesOf(browser)

    const response = await failing.post('/account/disconnect', { account: removed })

    expect(response.status).toBe(200)
    const html = await response.clone().text()
    expect(html).toContain('<h1>The passkey is removed</h1>')
    await withoutSignal(response)
    expect(await countAccounts(authenticator.credentialId)).toBe(0)
  })

  it('tells the browser nothing if another account was disconnected', async () => {
    const { browser } = await createConfirmedUser()
    const [tiktok = ''] = await accountDigests(browser)

    const response = await browser.post('/account/disconnect', { account: tiktok })

    expect(response.status).toBe(200)
    await withoutSignal(response)
  })
})

describe('the page after a user was deleted', () => {
  it('tells the browser that none of their passkeys works', async () => {
    const { browser, authenticator } = await createConfirmedUser()

    const response = await browser.post('/account/delete', {})

    const html = await response.text()
    expect(html).toContain('<h1>Your account is deleted</h1>')
    expect(readSignal(html)).toEqual({
      method: 'signalAllAcceptedCredentials',
      options: {
        rpId: 'login.example',
        userId: authenticator.userHandle,
        allAcceptedCredentialIds: [],
      },
    })
  })

  it('reads no passkeys', async () => {
    const { browser } = await createConfirmedUser()
    const failing = passkeyBrowser({}, { USERS: failingAt('listPasskeys') }).withCookiesOf(browser)

    const response = await failing.post('/account/delete', {})

    expect(readSignal(await response.text())?.options).toMatchObject({
      allAcceptedCredentialIds: [],
    })
  })

  it('tells the browser nothing in a deployment without passkeys', async () => {
    const { browser } = await signInNewUser(new Browser())

    const response = await browser.post('/account/delete', {})

    const html = await response.text()
    expect(html).toContain('<h1>Your account is deleted</h1>')
    expect(html).not.toContain('signal')
  })
})

describe('GET /api/auth/signin?autofill=off', () => {
  it.each([
    ['off', false],
    ['on', true],
    ['', true],
  ])(
    'with autofill=%s offers passkeys by a button, and in the field: %s',
    async (autofill, isOffered) => {
      const page = await passkeyBrowser().get(
        `/api/auth/signin?${new URLSearchParams({ autofill })}`,
      )

      const html = await page.text()
      expect(html).toContain('Sign in with a passkey</button>')
      expect(html.includes('data-conditional="true"')).toBe(isOffered)
    },
  )
})
