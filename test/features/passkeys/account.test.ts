import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { Hono } from 'hono'
import { base64url } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import { validateOptions } from '../../../src/core/config/options.ts'
import { createConfigReader } from '../../../src/core/config/read-config.ts'
import type { AppEnv } from '../../../src/core/http/app-env.ts'
import { loadConfiguration } from '../../../src/core/http/configuration.ts'
import { readEnglish } from '../../../src/core/messages/english.ts'
import { options } from '../../../src/deployment.ts'
import {
  MAX_PASSKEYS,
  type Passkey as StoredPasskey,
} from '../../../src/features/passkeys/passkeys.ts'
import { SignInError } from '../../../src/foundation/errors/sign-in-error.ts'
import { Passkey } from '../../../src/providers.ts'
import { accountDigests } from '../../account-digests.ts'
import { type Browser, WITHOUT_TIKTOK } from '../../browser.ts'
import { advanceClock, DAY, MINUTE } from '../../clock.ts'
import { confirmation, errorCode, languageSwitchPath, unescapeHtml } from '../../html.ts'
import { signInNewUser } from '../../new-user.ts'
import { addressAfterSignIn, redirectUrl } from '../../redirect.ts'
import { unreachable, userObject } from '../../storage.ts'
import { type Algorithm, Authenticator, type Deviations } from './authenticator.ts'
import { expectOwnScripts } from './expect-own-scripts.ts'
import {
  addPasskey,
  createConfirmedUser,
  createPasskeyUser,
  openCreatePage,
  openSignInPage,
  passkeyBrowser,
  readOptions,
  sendAssertion,
  signInWithPasskey,
  usePasskey,
} from './passkey-user.ts'

/** The user's rows in the directory, by provider. */
async function listRows(userId: string) {
  const { results } = await env.DIRECTORY.prepare(
    'SELECT provider, provider_account_id AS id, label FROM accounts WHERE user_id = ? ORDER BY inserted_at',
  )
    .bind(userId)
    .all<{ provider: string; id: string; label: string }>()
  return results
}

async function accountPage(browser: Browser): Promise<string> {
  return (await browser.get('/account')).text()
}

/** What identifies the passkeys of the page in the links that remove them. */
async function removableDigests(browser: Browser): Promise<string[]> {
  const page = await accountPage(browser)
  const digests = page.matchAll(/passkeys\/name\?account=([\w-]+)/g)
  return Array.from(digests, ([, digest = '']) => digest).filter((digest) =>
    page.includes(`disconnect?account=${digest}`),
  )
}

/** The links of the account page that rename passkeys. */
async function renameLinks(browser: Browser): Promise<string[]> {
  const links = (await accountPage(browser)).matchAll(/href="(\/account\/passkeys\/name\?[^"]+)"/g)
  return Array.from(links, ([, path = '']) => unescapeHtml(path))
}

/** What identifies the passkey with this name in the links of the account page. */
async function digestOf(browser: Browser, name: string): Promise<string> {
  const page = await accountPage(browser)
  const [, entry = ''] = page.split(`<div>\u2068${name}\u2069</div>`)
  return entry.match(/name\?account=([\w-]+)/)?.[1] ?? ''
}

async function firstDigest(browser: Browser): Promise<string> {
  return (await removableDigests(browser))[0] ?? ''
}

