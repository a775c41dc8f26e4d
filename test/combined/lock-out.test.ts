import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { recordSignIn } from '../../src/core/users/directory.ts'
import { listAccounts } from '../../src/core/users/linked-accounts.ts'
import { options } from '../../src/deployment.ts'
import { accountDigests } from '../account-digests.ts'
import { type Browser, LOGIN, SHOP, WITHOUT_TIKTOK } from '../browser.ts'
import { advanceClock, DAY, MINUTE, stopClock } from '../clock.ts'
import { continueUrl } from '../continue-url.ts'
import { RelyingApp } from '../core/oidc/relying-app.ts'
import { approveConsent } from '../core/oidc/user-steps.ts'
import { configReaderWith } from '../deployment.ts'
import { connectMachine } from '../features/admin/machine-client.ts'
import { confirmation, findLink } from '../html.ts'
import { signInNewUser } from '../new-user.ts'
import { addressAfterSignIn, redirectUrl } from '../redirect.ts'
import { confirmMethods, failingAt, linkedProviders, userObject } from '../storage.ts'
import { addAsStranger, type Deployment, deployment, METHODS, signInElsewhere } from './stranger.ts'

const QUESTION = 'Did you add this way to sign in?'

/** Everything that changes the account, sent as the pages do. Returns the responses that allow it. */
async function tryChanges(browser: Browser, accounts: readonly string[]): Promise<string[]> {
  const allowed: string[] = []
  const attempt = async (name: string, response: Response) => {
    if (addressAfterSignIn(response) === undefined) allowed.push(`${name} ${response.status}`)
  }
  for (const page of ['delete', 'link', 'passkeys/new']) {
    await attempt(page, await browser.get(`/account/${page}`))
  }
  for (const account of accounts) {
    for (const page of ['disconnect', 'confirm', 'passkeys/name']) {
      await attempt(page, await browser.get(`/account/${page}?account=${account}`))
    }
    await attempt('confirm', await browser.post('/account/confirm', { account }))
    await attempt('disconnect', await browser.post('/account/disconnect', { account }))
  }
  for (const sid of ['others', 'ses_1']) {
    await attempt('sessions', await browser.post('/account/sessions', { sid }))
  }
  await attempt('consents', await browser.post('/account/consents', { client_id: 'kiosk' }))
  await attempt('export', await browser.post('/account/export', {}))
  await attempt('delete', await browser.post('/account/delete', {}))
  return allowed
}

async function readText(browser: Browser, path = '/account'): Promise<string> {
  return (await browser.get(path)).text()
}

function confirm(browser: Browser, account: string): Promise<Response> {
  return browser.post('/account/confirm', { account })
}

const CONFIRMED = '/account?done=methodConfirmed'

