import { env } from 'cloudflare:workers'
import { base64url } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import { options } from '../../../src/deployment.ts'
import type { PasskeyCopy } from '../../../src/features/passkeys/passkeys.ts'
import { Passkey } from '../../../src/providers.ts'
import type { SignInCallbackInput } from '../../../src/vestibule.ts'
import { accountDigests } from '../../account-digests.ts'
import type { Browser } from '../../browser.ts'
import { advanceClock, MINUTE } from '../../clock.ts'
import { continueUrl } from '../../continue-url.ts'
import { errorCode } from '../../html.ts'
import { signInNewUser } from '../../new-user.ts'
import { redirectUrl } from '../../redirect.ts'
import { linkedProviders, userObject, withMethods } from '../../storage.ts'
import { type Algorithm, Authenticator, type Deviations } from './authenticator.ts'
import { expectOwnScripts } from './expect-own-scripts.ts'
import {
  addPasskey,
  createConfirmedUser,
  createPasskeyUser,
  openSignInPage,
  passkeyBrowser,
  sendAssertion,
  signInWithPasskey,
} from './passkey-user.ts'

const OTHER_ID = base64url.encode(new Uint8Array(16).fill(7))

const NUMBER_AS_EXTENSIONS: Deviations = {
  extensions: new Map(),
  changeData: (data) => new Uint8Array([...data.slice(0, -1), 1]),
}

/** The user's passkeys as they are stored, and what the audit log has recorded about the user. */
async function storedState(userId: string) {
  const passkeys = await userObject(userId).listPasskeys()
  const { results } = await env.DIRECTORY.prepare(
    "SELECT event, outcome FROM audit WHERE subject = ? AND event <> 'sign_out' ORDER BY event, id",
  )
    .bind(userId)
    .all<{ event: string; outcome: string }>()
  const { sessions } = await userObject(userId).readUserData()
  return { passkeys, audit: results, sessions: sessions.length }
}

let unchangedUser: ReturnType<typeof createPasskeyUser> | undefined

/** A user for tests that change nothing about them. */
function sharedUser() {
  unchangedUser ??= createPasskeyUser()
  return unchangedUser
}

/** The error of a response. Fails if the response signs the browser in. */
async function rejection(browser: Browser, response: Response): Promise<string | undefined> {
  const code = await errorCode(response)
  expect(response.status).toBeGreaterThanOrEqual(400)
  expect(await browser.session()).toBeNull()
  return code
}

describe('after a change of the domain', () => {
  const AUTH_URL = 'https://id.other.example'

  it('accepts passkeys of the former host name that `rpId` keeps', async () => {
    const { userId, authenticator } = await createPasskeyUser()
    const providers = [...options.providers, Passkey({ rpId: 'login.example' })]
    const browser = passkeyBrowser({ providers }, { AUTH_URL })

    const related = await passkeyBrowser({ providers }, { AUTH_URL }).get('/.well-known/webauthn')
    const response = await signInWithPasskey(browser, authenticator, { origin: AUTH_URL })

    expect(related.headers.get('Content-Type')).toBe('application/json')
    expect(await related.json()).toEqual({ origins: [AUTH_URL] })
    expect(response.status).toBe(200)
    expect((await browser.session())?.user.id).toBe(userId)
  })

  it('[W1] rejects a passkey that was used at the former origin', async () => {
    const { authenticator } = await sharedUser()
    const providers = [...options.providers, Passkey({ rpId: 'login.example' })]
    const browser = passkeyBrowser({ providers }, { AUTH_URL })

    const response = await signInWithPasskey(browser, authenticator)

    expect(await rejection(browser, response)).toBe('passkey_rejected')
  })
})