describe('GET /account/passkeys/new', () => {
  it('asks for nothing, and shows what failed above the button', async () => {
    const { browser } = await createConfirmedUser()

    const page = await (await browser.get('/account/passkeys/new')).text()

    expect(page).not.toMatch(/<input(?! type="hidden")/)
    expect(page).toMatch(/data-existing.*data-problem.*Create passkey<\/button>/s)
  })

  it('offers to go back if the browser has no passkeys, and to cancel if it has', async () => {
    const { browser } = await createConfirmedUser()

    const page = await (await browser.get('/account/passkeys/new')).text()

    const [unsupported = '', supported = ''] = page.split('<form method="post"')
    expect(unsupported).toContain('<a href="/account">Go back</a>')
    expect(supported).toContain('<a href="/account">Cancel</a></form>')
  })

  it('is offered in other languages', async () => {
    const { browser } = await createConfirmedUser()
    const page = await (await browser.get('/account/passkeys/new')).text()

    const switched = await browser.get(languageSwitchPath(page, 'es'))

    expect(languageSwitchPath(page, 'es')).toBe('?language=es')
    expect(await switched.text()).toContain('<html lang="es">')
  })

  it('has an empty status, which says what to do while the device asks the user', async () => {
    const { browser } = await createConfirmedUser()

    const page = await (await browser.get('/account/passkeys/new')).text()

    expect(page).toContain(
      '<p role="status"><span data-waiting="true" hidden="">Follow the instructions on your device.</span></p>',
    )
  })

  it('requests a discoverable passkey with user verification and without attestation', async () => {
    const { browser, userId } = await signInNewUser(passkeyBrowser())

    const creation = await openCreatePage(browser)

    expect(creation).toMatchObject({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rp: { id: 'login.example', name: 'login.example' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      excludeCredentials: [],
    })
    expect(creation.pubKeyCredParams.map(({ alg }: { alg: number }) => alg)).toEqual([-7, -8, -257])
    expect(base64url.decode(creation.user.id)).toHaveLength(32)
    expect(JSON.stringify(creation)).not.toContain(userId)
  })

  it('shows the app that the user came from, and leads back to it afterwards', async () => {
    const { browser } = await signInNewUser(passkeyBrowser())
    await browser.get('/account?callbackUrl=https://shop.example/orders')

    const page = await (await browser.get('/account/passkeys/new')).text()
    const added = await browser.get(
      redirectUrl(await addPasskey(browser, new Authenticator())).href,
    )

    expect(page).toContain('<span class="initial app" aria-hidden="true">T</span>')
    expect(await added.text()).toContain('<a href="https://shop.example/orders">Go back to')
  })

  it('lists the passkeys that the user has, so that a device does not get a second one', async () => {
    const { browser, authenticator } = await createConfirmedUser()

    const { excludeCredentials } = await openCreatePage(browser)

    expect(excludeCredentials).toEqual([
      { type: 'public-key', id: authenticator.credentialId, transports: ['internal', 'hybrid'] },
    ])
  })

  it('sends a user who has not signed in recently to the sign-in page, and back', async () => {
    const { browser } = await signInNewUser(passkeyBrowser())
    advanceClock(10 * MINUTE)

    const url = redirectUrl(await browser.get('/account/passkeys/new'))

    expect(url.pathname).toBe('/api/auth/signin')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      callbackUrl: '/account/passkeys/new',
      prompt: 'login',
    })
    expect(await (await browser.get(url.href)).text()).toContain(
      'To continue with “Add a passkey”, sign in once more.',
    )
  })
})