describe('a stranger who has added a method in an unlocked browser', () => {
  it.each(METHODS)('[S6][L14] can sign in with it, and change nothing, now: %s', async (method) => {
    const service = deployment()
    const { laptop, userId, tiktok, added } = await addAsStranger(service, method)
    const own = service.open()

    await service.methods[method].signIn(own)
    // For an app, where every method is offered to confirm.
    await service.methods[method].signIn(laptop, { prompt: 'login', callbackUrl: SHOP })

    expect((await own.session())?.user.id).toBe(userId)
    for (const browser of [own, laptop]) {
      expect(await tryChanges(browser, [tiktok, added])).toEqual([])
    }
    expect(await linkedProviders(userId)).toEqual(['tiktok', method])
  })

  it.each(METHODS)(
    '[S6][L14] can change nothing on the eighth day, and the owner can: %s',
    async (method) => {
      const service = deployment()
      const { handle, userId, tiktok, added } = await addAsStranger(service, method)
      advanceClock(8 * DAY)
      const stranger = service.open()
      await service.methods[method].signIn(stranger)

      expect(await tryChanges(stranger, [tiktok, added])).toEqual([])
      const owner = await signInElsewhere(service, handle)
      expect((await owner.post('/account/export', {})).status).toBe(200)
      expect((await owner.get('/account/delete')).status).toBe(200)
      expect((await owner.get('/account/link')).status).toBe(200)
      await owner.post('/account/disconnect', { account: added })

      expect(await linkedProviders(userId)).toEqual(['tiktok'])
      expect(await stranger.session()).toBeNull()
      const again = service.open()
      await service.methods[method].signIn(again)
      expect((await again.session())?.user.id).not.toBe(userId)
    },
  )

  it.each(METHODS)(
    '[S6] cannot remove what was there before in the same session: %s',
    async (method) => {
      const service = deployment()
      const { laptop, userId, handle, tiktok } = await addAsStranger(service, method)

      const page = await laptop.get(`/account/disconnect?account=${tiktok}`)
      await laptop.post('/account/disconnect', { account: tiktok })

      expect(page.headers.get('Location')).toBe('/account')
      expect(await linkedProviders(userId)).toEqual(['tiktok', method])
      // All sessions have ended, as after the removal of the only method.
      expect(await laptop.session()).toBeNull()
      const owner = await signInElsewhere(service, handle)
      expect((await owner.session())?.user.id).toBe(userId)
    },
  )

  it('[S6] changes neither the name nor the address of the user by signing in with it', async () => {
    const service = deployment()
    const owner = service.open()
    const { userId } = await signInNewUser(owner)
    const read = () =>
      env.DIRECTORY.prepare('SELECT name, email, image FROM users WHERE id = ?')
        .bind(userId)
        .first()
    const address = 'owner@acme.example'
    await env.DIRECTORY.batch([
      env.DIRECTORY.prepare('UPDATE users SET email = ?2 WHERE id = ?1').bind(userId, address),
      env.DIRECTORY.prepare('UPDATE accounts SET verified_email = ?2 WHERE user_id = ?1').bind(
        userId,
        address,
      ),
    ])
    const before = await read()
    await owner.start({ prompt: 'login', callbackUrl: '/account' })
    await service.methods.gitlab.add(owner)
    const stranger = service.open()

    await service.methods.gitlab.signIn(stranger)

    expect((await stranger.session())?.user.id).toBe(userId)
    expect(await read()).toEqual(before)
    await confirmMethods(userId)
    await service.methods.gitlab.signIn(service.open())
    expect(await read()).toMatchObject({ name: 'A stranger', email: service.stranger.email })
  })

  it('[S6] cannot sign the owner out elsewhere, nor end what apps have', async () => {
    const service = deployment()
    const { userId, handle } = await addAsStranger(service, 'passkey')
    const owner = await signInElsewhere(service, handle)
    const url = await new RelyingApp('kiosk').authorizationUrl()
    await approveConsent(owner, await owner.get(url))
    const read = async () => {
      const { sessions, consents } = await userObject(userId).readUserData()
      return { sids: sessions.map(({ sid }) => sid), consents }
    }
    const stranger = service.open()
    await service.methods.passkey.signIn(stranger)
    const before = await read()

    for (const sid of ['others', ...before.sids]) {
      await stranger.post('/account/sessions', { sid })
    }
    await stranger.post('/account/consents', { client_id: 'kiosk' })

    expect(before.sids).toHaveLength(3)
    expect(before.consents).toMatchObject([{ clientId: 'kiosk' }])
    expect(await read()).toEqual(before)
    await owner.post('/account/consents', { client_id: 'kiosk' })
    await owner.post('/account/sessions', { sid: 'others' })
    expect(await read()).toEqual({ sids: [await owner.sid()], consents: [] })
  })

  it('[S6] cannot sign the owner out by signing in often', { timeout: 60_000 }, async () => {
    const service = deployment()
    const { userId, handle } = await addAsStranger(service, 'credentials')
    const owner = await signInElsewhere(service, handle)
    const user = (await owner.session())?.user
    for (let other = 1; other <= 100; other++) {
      await userObject(userId).openSession({
        secretDigest: `k${other}`,
        sid: `ses_${other}`,
        attempt: `a${other}`,
        claimedAt: 0,
        level: 'unconfirmed',
        user: user as never,
      })
    }

    expect(await owner.session()).not.toBeNull()
    expect((await userObject(userId).readUserData()).sessions).toHaveLength(100)
  })

  it('[S6] cannot remove both older methods at the same time', async () => {
    const service = deployment()
    const { laptop, userId, tiktok } = await addAsStranger(service, 'gitlab')
    await confirmMethods(userId)
    const [, gitlab = ''] = await accountDigests(laptop)
    await service.methods.passkey.add(laptop)

    await Promise.all([
      laptop.post('/account/disconnect', { account: tiktok }),
      laptop.post('/account/disconnect', { account: gitlab }),
    ])

    const [first, ...others] = await linkedProviders(userId)
    expect(['tiktok', 'gitlab']).toContain(first)
    expect(others).toEqual(['passkey'])
  })

  it('[S6] cannot add a second method with the first; one added with TikTok is as unconfirmed', async () => {
    const service = deployment()
    const { laptop, userId, handle } = await addAsStranger(service, 'passkey')
    await service.methods.email.add(laptop)
    const stranger = service.open()

    advanceClock(8 * DAY)
    for (const method of ['passkey', 'email'] as const) {
      await service.methods[method].signIn(stranger, { prompt: 'login' })
      expect(await tryChanges(stranger, await accountDigests(stranger)), method).toEqual([])
    }
    const owner = await signInElsewhere(service, handle)
    const page = await readText(owner)

    expect(page.split(QUESTION)).toHaveLength(3)
    expect(await linkedProviders(userId)).toEqual(['tiktok', 'passkey', 'email'])
  })

  it('[S6] cannot confirm it with another method that is unconfirmed', async () => {
    const service = deployment()
    const { laptop, added } = await addAsStranger(service, 'passkey')
    await service.methods.email.add(laptop)
    advanceClock(2 * DAY)
    const stranger = service.open()
    await service.methods.email.signIn(stranger)

    const response = await confirm(stranger, added)

    expect(addressAfterSignIn(response)).toBe(`/account/confirm?account=${added}`)
  })

  it('[S6] is not led in by confirming an app with it: the sign-in before counts no longer', async () => {
    const service = deployment()
    const { laptop, tiktok, added } = await addAsStranger(service, 'passkey')
    const url = await new RelyingApp('shop').authorizationUrl({ prompt: 'login' })
    const page = await readText(laptop, redirectUrl(await laptop.get(url)).href)

    const { searchParams } = new URL(findLink(page, 'signin/tiktok?'), LOGIN)
    await service.methods.passkey.signIn(laptop, Object.fromEntries(searchParams))

    expect(await tryChanges(laptop, [tiktok, added])).toEqual([])
  })

  it('[S6] gains nothing if it is added again, or under the id of another app of the developer', async () => {
    const config = configReaderWith({ providers: options.providers })(env)
    const { handle, userId } = await signInNewUser()
    const unionId = crypto.randomUUID()
    const account = (accountId: string) => ({
      provider: 'tiktok',
      issuer: '',
      accountId,
      clientId: 'another app',
      scope: undefined,
      user: { id: accountId, unionId },
    })
    await env.DIRECTORY.prepare(
      `INSERT INTO accounts (provider, issuer, provider_account_id, user_id, client_id, union_id, created_at, updated_at, unconfirmed_sid)
       VALUES ('tiktok', '', ?1, ?2, 'an app', ?3, 9, 9, 'ses_1')`,
    )
      .bind(`${handle}-1`, userId, unionId)
      .run()

    const results = [
      await recordSignIn(env, config, { account: account(`${handle}-1`), origin: {} }),
      await recordSignIn(env, config, { account: account(`${handle}-2`), origin: {} }),
    ]

    for (const result of results) expect(result).toMatchObject({ user: { id: userId } })
    const marks = (await listAccounts(env, userId)).map(({ unconfirmedSid }) => unconfirmedSid)
    expect(marks.toSorted()).toEqual(['ses_1', 'ses_1', undefined])
  })
})

