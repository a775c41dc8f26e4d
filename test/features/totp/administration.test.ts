import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { roles } from '../../../src/features.ts'
import { createVestibule } from '../../../src/vestibule.ts'
import { Browser, serviceOf } from '../../browser.ts'
import { advanceClock, HOUR, MINUTE, stopClock } from '../../clock.ts'
import { basic, formRequest, OFFLINE_ACCESS, RelyingApp } from '../../core/oidc/relying-app.ts'
import { OWN_PAGE } from '../../link-account.ts'
import { createPlatformUser } from '../../new-user.ts'
import { redirectUrl } from '../../redirect.ts'
import { connectMachine, readProblem } from '../admin/machine-client.ts'
import {
  addApp,
  continuePath,
  currentCode,
  demandingService,
  newTotpUser,
  nextCode,
  optionalService,
  readSecret,
  signInByName,
  signInPending,
  submit,
} from './totp-browser.ts'
import { optionalOptions } from './totp-deployment.ts'

/** A user without a second factor, signed in with the first one. */
async function newUser(service = optionalService()) {
  stopClock()
  const name = `user-${crypto.randomUUID()}`
  const browser = new Browser(service)
  await signInByName(browser, name)
  return { name, browser, userId: (await browser.session())?.user.id ?? '' }
}

async function makeAdministrator(userId: string, role = 'owner') {
  await env.DIRECTORY.prepare("INSERT INTO administrators VALUES (?, ?, 1, 'operator')")
    .bind(userId, role)
    .run()
}

/** What the API of the deployment with a second factor responds to a machine client. */
async function resetFactor(userId: string) {
  const { call } = await connectMachine({ scope: 'admin:support' }, optionalService())
  return call(`/users/${userId}/totp/reset`, { method: 'POST' })
}

describe('an administrator without a second factor', () => {
  it('[S1] adds one at the next sign-in, before the session counts', async () => {
    const { name, userId } = await newUser()
    await makeAdministrator(userId)
    const browser = new Browser(optionalService())

    const path = await continuePath(await signInByName(browser, name))

    expect(path).toMatch(/^\/totp\/enrol\?/)
    expect(await browser.session()).toBeNull()
  })

  it('[S1] adds one before the console opens, in a session from before', async () => {
    const { browser, userId } = await newUser()
    await makeAdministrator(userId)

    const { pathname, search } = redirectUrl(await browser.get('/admin/users'))

    expect(pathname).toBe('/totp/enrol')
    await addApp(browser, pathname + search)
    const page = await browser.get('/admin/users')
    expect(page.status).toBe(200)
  })

  it('[S1] signs in again before they add one, in a session that is older than ten minutes', async () => {
    const { browser, userId } = await newUser()
    await makeAdministrator(userId)
    const { pathname, search, searchParams } = redirectUrl(await browser.get('/admin/users'))
    advanceClock(10 * MINUTE)

    const page = redirectUrl(await browser.get(pathname + search))

    const query = `interaction=${searchParams.get('interaction')}&prompt=login`
    expect(page.pathname + page.search).toBe(`/api/auth/signin?${query}`)
  })

  it('[S1] enters a code before the console opens, in a session that has not proved the app', async () => {
    const { browser, userId } = await newUser()
    const { secret } = await addApp(browser)
    await makeAdministrator(userId)

    const { pathname, search } = redirectUrl(await browser.get('/admin'))

    expect(pathname).toBe('/totp')
    await submit(browser, pathname + search, { code: await nextCode(secret) })
    expect((await browser.get('/admin')).status).toBe(200)
  })

  it('[S1] cannot use the refresh token of an app from before', async () => {
    stopClock()
    const handle = await createPlatformUser()
    // A deployment without the feature.
    const browser = new Browser()
    await browser.signIn(handle, { prompt: 'login' })
    const userId = (await browser.session())?.user.id ?? ''
    const app = new RelyingApp('web')
    const callback = await app.callbackFor(browser, OFFLINE_ACCESS)
    const send = (form: Record<string, string>) =>
      optionalService({ USERS: env.USERS })(formRequest('/oidc/token', form, basic('web')))
    const redeemed = await send(app.codeExchangeForm(callback))
    const { refresh_token = '' } = await redeemed.json<{ refresh_token: string }>()
    await makeAdministrator(userId)

    const response = await send({ grant_type: 'refresh_token', refresh_token })

    expect(refresh_token).not.toBe('')
    expect(await response.json()).toMatchObject({ error: 'invalid_grant' })
  })
})

