import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { linkAccount } from '../../../src/core/users/directory.ts'
import { options } from '../../../src/deployment.ts'
import {
  blockUser,
  readUserDetails,
  unblockUser,
} from '../../../src/features/admin/users/manage-users.ts'
import { searchUsers } from '../../../src/features/admin/users/search-users.ts'
import { Credentials, Email } from '../../../src/providers.ts'
import { createVestibule } from '../../../src/vestibule.ts'
import { Browser, lastLogEntry, serviceOf, standIn } from '../../browser.ts'
import { advanceClock, DAY } from '../../clock.ts'
import { expectListed, lists, readFeed } from '../../core/oidc/read-revocation-feed.ts'
import { RelyingApp, signedInAsNewUser } from '../../core/oidc/relying-app.ts'
import { approveConsent, shownConsent } from '../../core/oidc/user-steps.ts'
import { readConfig } from '../../deployment.ts'
import { errorCode } from '../../html.ts'
import { signInNewUser } from '../../new-user.ts'
import { redirectUrl } from '../../redirect.ts'
import { failingToBlock, pauseBeforeOpeningSession, userObject } from '../../storage.ts'
import { createWebhook, deliver } from '../../webhook-delivery.ts'
import { exchangeToken, keepingTokens } from '../provider-tokens/platform-tokens.ts'

const config = readConfig(env)
const origin = { actor: 'usr_admin', requestId: 'TEST' }

const block = (userId: string) => blockUser(env, config, { userId, origin })
const unblock = (userId: string) => unblockUser(env, config, { userId, origin })

describe('blocking a user', () => {
  it('[C24] leaves nothing that issues a token: session, authorization, consent, exchange', async () => {
    const { browser, userId } = await signInNewUser(new Browser(keepingTokens))
    const app = new RelyingApp()
    const { access_token } = await app.tokens(browser)
    const kiosk = await new RelyingApp('kiosk').authorizationUrl()
    const shown = await shownConsent(await browser.get(kiosk))
    expect(await exchangeToken(browser, access_token)).toMatchObject({ status: 200 })

    await block(userId)

    expect(await exchangeToken(browser, access_token)).toMatchObject({
      status: 400,
      error: 'invalid_grant',
    })
    expect(await browser.session()).toBeNull()
    const silent = await app.callbackFor(browser, { prompt: 'none' })
    expect(silent.searchParams.get('error')).toBe('login_required')
    const approved = await browser.post('/oidc/consent', { ...shown, answer: 'approve' })
    expect(approved.status).toBe(400)
    expect((await browser.get('/account')).status).toBe(302)
  })

  it('notifies the clients that took part in a session', async () => {
    const { browser, userId } = await signInNewUser()
    await new RelyingApp('web').tokens(browser)

    await block(userId)

    const { logoutNotices } = await userObject(userId).readUserData()
    expect(logoutNotices).toMatchObject([{ clientId: 'web' }])
  })

  it('changes nothing if the user does not exist, and records nothing', async () => {
    expect(await block('usr_nobody')).toBeUndefined()
    expect(await unblock('usr_nobody')).toBe(false)

    const entries = env.DIRECTORY.prepare("SELECT * FROM audit WHERE subject = 'usr_nobody'")
    expect((await entries.all()).results).toEqual([])
  })

  it('can be repeated, and keeps the time of the first call', async () => {
    const { userId } = await signInNewUser()
    await block(userId)
    const first = await readUserDetails(env, readConfig(env), userId)
    advanceClock(60)

    expect(await block(userId)).toBe(0)

    expect((await readUserDetails(env, readConfig(env), userId))?.blocked_at).toBe(
      first?.blocked_at,
    )
  })

  it('finishes when it is repeated after the user object did not respond', async () => {
    const { browser, handle, userId } = await signInNewUser()
    const unreachable = {
      ...env,
      USERS: { idFromName: () => '', get: () => ({ block: () => Promise.reject(new Error('x')) }) },
    } as unknown as Env

    await expect(blockUser(unreachable, config, { userId, origin })).rejects.toThrow('Storage')

    const response = await new Browser().signIn(handle)
    expect(await response.text()).toContain('user_blocked')
    await block(userId)
    expect(await browser.session()).toBeNull()
  })

  it('publishes the end of the sessions if it is repeated after a failure', async () => {
    const { browser, userId } = await signInNewUser()
    const session = (await browser.session())?.token ?? ''
    const failing = { ...env, USERS: failingToBlock(userId) } as Env
    await expect(blockUser(failing, config, { userId, origin })).rejects.toThrow()
    expect(await lists(await readFeed(), session)).toBe(false)

    await block(userId)

    await expectListed(session)
    expect(await browser.session()).toBeNull()
  })

  it('[S10] outlasts the deletion of the account at the provider', async () => {
    const { handle, userId } = await signInNewUser()
    await block(userId)

    const webhook = await createWebhook(handle, { reason: 'account-deleted' })
    expect((await deliver(webhook)).status).toBe(200)

    expect((await readUserDetails(env, config, userId))?.blocked_at).toBeDefined()
    // The platform lets users restore a deleted account.
    await standIn.post('users', { handle, standing: 'good' })
    const response = await new Browser().signIn(handle)
    expect(response.status).toBe(403)
    expect(await response.text()).toContain('user_blocked')
  })
})