describe('a user with an unconfirmed method', () => {
  it('[S6] is told at every sign-in for an app, in every browser, and continues to the app', async () => {
    const service = deployment()
    const { laptop, handle } = await addAsStranger(service, 'passkey')
    const elsewhere = service.open()

    for (const browser of [elsewhere, elsewhere, laptop, laptop]) {
      const response = await browser.signIn(handle, { callbackUrl: `${SHOP}/cart` })
      const account = redirectUrl(response)
      const page = await readText(browser, account.href)

      expect(account.pathname).toBe('/account')
      expect(page).toContain(`${QUESTION} If not, remove it.`)
      expect(page).toContain('Continue to The shop')
      expect(page).not.toContain('Your ways to sign in have changed.')
      await browser.post('/api/auth/signout', {})
    }
    const stranger = service.open()
    const own = await service.methods.passkey.signIn(stranger, { callbackUrl: `${SHOP}/cart` })
    expect(await continueUrl(own)).toBe(`${SHOP}/cart`)
  })

  it('[S6] is told about it by a sign-in with another one, also if its form is sent twice', async () => {
    const service = deployment()
    const { laptop } = await addAsStranger(service, 'passkey')
    await service.methods.email.add(laptop)
    const owner = service.open()
    const posts: Parameters<Browser['post']>[] = []
    const post = owner.post.bind(owner)
    owner.post = (...args) => {
      posts.push(args)
      return post(...args)
    }

    const first = await service.methods.email.signIn(owner, { callbackUrl: `${SHOP}/cart` })
    const [path, form] = posts.at(-1) ?? ['', {}]
    const second = await post(path, form)

    for (const response of [first, second]) {
      expect(new URL(await continueUrl(response)).pathname).toBe('/account')
    }
  })

  it('[S6] is told from when on, and how, it can be confirmed', async () => {
    const service = deployment()
    const { laptop, handle, added } = await addAsStranger(service, 'passkey')

    const now = await readText(laptop)
    advanceClock(DAY)
    const sameSession = await readText(laptop)
    const owner = await signInElsewhere(service, handle)
    const later = await readText(owner)

    const how = /To confirm it, sign out and sign in again with \u2068TikTok\u2069, on .+ or later/
    for (const page of [now, sameSession]) {
      expect(page).toMatch(how)
      expect(page).not.toContain('/account/confirm')
      expect(page).toContain('<strong>Not confirmed</strong>')
      expect(page).toContain('Your only confirmed way to sign in. To remove it, first confirm')
    }
    expect(later).not.toMatch(how)
    expect(findLink(later, '/account/confirm')).toBe(`/account/confirm?account=${added}`)
  })

  it('[S6] confirms it a day later in another session; it then proves most', async () => {
    const service = deployment()
    const { handle, userId, added } = await addAsStranger(service, 'passkey')
    advanceClock(DAY)
    const owner = await signInElsewhere(service, handle)

    const page = await readText(owner, `/account/confirm?account=${added}`)
    const response = await confirm(owner, added)
    const done = await readText(owner, CONFIRMED)

    expect(page).toContain(`<h1>${QUESTION}</h1>`)
    expect(page).toContain(`href="/account/disconnect?account=${added}"`)
    expect(redirectUrl(response, 303).href).toBe(LOGIN + CONFIRMED)
    expect(confirmation(done)).toBe('Thank you. This way to sign in is confirmed.')
    expect(done).not.toContain(QUESTION)
    expect(addressAfterSignIn(await owner.get('/account/delete'))).toBe('/account/delete')
    const passkey = service.open()
    await service.methods.passkey.signIn(passkey)
    expect((await passkey.get('/account/delete')).status).toBe(200)
    const entries = await env.DIRECTORY.prepare(
      "SELECT actor, provider FROM audit WHERE event = 'account_confirmed' AND subject = ?",
    )
      .bind(userId)
      .all()
    expect(entries.results).toEqual([{ actor: userId, provider: 'passkey' }])
  })

  it('confirms each one separately, and once', async () => {
    const service = deployment()
    const { laptop, handle, userId, added } = await addAsStranger(service, 'gitlab')
    await service.methods.passkey.add(laptop)
    advanceClock(DAY)
    const owner = await signInElsewhere(service, handle)

    const responses = await Promise.all([confirm(owner, added), confirm(owner, added)])
    const again = await confirm(owner, added)

    for (const response of responses) expect(response.status).toBe(303)
    expect(again.headers.get('Location')).toBe('/account')
    const accounts = await listAccounts(env, userId)
    expect(accounts.filter(({ unconfirmedSid }) => unconfirmedSid !== undefined)).toMatchObject([
      { provider: 'passkey' },
    ])
    const { results } = await env.DIRECTORY.prepare(
      "SELECT 1 FROM audit WHERE event = 'account_confirmed' AND subject = ?",
    )
      .bind(userId)
      .all()
    expect(results).toHaveLength(1)
  })

  it.each([
    ['before a day has passed', DAY - 1, async () => undefined],
    [
      'with a sign-in before a day had passed',
      DAY - 1,
      async () => {
        advanceClock(MINUTE)
      },
    ],
  ])('[S6] cannot confirm it %s', async (_, delay, wait) => {
    stopClock()
    const service = deployment()
    const { handle, added } = await addAsStranger(service, 'passkey')
    advanceClock(delay)
    const owner = await signInElsewhere(service, handle)
    await wait()

    const page = await owner.get(`/account/confirm?account=${added}`)
    const response = await confirm(owner, added)

    for (const { headers } of [page, response]) expect(headers.get('Location')).toBe('/account')
    expect(await readText(owner)).toContain(QUESTION)
  })

  it('[S6] cannot confirm it in the session in which it was added, even after a new sign-in', async () => {
    const service = deployment()
    const { laptop, handle, added } = await addAsStranger(service, 'passkey')
    advanceClock(2 * DAY)
    await laptop.signIn(handle, { prompt: 'login' })

    const same = await confirm(laptop, added)
    await laptop.post('/api/auth/signout', {})
    await laptop.signIn(handle, { prompt: 'login' })
    const other = await confirm(laptop, added)

    expect(same.headers.get('Location')).toBe('/account')
    expect(other.headers.get('Location')).toBe(CONFIRMED)
  })

  it('[S6] confirms it only with a recent sign-in that is not silent', async () => {
    const service = deployment()
    const { handle, added } = await addAsStranger(service, 'passkey')
    advanceClock(2 * DAY)
    const owner = service.open()
    await owner.signIn(handle)

    const silent = await confirm(owner, added)
    await owner.signIn(handle, { prompt: 'login' })
    advanceClock(11 * MINUTE)
    const old = await confirm(owner, added)
    await owner.signIn(handle, { prompt: 'login' })
    const crossSite = await owner.post(
      '/account/confirm',
      { account: added },
      { 'Sec-Fetch-Site': 'cross-site' },
    )

    for (const response of [silent, old]) {
      expect(addressAfterSignIn(response)).toBe(`/account/confirm?account=${added}`)
    }
    expect(crossSite.status).toBe(403)
    expect(await readText(owner)).toContain(QUESTION)
  })

  it('[S6] cannot confirm that of somebody else', async () => {
    const service = deployment()
    const { added } = await addAsStranger(service, 'passkey')
    advanceClock(2 * DAY)
    const { browser: other } = await signInNewUser(service.open())

    for (const account of [added, 'x', '']) {
      expect((await confirm(other, account)).headers.get('Location')).toBe('/account')
    }
  })

  it('can disconnect TikTok once the other is confirmed', async () => {
    const service = deployment()
    const { handle, userId, tiktok, added } = await addAsStranger(service, 'gitlab')
    advanceClock(DAY)
    const owner = await signInElsewhere(service, handle)
    await confirm(owner, added)

    await owner.post('/account/disconnect', { account: tiktok })

    expect(await linkedProviders(userId)).toEqual(['gitlab'])
  })

  it('who has lost TikTok gets help from an administrator, who removes it', async () => {
    const service = deployment()
    const { userId } = await addAsStranger(service, 'passkey')
    const [tiktok] = await listAccounts(env, userId)
    const { call } = await connectMachine({}, service.service)
    const accounts = async () => {
      const details = await (await call(`/users/${userId}`)).json<{ accounts: object[] }>()
      return details.accounts
    }
    const before = await accounts()

    const path = `/users/${userId}/accounts/tiktok:${tiktok?.accountId}/remove`
    const response = await call(path, { method: 'POST' })
    const owner = service.open()
    await service.methods.passkey.signIn(owner)

    expect(response.status).toBe(204)
    expect(before).toMatchObject([
      { provider: 'tiktok', is_confirmed: true },
      { provider: 'passkey', is_confirmed: false },
    ])
    expect(await accounts()).toMatchObject([{ provider: 'passkey', is_confirmed: true }])
    expect(await readText(owner)).not.toContain(QUESTION)
    expect((await owner.get('/account/delete')).status).toBe(200)
  })

  it('whose TikTok the deployment no longer has can change everything with the others', async () => {
    const service = deployment()
    const { laptop, userId } = await addAsStranger(service, 'passkey')
    await service.methods.email.add(laptop)
    const { methods, open } = deployment(WITHOUT_TIKTOK, service.stranger)
    const browser = open()
    advanceClock(31 * DAY)

    const response = await methods.passkey.signIn(browser, { callbackUrl: `${SHOP}/cart` })

    // The sign-in leads to the account page, which has nothing to say.
    const next = await browser.get(await continueUrl(response))
    expect(next.headers.get('Location')).toBe(`${SHOP}/cart`)
    expect((await browser.get('/account/delete')).status).toBe(200)
    // If TikTok is back, so are the questions, unless the user has added another method meanwhile.
    const withTikTok = () => readText(service.open().withCookiesOf(browser))
    expect((await withTikTok()).split(QUESTION)).toHaveLength(3)
    await methods.gitlab.add(browser)
    expect(await readText(browser)).not.toContain(QUESTION)
    expect(await withTikTok()).not.toContain(QUESTION)
    expect(await linkedProviders(userId)).toEqual(['tiktok', 'passkey', 'email', 'gitlab'])
  })

  it('whose TikTok the deployment no longer has gets the name of another account', async () => {
    const service = deployment()
    await addAsStranger(service, 'gitlab')
    const { methods, open } = deployment(WITHOUT_TIKTOK, service.stranger)
    const browser = open()

    await methods.gitlab.signIn(browser)

    expect((await browser.session())?.user.name).toBe('A stranger')
  })
})

