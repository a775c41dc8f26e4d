import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import * as PATHS from '../../../src/features/totp/paths.ts'
import { Browser, issuedSecrets, serviceOf } from '../../browser.ts'
import { advanceClock, HOUR, stopClock } from '../../clock.ts'
import { continueUrl } from '../../continue-url.ts'
import { formRequest } from '../../core/oidc/relying-app.ts'
import { approveConsent } from '../../core/oidc/user-steps.ts'
import { interceptCalls } from '../../intercept-calls.ts'
import { OWN_PAGE } from '../../link-account.ts'
import { createPlatformUser } from '../../new-user.ts'
import { redirectUrl } from '../../redirect.ts'
import { confirmMethods } from '../../storage.ts'
import { ADMIN_API, callApi, connectMachine } from '../admin/machine-client.ts'
import { Authenticator } from '../passkeys/authenticator.ts'
import { addPasskey } from '../passkeys/passkey-user.ts'
import {
  addApp,
  continuePath,
  currentCode,
  demandingService,
  newTotpUser,
  nextCode,
  optionalService,
  readRecoveryCodes,
  readSecret,
  signInByName,
  signInPending,
  submit,
  wrongCode,
} from './totp-browser.ts'
import { demanding, optional, voluntary } from './totp-deployment.ts'

/** Two browsers of a user who has no second factor yet, signed in a moment ago. */
async function signInTwice() {
  stopClock()
  const name = `user-${crypto.randomUUID()}`
  const [owner, thief] = [new Browser(optionalService()), new Browser(optionalService())]
  await signInByName(owner, name)
  await signInByName(thief, name)
  return { name, owner, thief }
}

/** The service, which reads a record for the n-th time just before `meanwhile` runs. */
function interruptedService(n: number, meanwhile: () => Promise<unknown>) {
  let reads = 0
  const USERS = interceptCalls(env.TEST_TOTP_USERS, async (perform, { method }) => {
    const result = await perform()
    if (method === 'readRecord') {
      reads += 1
      if (reads === n) await meanwhile()
    }
    return result
  })
  return serviceOf(optional, { USERS })
}

describe('a session that has not proved the second factor', () => {
  it('[S1] gets no recovery codes of an app that waits to be confirmed', async () => {
    stopClock()
    const handle = await createPlatformUser()
    const owner = new Browser(optionalService())
    await owner.signIn(handle, { prompt: 'login' })
    await addApp(owner)
    const thief = new Browser(optionalService())
    await thief.signIn(handle, { prompt: 'login' })
    const form = await (await thief.get('/totp/remove', OWN_PAGE)).text()

    const response = await submit(thief, '/totp/codes', {}, form)

    expect(readRecoveryCodes(await response.text())).toEqual([])
  })

  it.each([1, 2])(
    '[S1] gets no recovery codes of an app that is added after read %d',
    async (n) => {
      const { owner, thief } = await signInTwice()
      const form = await (await thief.get('/totp/remove', OWN_PAGE)).text()
      const service = interruptedService(n, () => addApp(owner))
      const racing = new Browser(service).withCookiesOf(thief)

      const response = await submit(racing, '/totp/codes', {}, form)

      expect(readRecoveryCodes(await response.text())).toEqual([])
    },
  )

  it.each([1, 2])('[S1] does not remove an app that is added after read %d', async (n) => {
    const { name, owner, thief } = await signInTwice()
    const form = await (await thief.get('/totp/remove', OWN_PAGE)).text()
    const service = interruptedService(n, () => addApp(owner))

    await submit(new Browser(service).withCookiesOf(thief), '/totp/remove', {}, form)

    await signInPending(name)
  })

  it.each([1, 2])('[S1] does not replace an app that is added after read %d', async (n) => {
    const { name, owner, thief } = await signInTwice()
    const form = await (await thief.get('/totp/add', OWN_PAGE)).text()
    let secret = new Uint8Array()
    const service = interruptedService(n, async () => {
      secret = (await addApp(owner)).secret
    })
    const racing = new Browser(service).withCookiesOf(thief)

    await submit(racing, '/totp/add', { code: await currentCode(readSecret(form)) }, form)

    advanceClock(30)
    const { browser, path } = await signInPending(name)
    await submit(browser, path, { code: await currentCode(secret) })
    expect(await browser.session()).not.toBeNull()
  })
})