describe('a blocked user', () => {
  it('gets an error page of its own when signing in, and no session', async () => {
    const { browser, handle, userId } = await signInNewUser()
    await block(userId)

    const response = await browser.signIn(handle)

    expect(response.status).toBe(403)
    const page = await response.text()
    expect(page).toContain('Your account is blocked')
    expect(page).toContain('user_blocked')
    expect(lastLogEntry('user_blocked')).toMatchObject({
      event: 'signin_failed',
      provider: 'tiktok',
      status: 403,
    })
    expect(await browser.session()).toBeNull()
  })

  it('[C24] gets no session from an email code or a password either', async () => {
    const sent: string[] = []
    const name = `blocked-${crypto.randomUUID()}`
    const email = Email({
      from: 'login@acme.example',
      sendVerificationRequest: ({ token }) => void sent.push(token),
    })
    const password = Credentials({
      credentials: { name: {}, password: { type: 'password' } },
      authorize: () => ({ id: name }),
    })
    const providers = [...options.providers, email, password]
    const service = serviceOf(createVestibule({ ...options, providers }))
    const byEmail = async (browser: Browser) => {
      const form = { email: `${name}@mail.example` }
      const started = await browser.post('/api/auth/signin/email', form)
      return browser.post(redirectUrl(started).pathname, { code: sent.at(-1) ?? '' })
    }
    const byPassword = (browser: Browser) =>
      browser.post('/api/auth/callback/credentials', {
        'credential.name': name,
        'credential.password': 'x',
      })

    for (const signIn of [byEmail, byPassword]) {
      const browser = new Browser(service)
      await signIn(browser)
      const userId = (await browser.session())?.user.id ?? ''
      expect(await block(userId)).toBe(1)

      const again = new Browser(service)
      const response = await signIn(again)

      expect(await errorCode(response)).toBe('user_blocked')
      expect(await again.session()).toBeNull()
    }
  })

  it('gets the page in Spanish', async () => {
    const { handle, userId } = await signInNewUser()
    await block(userId)
    const browser = new Browser()
    const callback = await browser.approve(await browser.start(), handle)

    const response = await browser.get(callback, { 'Accept-Language': 'es' })

    expect(await response.text()).toContain('Tu cuenta está bloqueada')
  })

  it('keeps the stored profile when signing in is rejected', async () => {
    const { handle, userId } = await signInNewUser()
    const before = await readUserDetails(env, readConfig(env), userId)
    await block(userId)
    advanceClock(60)

    await new Browser().signIn(handle)

    const after = await readUserDetails(env, readConfig(env), userId)
    expect(after?.updated_at).toBe(before?.updated_at)
    expect(after?.accounts).toEqual(before?.accounts)
  })

  it('gets no session from a sign-in that had found the user before the block', async () => {
    const { handle, userId } = await signInNewUser()
    const paused = pauseBeforeOpeningSession()
    const browser = new Browser(paused.service)
    const callback = await browser.approve(await browser.start(), handle)
    const response = browser.get(callback)
    await paused.isReached

    await block(userId)
    paused.resume()

    expect((await response).status).toBe(403)
    expect(await browser.session()).toBeNull()
  })

  it('cannot be linked to another account', async () => {
    const { userId } = await signInNewUser()
    await block(userId)
    const id = crypto.randomUUID()
    const account = {
      provider: 'first',
      issuer: '',
      accountId: id,
      clientId: 'c',
      scope: undefined,
      user: { id },
    }

    expect(
      await linkAccount(env, config, {
        userId,
        account,
        marks: { unconfirmedSid: undefined, confirmed: [] },
        origin: {},
      }),
    ).toBe('blocked')

    const { items: users } = await searchUsers(env, { query: id, limit: 1 })
    expect(users).toEqual([])
  })

  it('stays blocked when the alarm has deleted everything else', async () => {
    const { handle, userId } = await signInNewUser()
    await block(userId)
    advanceClock(40 * DAY)
    await runInDurableObject(userObject(userId), (object) => object.alarm())
    // Also without the directory, as in a sign-in that read it before the block.
    await env.DIRECTORY.prepare('UPDATE users SET blocked_at = NULL WHERE id = ?')
      .bind(userId)
      .run()

    const browser = new Browser()
    await browser.signIn(handle)

    expect(await browser.session()).toBeNull()
    expect((await readUserDetails(env, readConfig(env), userId))?.blocked_at).toBeTypeOf('number')
  })
})

describe('unblocking a user', () => {
  it('lets the user sign in again, with the consents given before', async () => {
    const browser = await signedInAsNewUser()
    const userId = (await browser.session())?.user.id ?? ''
    const app = new RelyingApp('kiosk')
    await approveConsent(browser, await browser.get(await app.authorizationUrl()))
    await block(userId)

    expect(await unblock(userId)).toBe(true)

    const details = await readUserDetails(env, readConfig(env), userId)
    expect(details?.blocked_at).toBeUndefined()
    expect(details?.consents).toMatchObject([{ client_id: 'kiosk' }])
  })
})