describe('a user whose confirmed methods are gone', () => {
  /** A user with GitLab only, which they have added without proof. */
  async function withoutTikTok(service: Deployment) {
    const { userId } = await addAsStranger(service, 'gitlab')
    const [tiktok] = await listAccounts(env, userId)
    const { call } = await connectMachine({}, service.service)
    await call(`/users/${userId}/accounts/tiktok:${tiktok?.accountId}/remove`, { method: 'POST' })
    const laptop = service.open()
    await service.methods.gitlab.signIn(laptop, { prompt: 'login' })
    expect(await linkedProviders(userId)).toEqual(['gitlab'])
    return { laptop, userId }
  }

  it('[S6] is not locked out by a stranger who adds one in an unlocked browser', async () => {
    const service = deployment()
    const { laptop, userId } = await withoutTikTok(service)
    await service.methods.passkey.add(laptop)
    const digests = await accountDigests(laptop)
    const stranger = service.open()
    await service.methods.passkey.signIn(stranger)
    const owner = service.open()
    await service.methods.gitlab.signIn(owner, { prompt: 'login' })

    expect(await tryChanges(stranger, digests)).toEqual([])
    expect(await readText(owner)).toContain(QUESTION)
    expect((await owner.post('/account/export', {})).status).toBe(200)
    await owner.post('/account/disconnect', { account: digests[1] ?? '' })
    expect(await linkedProviders(userId)).toEqual(['gitlab'])
  })
})