describe('POST /account/passkeys', () => {
  it('stores the passkey with the user, and its id in the directory', async () => {
    const { browser, userId } = await signInNewUser(passkeyBrowser())
    const authenticator = new Authenticator()

    const response = await addPasskey(browser, authenticator)

    const { pathname, search } = redirectUrl(response, 303)
    expect(pathname).toBe('/account')
    const page = await (await browser.get(pathname + search)).text()
    expect(confirmation(page)).toBe('Your passkey has been added.')
    expect(await userObject(userId).listPasskeys()).toEqual([
      {
        credentialId: authenticator.credentialId,
        publicKey: {
          alg: 'ES256',
          kty: 'EC',
          crv: 'P-256',
          x: expect.stringMatching(/^[\w-]{43}$/),
          y: expect.stringMatching(/^[\w-]{43}$/),
        },
        counter: 0,
        transports: ['internal', 'hybrid'],
        aaguid: '00000000-0000-0000-0000-000000000000',
        isBackupEligible: true,
        isBackedUp: true,
        name: 'Passkey',
        createdAt: expect.any(Number),
      },
    ])
    expect(await listRows(userId)).toMatchObject([
      { provider: 'tiktok' },
      { provider: 'passkey', id: authenticator.credentialId, label: 'Passkey' },
    ])
    const entry = await env.DIRECTORY.prepare(
      "SELECT provider FROM audit WHERE subject = ? AND event = 'account_linked'",
    )
      .bind(userId)
      .first()
    expect(entry).toEqual({ provider: 'passkey' })
  })

  it('reports the linked account to the deployment', async () => {
    const linkAccount = vi.fn()
    const providers = [...options.providers, Passkey()]
    const browser = passkeyBrowser({ providers, events: { linkAccount } })
    const { userId, authenticator } = await createConfirmedUser(browser)

    expect(linkAccount.mock.calls[0]?.[0]).toMatchObject({
      user: { id: userId },
      account: { provider: 'passkey', issuer: '', id: authenticator.credentialId },
    })
  })

  it.each<[string, Deviations & { algorithm?: Algorithm }]>([
    ['[W1] of another origin', { origin: 'https://evil.example' }],
    ['[W2] for another RP id', { rpId: 'evil.example' }],
    ['[W3] without user verification', { isVerified: false }],
    ['[W3] without user presence', { isPresent: false }],
    ['[W6] of an assertion', { type: 'webauthn.get' }],
    ['[W8] that is backed up although it cannot be', { isBackupEligible: false, isBackedUp: true }],
    ['[W9] of an algorithm that was not requested', { algorithm: 'ES384' }],
    ['[W9] with the algorithm of another type of key', { keyParameters: [[3, -257]] }],
    ['[W9] with another type of key', { keyParameters: [[1, 3]] }],
    ['[W9] on another curve', { keyParameters: [[-1, 6]] }],
    ['[W9] with a point that is not on the curve', { keyParameters: [[-2, new Uint8Array(32)]] }],
    ['[W9] with a text as a coordinate', { keyParameters: [[-2, 'AAAA']] }],
    ['[W9] with a valid attestation', { attestationFormat: 'packed' }],
    ['[W9] with an attestation of an unknown format', { attestationFormat: 'other' }],
    ['[W9] with an attestation of the format none', { attestationFormat: 'none' }],
  ])('rejects a passkey %s', async (_, { algorithm, ...deviations }) => {
    const { browser, userId } = await signInNewUser(passkeyBrowser())

    const response = await addPasskey(browser, new Authenticator(algorithm), deviations)

    expect(await errorCode(response)).toBe('passkey_rejected')
    expect(await userObject(userId).listPasskeys()).toEqual([])
    expect(await listRows(userId)).toHaveLength(1)
  })

  it.each<[string, Deviations]>([
    ['in a frame of this service', { crossOrigin: true }],
    ['where the browser does not say so with a boolean', { crossOrigin: 'true' }],
    ['in a frame of another site', { topOrigin: 'https://evil.example' }],
  ])('[W6] rejects a passkey that was created %s', async (_, deviations) => {
    const { browser, userId } = await signInNewUser(passkeyBrowser())

    const response = await addPasskey(browser, new Authenticator(), deviations)

    expect(await errorCode(response)).toBe('request_invalid')
    expect(await userObject(userId).listPasskeys()).toEqual([])
  })

  it('[W5] accepts one of two responses with the same challenge', async () => {
    const { browser, userId } = await signInNewUser(passkeyBrowser())
    const creation = await openCreatePage(browser)
    const credentials = await Promise.all([1, 2].map(() => new Authenticator().create(creation)))

    const responses = await Promise.all(
      credentials.map((credential) => browser.post('/account/passkeys', { credential })),
    )

    expect(responses.map(({ status }) => status).toSorted()).toEqual([303, 400])
    expect(await userObject(userId).listPasskeys()).toHaveLength(1)
    expect(await listRows(userId)).toHaveLength(2)
  })

  it('[W6] rejects the challenge of a sign-in, and of another user', async () => {
    const { browser } = await signInNewUser(passkeyBrowser())
    const { challenge } = await openSignInPage(browser, { prompt: 'select_account' })
    const creation = await openCreatePage(browser)
    const credential = await new Authenticator().create({ ...creation, challenge })
    const other = await signInNewUser(passkeyBrowser())
    const ofOther = await new Authenticator().create(await openCreatePage(other.browser))
    for (const [name, value] of other.browser.cookies) {
      if (name.includes('attempt')) browser.cookies.set(name, value)
    }

    for (const one of [credential, ofOther]) {
      const response = await browser.post('/account/passkeys', { credential: one })
      expect(await errorCode(response)).toBe('attempt_missing')
    }
  })

  it('[W7] rejects the credential id of a passkey of another user, and changes nothing', async () => {
    const victim = await createConfirmedUser()
    const attacker = await signInNewUser(passkeyBrowser())
    const { credentialId } = victim.authenticator
    const before = await userObject(victim.userId).listPasskeys()

    const response = await addPasskey(attacker.browser, new Authenticator(), { credentialId })

    expect(await errorCode(response)).toBe('account_taken')
    expect(await userObject(attacker.userId).listPasskeys()).toEqual([])
    expect(await userObject(victim.userId).listPasskeys()).toEqual(before)
    const browser = passkeyBrowser()
    await signInWithPasskey(browser, victim.authenticator)
    expect((await browser.session())?.user.id).toBe(victim.userId)
  })

  it('requires a recent sign-in when the response arrives', async () => {
    const { browser, userId } = await signInNewUser(passkeyBrowser())
    advanceClock(9 * MINUTE)
    const credential = await new Authenticator().create(await openCreatePage(browser))
    advanceClock(2 * MINUTE)

    const response = await browser.post('/account/passkeys', { credential })

    expect(addressAfterSignIn(response)).toBe('/account/passkeys/new')
    expect(await userObject(userId).listPasskeys()).toEqual([])
  })

  it.each([
    ['where it is kept', 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd', 'iCloud Keychain'],
    ['the browser that created it', '00000000-0000-0000-0000-000000000000', 'Safari, iPhone'],
  ])('names the passkey after %s, and numbers further ones', async (_, aaguid, name) => {
    const { browser, userId } = await createConfirmedUser()

    for (const authenticator of [new Authenticator(), new Authenticator(), new Authenticator()]) {
      const credential = await authenticator.create(await openCreatePage(browser), { aaguid })
      await browser.post(
        '/account/passkeys',
        { credential },
        { 'User-Agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0) Version/19.0 Safari/604.1' },
      )
    }

    const names = (await userObject(userId).listPasskeys()).map((passkey) => passkey.name)
    expect(names.toSorted()).toEqual(['Passkey', name, `${name} 2`, `${name} 3`].toSorted())
    expect((await listRows(userId)).map(({ label }) => label)).toContain(`${name} 3`)
  })

  it('[M6] rejects a post of another site', async () => {
    const { browser } = await signInNewUser(passkeyBrowser())
    const credential = await new Authenticator().create(await openCreatePage(browser))

    const response = await browser.post(
      '/account/passkeys',
      { credential },
      { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://shop.example' },
    )

    expect(await errorCode(response)).toBe('cross_site')
  })

  it.each(['/account/passkeys', '/account/passkeys/name'])(
    '[M6] %s checks the origin itself, without the middleware of other routes',
    async (path) => {
      const { declared } = validateOptions(
        { ...options, providers: [...options.providers, Passkey()] },
        readEnglish,
      )
      const app = new Hono<AppEnv>().use(loadConfiguration(createConfigReader(declared)))
      for (const { method } of declared.localProviders) {
        if (method.routes) app.route('/', method.routes())
      }
      app.onError((error) => new Response(error instanceof SignInError ? error.code : 'other'))

      const response = await app.request(
        path,
        { method: 'POST', headers: { Origin: 'https://shop.example' }, body: new FormData() },
        env,
      )

      expect(await response.text()).toBe('cross_site')
    },
  )

  it(`[R2] stores at most ${MAX_PASSKEYS} passkeys`, async () => {
    const { browser, userId, authenticator } = await createConfirmedUser()
    const [first] = await userObject(userId).listPasskeys()
    const creation = await openCreatePage(browser)
    for (let n = 1; n < MAX_PASSKEYS; n++) {
      const passkey = { ...(first as StoredPasskey), credentialId: `id-${n}` }
      expect(await userObject(userId).addPasskey(passkey)).toBe(true)
    }

    const credential = await new Authenticator().create(creation)
    const response = await browser.post('/account/passkeys', { credential })

    expect(await errorCode(response)).toBe('passkey_rejected')
    expect(await userObject(userId).listPasskeys()).toHaveLength(MAX_PASSKEYS)
    expect(redirectUrl(await browser.get('/account/passkeys/new')).pathname).toBe('/account')
    expect(await accountPage(browser)).not.toContain('/account/passkeys/new')
    expect(await userObject(userId).findPasskey(authenticator.credentialId)).toBeDefined()
  })

  it('[Q1] stores nothing if the directory fails', async () => {
    const { browser, userId } = await signInNewUser(passkeyBrowser())
    const credential = await new Authenticator().create(await openCreatePage(browser))
    const DIRECTORY = new Proxy(env.DIRECTORY, {
      get: (target, name) =>
        name === 'batch'
          ? () => Promise.reject(new Error('D1_ERROR: overloaded'))
          : Reflect.get(target, name).bind(target),
    })
    const failing = passkeyBrowser({}, { DIRECTORY }).withCookiesOf(browser)

    const response = await failing.post('/account/passkeys', { credential })

    expect(response.status).toBe(503)
    expect(await userObject(userId).listPasskeys()).toEqual([])
  })
})

describe('GET /account', () => {
  it('lists the passkeys of the user with the other ways to sign in', async () => {
    const { browser } = await createPasskeyUser()

    const page = await accountPage(browser)

    const [, section = ''] = page.split('<h2>Ways to sign in</h2>')
    const [list = ''] = section.split('</ul>')
    expect(list.match(/<li class="row">/g)).toHaveLength(2)
    expect(list).toContain('<strong>TikTok</strong>')
    expect(list).toContain('<strong>Passkey</strong><div>\u2068Passkey\u2069</div>')
    expect(list).toContain('not used yet')
    expect(list).toContain('available on several devices')
    expect(list).toContain('aria-label="Rename (\u2068Passkey\u2069)"')
    expect(list).toContain('aria-label="Remove passkey (\u2068Passkey\u2069)"')
  })

  it('offers no removal of the only way to sign in', async () => {
    const { browser, userId, authenticator } = await createConfirmedUser()
    await env.DIRECTORY.prepare("DELETE FROM accounts WHERE user_id = ? AND provider = 'tiktok'")
      .bind(userId)
      .run()

    expect(await firstDigest(browser)).toBe('')
    expect(await accountPage(browser)).toContain('Your only way to sign in')
    const digest = await crypto.subtle.digest(
      'SHA-256',
      new TextEncoder().encode(`passkey  ${authenticator.credentialId}`),
    )
    const account = base64url.encode(new Uint8Array(digest))
    const response = await browser.post('/account/disconnect', { account })
    expect(await errorCode(response)).toBe('request_invalid')
    expect(await userObject(userId).listPasskeys()).toHaveLength(1)
  })
})

describe('GET /account/passkeys/name', () => {
  it('is linked for each passkey, and shows its current name', async () => {
    const { browser } = await createConfirmedUser()
    await addPasskey(browser, new Authenticator())
    const account = await digestOf(browser, 'Passkey 2')
    await browser.post('/account/passkeys/name', { account, name: 'Mia’s "tablet"' })

    const names = await Promise.all(
      (await renameLinks(browser)).map(async (path) => {
        const response = await browser.get(path)
        await expectOwnScripts(response.clone())
        const page = await response.text()
        expect(page).toContain('<h1>Rename passkey</h1>')
        expect(page).toContain('<a href="/account">Cancel</a>')
        return unescapeHtml(page.match(/ name="name"[^>]* value="([^"]*)"/)?.[1] ?? '')
      }),
    )

    expect(names.toSorted()).toEqual(['Mia’s "tablet"', 'Passkey'])
  })

  it('is linked for the only way to sign in, too', async () => {
    const { browser, userId } = await createConfirmedUser()
    await env.DIRECTORY.prepare("DELETE FROM accounts WHERE user_id = ? AND provider = 'tiktok'")
      .bind(userId)
      .run()

    const [path = ''] = await renameLinks(browser)

    expect((await browser.get(path)).status).toBe(200)
  })

  it('does not reveal the credential id', async () => {
    const { browser, authenticator } = await createConfirmedUser()
    const [path = ''] = await renameLinks(browser)

    const pages = (await accountPage(browser)) + (await (await browser.get(path)).text())

    expect(pages).not.toContain(authenticator.credentialId)
  })

  it('sends a user who has not signed in recently to the sign-in page, and back', async () => {
    const { browser, authenticator } = await createConfirmedUser()
    const [path = ''] = await renameLinks(browser)
    advanceClock(10 * MINUTE)

    const asked = await browser.get(path)
    const question = await (await browser.get(redirectUrl(asked, 303).href)).text()
    const response = await usePasskey(browser, question, { authenticator })

    expect(addressAfterSignIn(asked)).toBe(path)
    expect(question).toContain('To continue with “Rename passkey”, sign in once more.')
    expect(response.headers.get('Refresh')).toBe(`0; url=https://login.example${path}`)
    expect((await browser.get(path)).status).toBe(200)
  })

  it('is offered in other languages', async () => {
    const { browser } = await createConfirmedUser()
    const [path = ''] = await renameLinks(browser)

    const switchPath = languageSwitchPath(await (await browser.get(path)).text(), 'es')

    expect(switchPath).toBe(`${path.slice(path.indexOf('?'))}&language=es`)
    expect(await (await browser.get(switchPath)).text()).toContain(
      '<h1>Cambiar nombre de la llave de acceso</h1>',
    )
  })

  it('[W7] does not show a passkey of another user, nor an account of another provider', async () => {
    const victim = await createConfirmedUser()
    const { browser } = await createConfirmedUser()
    const [platformAccount = ''] = await accountDigests(browser)

    for (const account of [await firstDigest(victim.browser), platformAccount, 'x']) {
      const response = await browser.get(`/account/passkeys/name?account=${account}`)
      expect(response.status).toBe(404)
      expect(await response.text()).toContain('<h1>This way to sign in is not in your account</h1>')
    }
  })

  it('responds with 404 for a passkey that the object of the user does not have', async () => {
    const { browser, userId, authenticator } = await createConfirmedUser()
    const [path = ''] = await renameLinks(browser)
    await userObject(userId).removePasskey(authenticator.credentialId)

    expect((await browser.get(path)).status).toBe(404)
  })

  it('requires the account', async () => {
    const { browser } = await createConfirmedUser()

    const response = await browser.get('/account/passkeys/name')

    expect(await errorCode(response)).toBe('request_invalid')
  })
})

describe('POST /account/passkeys/name', () => {
  it('renames the passkey of the page, also in the directory', async () => {
    const { browser, userId } = await createConfirmedUser()
    await addPasskey(browser, new Authenticator())
    const account = await digestOf(browser, 'Passkey')

    const response = await browser.post('/account/passkeys/name', { account, name: 'Old phone' })

    const page = await (await browser.get(redirectUrl(response, 303).href)).text()
    expect(confirmation(page)).toBe('Your passkey has been renamed.')
    const passkeys = await userObject(userId).listPasskeys()
    expect(passkeys.map(({ name }) => name).toSorted()).toEqual(['Old phone', 'Passkey 2'])
    const labels = (await listRows(userId)).slice(1).map(({ label }) => label)
    expect(labels).toEqual(['Old phone', 'Passkey 2'])
    expect(page).toContain('<div>\u2068Old phone\u2069</div>')
  })

  it('requires a recent sign-in when the form arrives, after which the page is opened again', async () => {
    const { browser, userId } = await createConfirmedUser()
    const [path = ''] = await renameLinks(browser)
    const account = await firstDigest(browser)
    advanceClock(10 * MINUTE)

    const response = await browser.post('/account/passkeys/name', { account, name: 'Old phone' })

    expect(addressAfterSignIn(response)).toBe(path)
    expect(await userObject(userId).listPasskeys()).toMatchObject([{ name: 'Passkey' }])
  })

  it('requires a name', async () => {
    const { browser, userId } = await createConfirmedUser()
    const account = await firstDigest(browser)

    const response = await browser.post('/account/passkeys/name', { account, name: ' \u0007 ' })

    expect(await errorCode(response)).toBe('request_invalid')
    expect(await userObject(userId).listPasskeys()).toMatchObject([{ name: 'Passkey' }])
  })

  it('[W7] does not rename a passkey of another user, nor an account of another provider', async () => {
    const victim = await createConfirmedUser()
    const { browser, userId } = await createConfirmedUser()
    const [platformAccount = ''] = await accountDigests(browser)
    const rows = await listRows(userId)

    for (const account of [await firstDigest(victim.browser), platformAccount, 'x']) {
      const response = await browser.post('/account/passkeys/name', { account, name: 'Mine' })
      expect(response.status).toBe(404)
      expect(await errorCode(response)).toBe('not_found')
    }

    expect(await userObject(victim.userId).listPasskeys()).toMatchObject([{ name: 'Passkey' }])
    expect(await listRows(userId)).toEqual(rows)
  })

  it('[M6] rejects a post of another site', async () => {
    const { browser, userId } = await createConfirmedUser()
    const account = await firstDigest(browser)

    const response = await browser.post(
      '/account/passkeys/name',
      { account, name: 'Theirs' },
      { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://shop.example' },
    )

    expect(await errorCode(response)).toBe('cross_site')
    expect(await userObject(userId).listPasskeys()).toMatchObject([{ name: 'Passkey' }])
  })
})

describe('POST /account/disconnect', () => {
  it('removes a passkey, and ends all sessions', async () => {
    const { browser, userId, authenticator } = await createConfirmedUser()
    const other = passkeyBrowser()
    await signInWithPasskey(other, authenticator)

    const account = await firstDigest(browser)
    const question = await (await browser.get(`/account/disconnect?account=${account}`)).text()
    expect(question).toContain('<h1>Remove this passkey?</h1>')
    expect(question).toContain('\u2068Passkey\u2069')
    const confirmation = await browser.post('/account/disconnect', { account })

    expect(await confirmation.text()).toContain('<h1>The passkey is removed</h1>')
    expect(await userObject(userId).listPasskeys()).toEqual([])
    expect(await listRows(userId)).toMatchObject([{ provider: 'tiktok' }])
    expect(await other.session()).toBeNull()
    const response = await signInWithPasskey(passkeyBrowser(), authenticator)
    expect(await errorCode(response)).toBe('passkey_unknown')
  })

  it('[Q1] makes a passkey useless even if the object of the user does not respond', async () => {
    const { browser, authenticator, userId } = await createConfirmedUser()
    const account = await firstDigest(browser)
    await env.DIRECTORY.prepare("DELETE FROM accounts WHERE user_id = ? AND provider = 'passkey'")
      .bind(userId)
      .run()
    const failing = passkeyBrowser({}, { USERS: unreachable(env.USERS) }).withCookiesOf(browser)
    expect((await failing.post('/account/disconnect', { account })).status).toBe(503)

    const response = await signInWithPasskey(passkeyBrowser(), authenticator)

    expect(await errorCode(response)).toBe('passkey_unknown')
  })

  it('keeps the only passkey of a user whose other account is at a provider that is disabled', async () => {
    const { browser, userId } = await createConfirmedUser()
    const [account = ''] = await removableDigests(browser)
    const settings = {
      ...WITHOUT_TIKTOK,
      AUTH_GITLAB_ID: 'git-client',
      AUTH_GITLAB_SECRET: 'git-secret-7Hk2',
      AUTH_GITLAB_ISSUER: 'https://git.example',
    }
    const withoutTikTok = passkeyBrowser({}, settings).withCookiesOf(browser)

    const response = await withoutTikTok.post('/account/disconnect', { account })

    expect(response.status).toBe(400)
    expect(await userObject(userId).listPasskeys()).toHaveLength(1)
    expect(await listRows(userId)).toHaveLength(2)
  })

  it('keeps one of the last two passkeys if both are removed at the same time', async () => {
    const { browser, userId } = await createConfirmedUser()
    await addPasskey(browser, new Authenticator())
    await env.DIRECTORY.prepare("DELETE FROM accounts WHERE user_id = ? AND provider = 'tiktok'")
      .bind(userId)
      .run()
    const digests = await removableDigests(browser)
    expect(digests).toHaveLength(2)

    await Promise.all(digests.map((account) => browser.post('/account/disconnect', { account })))

    const [row, ...others] = await listRows(userId)
    expect(others).toEqual([])
    expect(
      (await userObject(userId).listPasskeys()).map(({ credentialId }) => credentialId),
    ).toEqual([row?.id])
  })
})

describe('the passkeys of a user', () => {
  it('are part of the export, with their public keys', async () => {
    const { browser, userId, authenticator } = await createConfirmedUser()
    const [stored] = await userObject(userId).listPasskeys()

    const document = await (await browser.post('/account/export', {})).json()

    expect(document).toMatchObject({
      passkeys: [
        {
          credential_id: authenticator.credentialId,
          public_key: stored?.publicKey,
          name: 'Passkey',
          is_backed_up: true,
        },
      ],
    })
  })

  it('are part of the export as changes, without the digest of a session', async () => {
    const { browser, authenticator } = await createConfirmedUser()

    const document = await (await browser.post('/account/export', {})).json<object>()

    expect(Reflect.get(document, 'sign_in_changes')).toEqual([
      {
        kind: 'added',
        provider: 'passkey',
        account: `passkey  ${authenticator.credentialId}`,
        label: 'Passkey',
        at: expect.any(Number),
      },
    ])
  })

  it('are named on the page that deletes the user, because they may remain on their devices', async () => {
    const { browser } = await createConfirmedUser()

    const page = await (await browser.get('/account/delete')).text()

    expect(page).toContain('<li>Your passkeys no longer work here. If they remain on your devices')
  })

  it('are deleted with the user', async () => {
    const { browser, userId, authenticator } = await createConfirmedUser()

    await browser.post('/account/delete', {})

    expect(await userObject(userId).listPasskeys()).toEqual([])
    expect(await listRows(userId)).toEqual([])
    const response = await signInWithPasskey(passkeyBrowser(), authenticator)
    expect(await errorCode(response)).toBe('passkey_unknown')
  })

  it('are kept when all sessions have ended', async () => {
    const { browser, userId, authenticator } = await createConfirmedUser()
    await browser.post('/api/auth/signout', {})
    advanceClock(40 * DAY)
    await runDurableObjectAlarm(userObject(userId))

    const other = passkeyBrowser()
    await signInWithPasskey(other, authenticator)

    expect((await other.session())?.user.id).toBe(userId)
  })

  it('cannot be added to a user who was deleted or blocked meanwhile', async () => {
    const { userId } = await createConfirmedUser()
    const [passkey] = (await userObject(userId).listPasskeys()) as [StoredPasskey]
    await userObject(userId).block()

    expect(await userObject(userId).addPasskey({ ...passkey, credentialId: 'x' })).toBe(false)
  })
})

describe('a user who is signed in', () => {
  it('[W10] can confirm with a passkey where a recent sign-in is required', async () => {
    const { browser, authenticator, userId, handle } = await createConfirmedUser()
    await browser.post('/api/auth/signout', {})
    await browser.signIn(handle)
    const asked = await browser.get('/account/delete')
    const html = await (await browser.get(redirectUrl(asked, 303).href)).text()
    const request = readOptions(html)

    expect(html.match(/To continue with “Delete your account”, sign in/g)).toHaveLength(1)
    expect(html).not.toContain('To continue, confirm')
    expect(html).toContain('Confirm with your passkey')
    expect(request.allowCredentials.map(({ id }: { id: string }) => id)).toEqual([
      authenticator.credentialId,
    ])
    const sid = (await userObject(userId).readUserData()).sessions[0]?.sid
    const response = await usePasskey(browser, html, { authenticator })
    expect(response.headers.get('Refresh')).toBe('0; url=https://login.example/account/delete')
    expect((await browser.get('/account/delete')).status).toBe(200)
    expect((await userObject(userId).readUserData()).sessions).toMatchObject([{ sid }])
  })

  it('[W10] cannot confirm with the passkey of another user', async () => {
    const { browser, userId } = await createConfirmedUser()
    const other = await createConfirmedUser()
    advanceClock(10 * MINUTE)
    const asked = redirectUrl(await browser.get('/account/delete'), 303)
    const request = readOptions(await (await browser.get(asked.href)).text())

    const response = await sendAssertion(browser, await other.authenticator.get(request))

    expect(await errorCode(response)).toBe('passkey_rejected')
    expect((await browser.session())?.user.id).toBe(userId)
    expect(addressAfterSignIn(await browser.get('/account/delete'))).toBe('/account/delete')
  })

  it('[W10] is asked for the passkey where the sign-in page asks to sign in again', async () => {
    const { browser, authenticator, userId } = await createConfirmedUser()

    const request = await openSignInPage(browser, { prompt: 'login', callbackUrl: '/account' })
    const credential = await authenticator.get(request, { userHandle: null })
    await sendAssertion(browser, credential)

    expect(request.allowCredentials).toHaveLength(1)
    expect((await browser.session())?.user.id).toBe(userId)
  })

  it('is not offered a passkey without having one where the sign-in page asks to sign in again', async () => {
    const { browser } = await signInNewUser(passkeyBrowser())

    const response = await browser.get('/api/auth/signin?prompt=login&callbackUrl=/account')

    const html = await response.text()
    expect(html).toContain('Confirm it’s you')
    expect(html).toContain('Sign in with TikTok')
    expect(html).not.toContain('id="passkey"')
    expect(html).not.toContain('id="passkey"')
    expect(browser.cookieNames('attempt.')).toEqual([])
  })

  it.each([
    ['after another user has signed in with one in this browser', { lastUsed: 'passkey' }],
    ['to choose another account', { prompt: 'select_account' }],
    ['on the page that offers to continue', { prompt: '' }],
  ])(
    'is offered a passkey without having one %s',
    async (_, { lastUsed, prompt = 'login' }: { lastUsed?: string; prompt?: string }) => {
      const { browser } = await signInNewUser(passkeyBrowser())
      if (lastUsed) browser.cookies.set('__Host-vestibule.provider', lastUsed)

      const page = await browser.get(`/api/auth/signin?${prompt && `prompt=${prompt}`}`)

      expect(await page.text()).toContain('Sign in with a passkey')
    },
  )

  it('is not asked for a passkey without having one', async () => {
    const { browser } = await signInNewUser(passkeyBrowser())
    advanceClock(10 * MINUTE)

    const asked = redirectUrl(await browser.get('/account/delete'), 303)
    const html = await (await browser.get(asked.href)).text()

    expect(html).toContain('Confirm it’s you')
    expect(html).not.toContain('data-options')
    expect(html).not.toContain('id="passkey"')
  })

  it('keeps the account of the session when confirming', async () => {
    const { browser, authenticator, handle, userId } = await createConfirmedUser()
    await browser.post('/api/auth/signout', {})
    await browser.signIn(handle)
    const request = await openSignInPage(browser, { prompt: 'login' })
    await sendAssertion(browser, await authenticator.get(request))

    const overview = await userObject(userId).readUserData()

    expect(overview.accounts).toMatchObject([{ provider: 'tiktok' }])
    expect(overview.sessions).toHaveLength(1)
  })
})