describe('a user who gets a role that needs a second factor', () => {
  it('[S1] has no session any more until there is one', async () => {
    const { browser, userId } = await newUser()
    const { call } = await connectMachine({}, optionalService())

    await call(`/users/${userId}/roles/editor/give`, { method: 'POST' })

    expect(await browser.session()).toBeNull()
    const { pathname, search } = redirectUrl(await browser.get('/api/auth/signin', OWN_PAGE))
    expect(pathname).toBe('/totp/enrol')
    await addApp(browser, pathname + search)
    expect(await browser.session()).not.toBeNull()
  })

  it('[S1] signs in again before they add one, in a session that is older than ten minutes', async () => {
    const { name, browser, userId } = await newUser()
    const { call } = await connectMachine({}, optionalService())
    await call(`/users/${userId}/roles/editor/give`, { method: 'POST' })
    const enrolment = redirectUrl(await browser.get('/api/auth/signin', OWN_PAGE))
    const page = await (await browser.get(enrolment.href)).text()
    const code = await currentCode(readSecret(page))
    advanceClock(10 * MINUTE)

    const path = enrolment.pathname + enrolment.search
    const thief = new Browser(optionalService()).withCookiesOf(browser)
    const shown = await thief.get(path)
    const sent = await submit(thief, path, { code }, page)

    expect([redirectUrl(shown).pathname, redirectUrl(sent).pathname]).toEqual([
      '/api/auth/signin',
      '/api/auth/signin',
    ])
    const again = await continuePath(await signInByName(browser, name, { prompt: 'login' }))
    const { pathname, search } = redirectUrl(await browser.get(again, OWN_PAGE))
    await addApp(browser, pathname + search)
    expect(await browser.session()).not.toBeNull()
  })

  it('[S1] at the sign-in has no session before there is one, in a browser that is not known', async () => {
    const { features = [] } = optionalOptions
    const editors = createVestibule({
      ...optionalOptions,
      features: [
        ...features.filter(({ id }) => id !== 'roles'),
        roles({ names: ['editor', 'author'], signIn: () => ['editor'] }),
      ],
    })
    const service = serviceOf(editors, { USERS: env.TEST_TOTP_USERS })
    const known = await createPlatformUser()
    await new Browser(optionalService()).signIn(known)
    for (const handle of [await createPlatformUser(), known]) {
      const browser = new Browser(service)

      const page = redirectUrl(await browser.signIn(handle, { prompt: 'login' }))

      expect(browser.cookieNames('pending')).toHaveLength(1)
      expect([...browser.cookieNames('session'), ...browser.cookieNames('known')]).toEqual([])
      const { pathname, search } = redirectUrl(await browser.get(page.href, OWN_PAGE))
      expect(pathname).toBe('/totp/enrol')
      await addApp(browser, pathname + search)
      expect(await browser.session()).toMatchObject({ user: { roles: ['editor'] } })
    }
  })

  it('keeps a session that has proved one, after the next visit of the sign-in page', async () => {
    stopClock()
    const { name, secret } = await newTotpUser()
    const { browser, path } = await signInPending(name)
    await submit(browser, path, { code: await nextCode(secret) })
    const userId = (await browser.session())?.user.id ?? ''
    const { call } = await connectMachine({}, optionalService())
    await call(`/users/${userId}/roles/editor/give`, { method: 'POST' })

    await browser.get('/api/auth/signin', OWN_PAGE)

    expect(await browser.session()).not.toBeNull()
  })
})

describe('support', () => {
  it('removes the second factor of a user, who is signed out', async () => {
    const { name, browser } = await newTotpUser()
    const userId = (await browser.session())?.user.id ?? ''

    expect((await resetFactor(userId)).status).toBe(204)

    expect(await browser.session()).toBeNull()
    const other = new Browser(optionalService())
    await signInByName(other, name)
    expect(await other.session()).not.toBeNull()
    const entry = await env.DIRECTORY.prepare(
      "SELECT actor FROM audit WHERE subject = ? AND event = 'second_factor_reset'",
    )
      .bind(userId)
      .first<{ actor: string }>()
    expect(entry?.actor).toMatch(/^client:/)
    expect(await (await other.get('/account')).text()).toContain('Authenticator app')
  })

  it('is told that a user has none', async () => {
    const { userId } = await newUser()

    const response = await resetFactor(userId)

    expect(response.status).toBe(409)
    expect((await readProblem(response)).detail).toBe('The user has no second factor.')
  })

  it('[S1] cannot remove the second factor of an owner', async () => {
    const { browser } = await newTotpUser()
    const userId = (await browser.session())?.user.id ?? ''
    await makeAdministrator(userId)

    expect((await resetFactor(userId)).status).toBe(403)
  })

  it('gets 404 for a user who does not exist', async () => {
    expect((await resetFactor('usr_none')).status).toBe(404)
  })
})

describe('a session from before the deployment demanded a second factor', () => {
  it('[S1] does not count, nor does its copy', async () => {
    stopClock()
    const handle = await createPlatformUser()
    const before = new Browser()
    await before.signIn(handle)
    expect(await before.session()).not.toBeNull()
    const after = new Browser(demandingService()).withCookiesOf(before)
    advanceClock(HOUR)

    expect(await after.session()).toBeNull()
  })
})

describe('the page of a user in the console', () => {
  it('says that a second factor that was added without proof does not count yet', async () => {
    const { browser: owner } = await newUser()
    await makeAdministrator((await owner.session())?.user.id ?? '')
    const { search, pathname } = redirectUrl(await owner.get('/admin'))
    await addApp(owner, pathname + search)
    const browser = new Browser(optionalService())
    await browser.signIn(await createPlatformUser(), { prompt: 'login' })
    await addApp(browser)

    const page = await owner.get(`/admin/users/${(await browser.session())?.user.id}`)

    expect(await page.text()).toContain('Not confirmed, does not count yet')
  })

  it('says whether the user has a second factor, and removes it', async () => {
    const { browser: owner } = await newUser()
    await makeAdministrator((await owner.session())?.user.id ?? '')
    const { search, pathname } = redirectUrl(await owner.get('/admin'))
    await addApp(owner, pathname + search)
    const { browser } = await newTotpUser()
    const userId = (await browser.session())?.user.id ?? ''
    const page = await (await owner.get(`/admin/users/${userId}`)).text()
    expect(page).toContain('10 recovery codes left')

    const path = `/admin/users/${userId}/totp/reset`
    const done = await submit(owner, path, {})

    expect(redirectUrl(done).pathname).toBe(`/admin/users/${userId}`)
    const after = await (await owner.get(`/admin/users/${userId}`)).text()
    expect(after).toContain('has no second factor any more')
    expect(after).not.toContain('recovery codes left')
  })
})