describe('GET /api/auth/signin', () => {
  it('requests a verified user, and does not disclose who has passkeys', async () => {
    const request = await openSignInPage(passkeyBrowser())

    expect(request).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rpId: 'login.example',
      userVerification: 'required',
      timeout: 600_000,
      allowCredentials: [],
    })
  })

  it('has a button and no field of its own, in which users would type something', async () => {
    const page = await (await passkeyBrowser().get('/api/auth/signin')).text()

    const [form = ''] = page.match(/<form[^>]* id="passkey".*?<\/form>/s) ?? []
    expect(form).toContain('Sign in with a passkey</button>')
    expect(form.match(/<input (?!type="hidden")/g)).toBeNull()
    expect(form).toContain('<p class="error" role="alert" data-problem')
  })

  it('[W5] has another challenge in each browser, and after one was used', async () => {
    const { authenticator } = await sharedUser()
    const browser = passkeyBrowser()
    const first = await openSignInPage(browser)
    const other = await openSignInPage(passkeyBrowser())
    await sendAssertion(browser, await authenticator.get(first, { isVerified: false }))
    const second = await openSignInPage(browser)

    expect(new Set([first, other, second].map(({ challenge }) => challenge)).size).toBe(3)
  })

  it('has one attempt for all pages of a browser, until half of its time is over', async () => {
    const browser = passkeyBrowser()
    const first = await openSignInPage(browser)
    const second = await openSignInPage(browser, { callbackUrl: 'https://shop.example/' })
    const cookies = browser.cookieNames('attempt')
    advanceClock(5 * MINUTE + 1)
    const third = await openSignInPage(browser)

    expect(second.challenge).toBe(first.challenge)
    expect(cookies).toHaveLength(1)
    expect(third.challenge).not.toBe(first.challenge)
  })

  it('[M3] allows the script by its nonce, and no requests', async () => {
    const response = await passkeyBrowser().get('/api/auth/signin')

    await expectOwnScripts(response)
  })

  it.each(['http://127.0.0.1:8787', 'http://[::1]:8787'])(
    'does not offer passkeys at an IP address, which cannot have any: %s',
    async (AUTH_URL) => {
      const browser = passkeyBrowser({}, { AUTH_URL })
      const page = await browser.get('/api/auth/signin')

      expect(await page.text()).not.toContain('data-options')
    },
  )

  it('does not offer passkeys for an app that needs scopes of another service', async () => {
    const [web] = (env as unknown as { CLIENTS: { client_id: string }[] }).CLIENTS.filter(
      ({ client_id }) => client_id === 'web',
    )
    const CLIENTS = [{ ...web, upstream_scope: ['user.info.stats'] }]
    const browser = passkeyBrowser({}, { CLIENTS })

    const page = await browser.get('/api/auth/signin?callbackUrl=https://web.example/')

    expect(await page.text()).not.toContain('data-options')
  })

  it('[R6] opens at most five attempts, however many cookies there are', async () => {
    const browser = passkeyBrowser()
    const cookies = Array.from(
      { length: 600 },
      (_, i) => `__Host-vestibule.attempt.${i}=${'x'.repeat(18)}`,
    )
    await browser.get('/api/auth/signin')
    using decrypt = vi.spyOn(crypto.subtle, 'decrypt')

    const response = await browser.get('/api/auth/signin', { Cookie: cookies.join('; ') })

    expect(response.status).toBe(200)
    expect(decrypt).toHaveBeenCalledTimes(5)
  })
})

describe('GET /api/auth/signin/passkey', () => {
  it('leads to the sign-in page, because only its script can use a passkey', async () => {
    const browser = passkeyBrowser()

    const response = await browser.get('/api/auth/signin/passkey?callbackUrl=/account')
    const page = await browser.get(redirectUrl(response, 302).href)

    expect(redirectUrl(response).pathname).toBe('/api/auth/signin')
    expect(await page.text()).toContain('data-options')
  })
})