describe('a deployment that demands a second factor', () => {
  it('[S1] does not let a user of a passkey add it after a sign-in that proves less', async () => {
    const USERS = env.TEST_TOTP_USERS
    const handle = await createPlatformUser()
    const owner = new Browser(serviceOf(voluntary, { USERS }))
    await owner.signIn(handle, { prompt: 'login' })
    await addPasskey(owner, new Authenticator())
    await confirmMethods((await owner.session())?.user.id)
    const thief = new Browser(serviceOf(demanding, { USERS }))
    const { pathname, search } = redirectUrl(await thief.signIn(handle, { prompt: 'login' }))
    expect(pathname).toBe('/totp/enrol')

    const page = await (await thief.get(pathname + search)).text()

    expect(page).toContain('sign in again with a passkey')
    expect(page).not.toContain('class="qr"')
    const response = await submit(thief, pathname + search, { code: '123456' }, page)
    expect(await response.text()).not.toContain('class="qr"')
    expect(await thief.session()).toBeNull()
  })

  it('[S1] lets a user add it only if the platform has asked them, unless the user is new', async () => {
    const handle = await createPlatformUser()
    await new Browser(demandingService()).signIn(handle)
    const browser = new Browser(demandingService())
    const silent = redirectUrl(await browser.signIn(handle))

    const refused = redirectUrl(await browser.get(silent.pathname + silent.search))

    expect([silent.pathname, refused.pathname]).toEqual(['/totp/enrol', '/api/auth/signin'])
    expect(refused.searchParams.get('prompt')).toBe('login')
    const asked = redirectUrl(await browser.signIn(handle, { prompt: 'login' }))
    await addApp(browser, asked.pathname + asked.search)
    expect(await browser.session()).not.toBeNull()
    const stranger = new Browser(demandingService())
    const first = redirectUrl(await stranger.signIn(await createPlatformUser()))
    await addApp(stranger, first.pathname + first.search)
    expect(await stranger.session()).not.toBeNull()
  })
})

/** What a session of any age may open: what asks for a factor that the user already has. */
const OF_ANY_AGE: string[] = [PATHS.CODE_PATH, PATHS.RECOVERY_PATH]

describe('a session that is older than ten minutes', () => {
  it.each(Object.values(PATHS))('[S1] changes no second factor: %s', async (path) => {
    stopClock()
    const { browser } = await newTotpUser()
    advanceClock(HOUR)

    const { status } = await browser.get(path, OWN_PAGE)

    expect(status).toBe(OF_ANY_AGE.includes(path) ? 200 : 303)
  })
})

describe('guesses', () => {
  it('[R1] are checked twenty times a day, while the owner does not sign in', async () => {
    stopClock()
    const { name, secret } = await newTotpUser()
    const pages: string[] = []
    for (let guess = 0; guess < 25; guess += 1) {
      const { browser, path } = await signInPending(name)
      const response = await submit(browser, path, { code: await wrongCode(secret) })
      pages.push(await response.text())
      if (guess % 5 === 4) advanceClock(HOUR)
    }

    expect(pages.filter((page) => page.includes('This code is wrong'))).toHaveLength(20)
  })

  it('[R1] are checked five times of twelve that arrive together', async () => {
    stopClock()
    const { name, secret } = await newTotpUser()
    const code = await wrongCode(secret)
    const attempts = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const { browser, path } = await signInPending(name)
        return { browser, path, page: await (await browser.get(path)).text() }
      }),
    )

    const pages = await Promise.all(
      attempts.map(async ({ browser, path, page }) =>
        (await submit(browser, path, { code }, page)).text(),
      ),
    )

    expect(pages.filter((page) => page.includes('This code is wrong'))).toHaveLength(5)
  })
})