describe('a session whose account was removed', () => {
  it('[S6] changes nothing, even if it could not be ended', async () => {
    const service = deployment()
    const { laptop, handle, userId, tiktok, added } = await addAsStranger(service, 'passkey')
    const stranger = service.open()
    await service.methods.passkey.signIn(stranger)
    const failing = deployment({ USERS: failingAt('disconnect') }, service.stranger)
    const owner = failing.open().withCookiesOf(await signInElsewhere(service, handle))

    const response = await owner.post('/account/disconnect', { account: added })

    expect(response.status).toBe(503)
    expect(await linkedProviders(userId)).toEqual(['tiktok'])
    expect(await stranger.session()).not.toBeNull()
    expect(await tryChanges(stranger, [tiktok, added])).toEqual([])
    expect((await laptop.get('/account/link')).status).toBe(200)
  })
})

describe('a method that is added with proof', () => {
  it('needs no confirmation', async () => {
    const service = deployment()
    const browser = service.open()
    await service.methods.email.signIn(browser)
    const userId = (await browser.session())?.user.id

    await service.methods.passkey.add(browser)

    expect(await linkedProviders(userId)).toEqual(['email', 'passkey'])
    expect(await readText(browser)).not.toContain(QUESTION)
    const passkey = service.open()
    await service.methods.passkey.signIn(passkey)
    expect((await passkey.get('/account/delete')).status).toBe(200)
  })
})

describe('an administrator with an unconfirmed passkey', () => {
  it('[S6][L14] opens the console with TikTok, and not with the passkey', async () => {
    const service = deployment()
    const { userId, handle } = await addAsStranger(service, 'passkey')
    const console = deployment({ AUTH_ADMINS: userId }, service.stranger)
    const stranger = console.open()
    await console.methods.passkey.signIn(stranger)
    const owner = await signInElsewhere(console, handle)
    const paths = ['/admin/users', `/admin/users/${userId}`, '/admin/new/clients']

    for (const path of paths) {
      const { searchParams } = redirectUrl(await stranger.get(path), 303)
      expect(searchParams.get('prompt'), path).toBe('login')
      expect((await owner.get(path)).status, path).toBe(200)
    }
    const page = await readText(owner, `/admin/users/${userId}`)
    expect(page).toMatch(/Passkey .*?not confirmed/s)
  })
})