describe('POST /api/auth/signin/passkey', () => {
  it('signs the user in who added the passkey, and returns to the app', async () => {
    const { authenticator, userId } = await createPasskeyUser()
    const browser = passkeyBrowser()

    const response = await signInWithPasskey(browser, authenticator, {
      query: { callbackUrl: 'https://shop.example/cart' },
    })

    expect(await continueUrl(response)).toBe('https://shop.example/cart')
    expect((await browser.session())?.user.id).toBe(userId)
    const { passkeys, audit } = await storedState(userId)
    expect(passkeys).toMatchObject([{ lastUsedAt: expect.any(Number), isBackedUp: true }])
    expect(audit.filter(({ event }) => event === 'sign_in')).toHaveLength(2)
    expect(browser.cookieNames('attempt')).toEqual([])
  })

  it("works after the user's object has lost the passkey, as after a restoration", async () => {
    const { authenticator, userId } = await createPasskeyUser()
    await userObject(userId).removePasskey(authenticator.credentialId)
    const browser = passkeyBrowser()

    await signInWithPasskey(browser, authenticator)

    expect((await browser.session())?.user.id).toBe(userId)
    expect((await storedState(userId)).passkeys).toMatchObject([
      {
        credentialId: authenticator.credentialId,
        name: 'Passkey',
        lastUsedAt: expect.any(Number),
      },
    ])
  })

  it('does not restore a passkey that is removed meanwhile, after any step of the removal', async () => {
    const { browser, authenticator, userId } = await createConfirmedUser()
    const [, account = ''] = await accountDigests(browser)
    await userObject(userId).removePasskey(authenticator.credentialId)
    const remove = (copy: PasskeyCopy) => {
      const USERS = withMethods((stub, name) => async (...input: unknown[]) => {
        const result = await Reflect.get(stub, name)(...input)
        await stub.restorePasskey(copy)
        return result
      })
      const removing = passkeyBrowser({}, { USERS }).withCookiesOf(browser)
      return removing.post('/account/disconnect', { account })
    }
    const restore = vi.fn(async (copy: PasskeyCopy) => {
      await remove(copy)
      return userObject(userId).restorePasskey(copy)
    })
    const USERS = withMethods((stub, name) =>
      name === 'restorePasskey' ? restore : Reflect.get(stub, name),
    )
    const late = passkeyBrowser({}, { USERS })

    const response = await signInWithPasskey(late, authenticator)

    expect(restore).toHaveBeenCalledOnce()
    expect(await rejection(late, response)).toBe('passkey_rejected')
    expect(await linkedProviders(userId)).toEqual(['tiktok'])
    expect((await storedState(userId)).passkeys).toEqual([])
  })

  it('counts as a recent sign-in', async () => {
    const { authenticator } = await createPasskeyUser()
    const browser = passkeyBrowser()
    await signInWithPasskey(browser, authenticator)

    const response = await browser.get('/account/delete')

    expect(response.status).toBe(200)
  })

  it('is a sign-in after which the sign-out page names no other service', async () => {
    const { authenticator } = await createPasskeyUser()
    const browser = passkeyBrowser()
    await signInWithPasskey(browser, authenticator)
    expect(await browser.session()).not.toBeNull()

    const page = await (await browser.post('/api/auth/signout', {})).text()

    expect(page).toContain('You are signed out')
    expect(page).not.toContain('still be signed in')
  })

  it('accepts passkeys without a counter, any number of times', async () => {
    const { authenticator, userId } = await createPasskeyUser()

    for (const _ of [1, 2]) {
      const browser = passkeyBrowser()
      await signInWithPasskey(browser, authenticator)
      expect((await browser.session())?.user.id).toBe(userId)
    }
  })

  it.each<Algorithm>(['ES256', 'EdDSA', 'RS256'])(
    'accepts a signature with %s, and no other signature',
    async (algorithm) => {
      const { browser, userId } = await signInNewUser(passkeyBrowser())
      const [authenticator, other] = [new Authenticator(algorithm), new Authenticator(algorithm)]
      await addPasskey(browser, authenticator)
      const [accepted, refused] = [passkeyBrowser(), passkeyBrowser()]
      const { credentialId, userHandle } = authenticator

      await signInWithPasskey(accepted, authenticator)
      const response = await signInWithPasskey(refused, other, { credentialId, userHandle })

      expect((await accepted.session())?.user.id).toBe(userId)
      expect(await rejection(refused, response)).toBe('passkey_rejected')
    },
  )

  it('ignores extensions of the authenticator, which were not requested', async () => {
    const extensions = new Map([['credProtect', 2]])
    const { browser, userId } = await signInNewUser(passkeyBrowser())
    const authenticator = new Authenticator()
    await addPasskey(browser, authenticator, { extensions })
    const other = passkeyBrowser()

    await signInWithPasskey(other, authenticator, { extensions })

    expect((await other.session())?.user.id).toBe(userId)
  })

  it('stores the counter, which must increase', async () => {
    const { authenticator, userId } = await createPasskeyUser()

    for (const counter of [1, 7]) {
      await signInWithPasskey(passkeyBrowser(), authenticator, { counter })
      expect((await storedState(userId)).passkeys).toMatchObject([{ counter }])
    }
  })

  it.each([6, 7, 0])(
    '[W4] rejects a counter that did not increase from 7: %i, and records that the passkey was cloned',
    async (counter) => {
      const { authenticator, userId } = await createPasskeyUser()
      await signInWithPasskey(passkeyBrowser(), authenticator, { counter: 7 })
      const clone = await authenticator.clone()
      const before = await storedState(userId)
      const browser = passkeyBrowser()

      const response = await signInWithPasskey(browser, clone, { counter })

      expect(await rejection(browser, response)).toBe('passkey_rejected')
      const after = await storedState(userId)
      expect(after.passkeys).toEqual(before.passkeys)
      expect(after.sessions).toBe(before.sessions)
      expect(after.audit).toHaveLength(before.audit.length + 1)
      expect(after.audit).toContainEqual({ event: 'passkey_cloned', outcome: 'ok' })
    },
  )

  it('[W4] accepts one of two assertions with the same counter that arrive at the same time', async () => {
    const { authenticator, userId } = await createPasskeyUser()
    const browsers = [passkeyBrowser(), passkeyBrowser()]
    const credentials = await Promise.all(
      browsers.map(async (browser) =>
        authenticator.get(await openSignInPage(browser), { counter: 1 }),
      ),
    )

    const responses = await Promise.all(
      browsers.map((browser, index) => sendAssertion(browser, credentials[index] ?? '')),
    )

    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 403])
    expect((await storedState(userId)).passkeys).toMatchObject([{ counter: 1 }])
  })

  it.each<[string, Deviations]>([
    ['[W1] of another origin', { origin: 'https://evil.example' }],
    ['[W1] of a subdomain', { origin: 'https://a.login.example' }],
    ['[W1] of the same host without https', { origin: 'http://login.example' }],
    ['[W1] of the same host with another port', { origin: 'https://login.example:8443' }],
    ['[W2] for another RP id', { rpId: 'evil.example' }],
    ['[W2] for the parent domain', { rpId: 'example' }],
    ['[W3] without user verification', { isVerified: false }],
    ['[W3] without user presence', { isPresent: false }],
    ['[W6] of a creation', { type: 'webauthn.create' }],
    ['[W7] with the handle of another user', { userHandle: base64url.encode('other') }],
    ['[W7] without the handle of the user', { userHandle: null }],
    ['[W8] that suddenly cannot be backed up', { isBackupEligible: false }],
    ['[W8] that is backed up although it cannot be', { isBackupEligible: false, isBackedUp: true }],
    ['[W9] with extensions that are not a map', NUMBER_AS_EXTENSIONS],
  ])('rejects an assertion %s, and changes nothing', async (_, deviations) => {
    const { authenticator, userId } = await sharedUser()
    const before = await storedState(userId)
    const browser = passkeyBrowser()

    const response = await signInWithPasskey(browser, authenticator, deviations)

    expect(await rejection(browser, response)).toBe('passkey_rejected')
    expect(await storedState(userId)).toEqual(before)
  })

  it('[W7] rejects an assertion with an unknown credential id, and changes nothing', async () => {
    const { authenticator, userId } = await sharedUser()
    const before = await storedState(userId)
    const browser = passkeyBrowser()

    const response = await signInWithPasskey(browser, authenticator, { credentialId: OTHER_ID })

    expect(await rejection(browser, response)).toBe('passkey_unknown')
    expect(await storedState(userId)).toEqual(before)
  })

  it.each<[string, Deviations]>([
    ['of this service', { crossOrigin: true }],
    ['of another site', { topOrigin: 'https://evil.example' }],
  ])('[W6] rejects an assertion that was made in a frame %s', async (_, deviations) => {
    const { authenticator } = await sharedUser()
    const browser = passkeyBrowser()

    const response = await signInWithPasskey(browser, authenticator, deviations)

    expect(await rejection(browser, response)).toBe('request_invalid')
  })

  it('[W7] rejects a signature by the passkey of another user', async () => {
    const victim = await sharedUser()
    const attacker = await createPasskeyUser()
    const before = await storedState(victim.userId)
    const browser = passkeyBrowser()

    const response = await signInWithPasskey(browser, attacker.authenticator, {
      credentialId: victim.authenticator.credentialId,
      userHandle: victim.authenticator.userHandle,
    })

    expect(await rejection(browser, response)).toBe('passkey_rejected')
    expect(await storedState(victim.userId)).toEqual(before)
  })

  it('[W7] rejects a passkey of an attacker with the handle of another user', async () => {
    const victim = await sharedUser()
    const attacker = await createPasskeyUser()
    const browser = passkeyBrowser()

    const response = await signInWithPasskey(browser, attacker.authenticator, {
      userHandle: victim.authenticator.userHandle,
    })

    expect(await rejection(browser, response)).toBe('passkey_rejected')
  })

  it('[W5] rejects a response that was already used, in any tab', async () => {
    const { authenticator, userId } = await createPasskeyUser()
    const browser = passkeyBrowser()
    const credential = await authenticator.get(await openSignInPage(browser))
    const cookies = [...browser.cookies]
    await sendAssertion(browser, credential)
    await browser.post('/api/auth/signout', {})
    for (const [name, value] of cookies) browser.cookies.set(name, value)
    const before = await storedState(userId)

    const response = await sendAssertion(browser, credential)

    expect(await rejection(browser, response)).toBe('attempt_missing')
    expect(await storedState(userId)).toEqual(before)
  })

  it('[W5] does not accept a challenge again after a response that was rejected', async () => {
    const { authenticator } = await sharedUser()
    const browser = passkeyBrowser()
    const request = await openSignInPage(browser)
    const cookies = [...browser.cookies]
    await sendAssertion(browser, await authenticator.get(request, { isVerified: false }))
    for (const [name, value] of cookies) browser.cookies.set(name, value)

    const response = await sendAssertion(browser, await authenticator.get(request))

    expect(await rejection(browser, response)).toBe('attempt_missing')
  })

  it('[W5] rejects a challenge of another browser', async () => {
    const { authenticator } = await sharedUser()
    const credential = await authenticator.get(await openSignInPage(passkeyBrowser()))
    const browser = passkeyBrowser()
    await openSignInPage(browser)

    const response = await sendAssertion(browser, credential)

    expect(await rejection(browser, response)).toBe('attempt_missing')
  })

  it('[W5] rejects a challenge of our own choice', async () => {
    const { authenticator } = await sharedUser()
    const browser = passkeyBrowser()

    const response = await signInWithPasskey(browser, authenticator, { challenge: 'AAAA' })

    expect(await rejection(browser, response)).toBe('attempt_missing')
  })

  it('[W5] rejects the challenge of a page that was opened ten minutes ago', async () => {
    const { authenticator } = await sharedUser()
    const browser = passkeyBrowser()
    const request = await openSignInPage(browser)
    advanceClock(10 * MINUTE)

    const response = await sendAssertion(browser, await authenticator.get(request))

    expect(await rejection(browser, response)).toBe('attempt_missing')
  })

  it('[W6] rejects an assertion for the challenge of a creation', async () => {
    const { browser, authenticator } = await createPasskeyUser()
    const page = await (await browser.get('/account/passkeys/new')).text()
    const [, challenge = ''] = page.match(/challenge&quot;:&quot;([\w-]+)/) ?? []
    const request = { challenge, rpId: 'login.example', allowCredentials: [] }

    const response = await sendAssertion(browser, await authenticator.get(request))

    expect(await errorCode(response)).toBe('attempt_missing')
  })

  it.each([
    '',
    'null',
    '[]',
    '{}',
    '{"id":"a"}',
    'not JSON',
    JSON.stringify({ id: 'a', rawId: 'a', type: 'public-key', response: {} }),
    JSON.stringify({
      id: '../a',
      rawId: '../a',
      type: 'public-key',
      response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' },
    }),
    JSON.stringify({
      id: 'a',
      rawId: 'a',
      type: 'public-key',
      response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' },
    }),
    JSON.stringify({
      id: 'a'.repeat(1365),
      rawId: 'a'.repeat(1365),
      type: 'public-key',
      response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' },
    }),
  ])('[W9] rejects a malformed credential: %s', async (credential) => {
    const browser = passkeyBrowser()
    await openSignInPage(browser)

    const response = await sendAssertion(browser, credential)

    expect(await rejection(browser, response)).toBe('request_invalid')
  })

  it.each<[string, (response: Record<string, string>) => void]>([
    [
      'authenticator data of one byte',
      (response) => Object.assign(response, { authenticatorData: 'AA' }),
    ],
    [
      'authenticator data with bytes left over',
      (response) =>
        Object.assign(response, { authenticatorData: `${response['authenticatorData']}AAAA` }),
    ],
    ['a signature that is no ASN.1', (response) => Object.assign(response, { signature: 'AAAA' })],
    [
      'a signature of another length',
      (response) => Object.assign(response, { signature: 'MAYCAQECAQE' }),
    ],
  ])('[W9] rejects %s', async (_, change) => {
    const { authenticator, userId } = await sharedUser()
    const before = await storedState(userId)
    const browser = passkeyBrowser()
    const credential = JSON.parse(await authenticator.get(await openSignInPage(browser)))
    change(credential.response)

    const response = await sendAssertion(browser, JSON.stringify(credential))

    expect(await rejection(browser, response)).toBe('passkey_rejected')
    expect(await storedState(userId)).toEqual(before)
  })

  it('[M6] rejects a post of another site', async () => {
    const { authenticator } = await sharedUser()
    const browser = passkeyBrowser()
    const credential = await authenticator.get(await openSignInPage(browser))

    for (const origin of ['https://evil.example', 'https://shop.example']) {
      const response = await browser.post(
        '/api/auth/signin/passkey',
        { credential },
        { 'Sec-Fetch-Site': 'cross-site', Origin: origin },
      )
      expect(await rejection(browser, response)).toBe('cross_site')
    }
  })

  it('[N1] returns to registered addresses only, and keeps the challenge otherwise', async () => {
    const { authenticator, userId } = await createPasskeyUser()
    const browser = passkeyBrowser()
    const credential = await authenticator.get(await openSignInPage(browser))

    const response = await browser.post('/api/auth/signin/passkey', {
      credential,
      callbackUrl: 'https://evil.example/',
    })

    expect(await rejection(browser, response)).toBe('return_url_refused')
    await sendAssertion(browser, credential)
    expect((await browser.session())?.user.id).toBe(userId)
  })

  it('rejects a blocked user', async () => {
    const { authenticator, userId } = await createPasskeyUser()
    await env.DIRECTORY.prepare('UPDATE users SET blocked_at = 1 WHERE id = ?').bind(userId).run()
    await userObject(userId).block()
    const browser = passkeyBrowser()

    const response = await signInWithPasskey(browser, authenticator)

    expect(await rejection(browser, response)).toBe('user_blocked')
  })

  it('does not replace the session of another user, unless the user asked to choose an account', async () => {
    const { authenticator, userId } = await createPasskeyUser()
    const other = await createPasskeyUser()
    const { browser } = other

    const response = await signInWithPasskey(browser, authenticator)
    expect(await continueUrl(response)).toBe('https://login.example/')
    expect((await browser.session())?.user.id).toBe(userId)

    await browser.post('/api/auth/signout', {})
    const request = await openSignInPage(browser)
    const credential = await authenticator.get(request)
    await browser.signIn(other.handle)
    const rejected = await sendAssertion(browser, credential)
    const page = await rejected.clone().text()
    expect(page).toMatch(/The other account: [^<]+ \(Passkey\)/)
    expect(await errorCode(rejected)).toBe('already_signed_in')
    expect((await browser.session())?.user.id).toBe(other.userId)
  })

  it('passes the stored user to the callback signIn, which may reject them', async () => {
    const signIn = vi.fn((_: SignInCallbackInput) => true)
    const { authenticator, userId } = await createPasskeyUser()
    const providers = [...options.providers, Passkey()]
    const browser = passkeyBrowser({ providers, callbacks: { signIn } })

    await signInWithPasskey(browser, authenticator)
    expect((await browser.session())?.user.id).toBe(userId)
    signIn.mockReturnValue(false)
    const other = passkeyBrowser({ providers, callbacks: { signIn } })
    const response = await signInWithPasskey(other, authenticator)

    expect(await rejection(other, response)).toBe('not_allowed')
    expect(signIn.mock.calls[0]?.[0]).toMatchObject({
      user: { id: userId, emailVerified: false },
      account: { provider: 'passkey', id: authenticator.credentialId },
      isNewUser: false,
    })
  })

  it('signs in with each of several passkeys', async () => {
    const { browser, authenticator, userId } = await createConfirmedUser()
    const second = new Authenticator()
    await addPasskey(browser, second)

    for (const one of [authenticator, second]) {
      const other = passkeyBrowser()
      await signInWithPasskey(other, one)
      expect((await other.session())?.user.id).toBe(userId)
    }
  })
})

describe('a deployment without passkeys', () => {
  it('has none of their addresses', async () => {
    const { Browser: Plain } = await import('../../browser.ts')
    const browser = new Plain()

    expect((await browser.post('/api/auth/signin/passkey', { credential: '{}' })).status).toBe(404)
    expect((await browser.get('/account/passkeys/new')).status).toBe(404)
  })
})