describe('an administrator who has signed in before everyone needed a second factor', () => {
  /** Tokens of the admin API, as `npx vestibule-auth login` gets them. */
  async function login() {
    stopClock()
    const name = `user-${crypto.randomUUID()}`
    const first = new Browser(serviceOf(voluntary, { USERS: env.TEST_TOTP_USERS }))
    await signInByName(first, name)
    const settings = {
      USERS: env.TEST_TOTP_USERS,
      AUTH_ADMINS: (await first.session())?.user.id ?? '',
    }
    const service = serviceOf(voluntary, settings)
    const browser = new Browser(service)
    const client = { client_id: 'vestibule-login' }
    const scope = 'offline_access admin:read'
    const started = await service(
      formRequest('/oidc/device', { ...client, scope, resource: ADMIN_API }),
    )
    const { device_code = '', user_code = '' } = await started.json<Record<string, string>>()
    advanceClock(2)
    const toSignIn = await browser.get(
      await continueUrl(await browser.post('/device', { user_code })),
    )
    const query = Object.fromEntries(redirectUrl(toSignIn).searchParams)
    const continued = await continuePath(await signInByName(browser, name, query))
    await approveConsent(browser, await browser.get(continued))
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
    const response = await service(
      formRequest('/oidc/token', { grant_type, device_code, ...client }),
    )
    const tokens = await response.json<{ access_token: string; refresh_token: string }>()
    for (const secret of [device_code, tokens.access_token, tokens.refresh_token]) {
      issuedSecrets.add(secret)
    }
    return { ...tokens, before: service, after: serviceOf(demanding, settings) }
  }

  it('[S1] has no access to the admin API', async () => {
    const { access_token: token, before, after } = await login()
    expect((await callApi('/users', { token, service: before })).status).toBe(200)

    expect((await callApi('/users', { token, service: after })).status).toBe(403)
  })

  it('[S1] cannot use their refresh token', async () => {
    const { refresh_token, after } = await login()
    const form = { grant_type: 'refresh_token', refresh_token, client_id: 'vestibule-login' }

    const response = await after(formRequest('/oidc/token', form))

    expect(await response.json()).toMatchObject({ error: 'invalid_grant' })
  })
})

describe('the removal by an administrator', () => {
  async function removeFactor(service: ReturnType<typeof optionalService>, userId: string) {
    const machine = await connectMachine({}, service)
    return machine.call(`/users/${userId}/totp/reset`, { method: 'POST' })
  }

  it('[S1] can be repeated if sessions could not be ended', async () => {
    const { browser } = await newTotpUser()
    const userId = (await browser.session())?.user.id ?? ''
    const USERS = interceptCalls(env.TEST_TOTP_USERS, async (perform, { method }) => {
      if (method === 'endAllSessions') throw new Error('Durable Object is overloaded')
      return perform()
    })
    expect((await removeFactor(serviceOf(optional, { USERS }), userId)).status).toBe(503)

    expect((await removeFactor(optionalService(), userId)).status).toBe(204)

    expect(await browser.session()).toBeNull()
    expect((await removeFactor(optionalService(), userId)).status).toBe(409)
  })

  it('forgets wrong codes, which were none of the next app', async () => {
    stopClock()
    const { name, browser, secret } = await newTotpUser()
    const userId = (await browser.session())?.user.id ?? ''
    for (let guess = 0; guess < 5; guess += 1) {
      const { browser: thief, path } = await signInPending(name)
      await submit(thief, path, { code: await wrongCode(secret) })
    }
    await removeFactor(optionalService(), userId)
    await signInByName(browser, name)
    const { secret: nextSecret } = await addApp(browser)
    const { browser: other, path } = await signInPending(name)

    await submit(other, path, { code: await nextCode(nextSecret) })

    expect(await other.session()).not.toBeNull()
  })

  it('[S1] is refused for an owner', async () => {
    const { name, browser } = await newTotpUser()
    const userId = (await browser.session())?.user.id ?? ''

    const refused = await removeFactor(optionalService({ AUTH_ADMINS: userId }), userId)

    expect(refused.status).toBe(403)
    await signInPending(name)
  })
})

describe('the QR code of a user', () => {
  it.each([
    ['with a long name', 'あ'.repeat(200)],
    ['whose name looks like HTML', '"><script>alert(1)</script>'],
    ['whose name looks like a URI', 'other:user?secret=AAAA&issuer=other'],
  ])('%s contains nothing else', async (_, name) => {
    const browser = new Browser(optionalService())
    await signInByName(browser, name)

    const page = await (await browser.get('/totp/add', OWN_PAGE)).text()

    expect(page).toMatch(
      /href="otpauth:\/\/totp\/login\.example:(?:[\w.~!*'()-]|%[\dA-F]{2}){1,150}\?secret=[A-Z2-7]{32}&amp;issuer=login\.example"/,
    )
  })
})
