import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { options } from '../../../src/deployment.ts'
import type { CredentialsConfig } from '../../../src/provider-interface/local-types.ts'
import { Credentials } from '../../../src/providers.ts'
import { createVestibule } from '../../../src/vestibule.ts'
import {
  Browser,
  issuedSecrets,
  LOGIN,
  lastLogEntry,
  logLines,
  SHOP,
  serviceOf,
  WITHOUT_TIKTOK,
} from '../../browser.ts'
import { advanceClock, DAY, HOUR, MINUTE, setClock, stopClock } from '../../clock.ts'
import { continueUrl } from '../../continue-url.ts'
import { RelyingApp } from '../../core/oidc/relying-app.ts'
import { skipWaits } from '../../fast-timers.ts'
import { hangingCall } from '../../hanging-call.ts'
import { confirmation, errorCode, findLink, hiddenFields, languageSwitchPath } from '../../html.ts'
import { linkAddress, OWN_PAGE } from '../../link-account.ts'
import { signInNewUser } from '../../new-user.ts'
import { redirectUrl } from '../../redirect.ts'
import { linkedProviders } from '../../storage.ts'

const PASSWORD = 'correct horse battery staple'
const WRONG_PASSWORD = 'Tr0ub4dor&3 is wrong'

type Authorize = CredentialsConfig['authorize']

/** A deployment that checks a name and a password. */
function credentialsService(
  authorize: Authorize = ({ username, password }) =>
    password === PASSWORD ? { id: `legacy-${username}`, name: String(username) } : null,
  { isOnlyProvider = false } = {},
) {
  const provider = Credentials({
    name: 'Acme account',
    credentials: {
      username: { label: 'User name', placeholder: 'mia' },
      password: { label: 'Password', type: 'password' },
    },
    authorize,
  })
  issuedSecrets.add(PASSWORD)
  issuedSecrets.add(WRONG_PASSWORD)
  const providers = [...(isOnlyProvider ? [] : options.providers), provider]
  const settings = isOnlyProvider ? WITHOUT_TIKTOK : {}
  const service = serviceOf(createVestibule({ ...options, providers }), settings)
  return { service, browser: () => new Browser(service) }
}

/** A deployment whose accounts belong to tenants. */
function tenantService() {
  const provider = Credentials({
    credentials: {
      tenant: {},
      username: {},
      password: { type: 'password' },
      code: { autocomplete: 'one-time-code' },
    },
    authorize: ({ tenant, username, password }) =>
      password === PASSWORD ? { id: `${tenant}/${username}` } : null,
  })
  const service = serviceOf(
    createVestibule({ ...options, providers: [...options.providers, provider] }),
  )
  return { browser: () => new Browser(service) }
}

/** A user name that no other test uses. */
function newName(): string {
  const name = `user-${crypto.randomUUID().slice(0, 13)}`
  issuedSecrets.add(name)
  return name
}

/** An address that no other test uses. */
function newIp(): string {
  const [a = 0, b = 0] = crypto.getRandomValues(new Uint16Array(2))
  return `2001:db8:${a.toString(16)}:${b.toString(16)}::1`
}

/** Sends the form. */
function send(
  browser: Browser,
  username: string,
  password: string,
  more: { path?: string; form?: Record<string, string>; headers?: Record<string, string> } = {},
): Promise<Response> {
  const form = { 'credential.username': username, 'credential.password': password, ...more.form }
  return browser.post(more.path ?? '/api/auth/callback/credentials', form, more.headers)
}

describe('GET /api/auth/signin/credentials', () => {
  it('shows the fields of the deployment, for password managers', async () => {
    const { browser: open } = credentialsService()

    const html = await (await open().get('/api/auth/signin/credentials')).text()

    expect(html).toMatch(/<label for="credentials-username">User name<\/label>/)
    expect(html).toMatch(/name="credential\.username" type="text"[^>]*autocomplete="username"/)
    expect(html).toMatch(
      /name="credential\.password" type="password"[^>]*autocomplete="current-password"/,
    )
  })

  it('[M1] escapes labels and values', async () => {
    const provider = Credentials({
      credentials: { name: { label: '<b>x</b>', value: '"><script>', placeholder: '<i>' } },
      authorize: () => null,
    })
    const providers = [...options.providers, provider]
    const browser = new Browser(serviceOf(createVestibule({ ...options, providers })))

    const html = await (await browser.get('/api/auth/signin/credentials')).text()

    expect(html).not.toMatch(/<b>|<script>|<i>/)
  })
})

describe('POST /api/auth/callback/credentials', () => {
  it('offers the other ways to sign in after a wrong password, for the same app', async () => {
    const { browser: open } = credentialsService()
    const browser = open()
    const form = { callbackUrl: `${SHOP}/cart`, prompt: 'login' }

    const html = await (await send(browser, newName(), WRONG_PASSWORD, { form })).text()

    expect(html).toContain('>Choose another way to sign in</a>')
    const url = new URL(findLink(html, '/api/auth/signin?'), LOGIN)
    expect(url.searchParams.get('prompt')).toBe('login')
    const page = await (await browser.get(url.pathname + url.search)).text()
    expect(page).toContain('Sign in to The shop')
    expect(page).toContain('Sign in with TikTok')
  })

  it('offers the same form in another language after a wrong password', async () => {
    const browser = credentialsService().browser()
    const form = { callbackUrl: `${SHOP}/cart`, prompt: 'login' }

    const response = await send(browser, newName(), WRONG_PASSWORD, { form })

    const path = languageSwitchPath(await response.text(), 'de')
    const page = await (await browser.get(path)).text()
    expect(page).toContain('<html lang="de">')
    expect(page).toContain('The shop')
    expect(hiddenFields(page).get('prompt')).toBe('login')
  })

  it('keeps the authorization request of an app in the link to the other ways to sign in', async () => {
    const { browser: open } = credentialsService()
    const browser = open()
    const start = redirectUrl(await browser.get(await new RelyingApp('kiosk').authorizationUrl()))
    const interaction = start.searchParams.get('interaction') ?? ''

    const response = await send(browser, newName(), WRONG_PASSWORD, { form: { interaction } })

    const path = findLink(await response.text(), '/api/auth/signin?')
    expect(await (await browser.get(path)).text()).toContain('Sign in to The kiosk')
  })

  it('offers no other way to sign in if there is none, or if an account is linked', async () => {
    const alone = credentialsService(undefined, { isOnlyProvider: true }).browser()
    const { browser } = await signInNewUser(credentialsService().browser())
    const linkPath = findLink(
      await (await browser.get('/account/link')).text(),
      'signin/credentials?',
    )

    const pages = [
      await send(alone, newName(), WRONG_PASSWORD),
      await browser.get(linkPath, OWN_PAGE),
    ]

    for (const page of pages) {
      const html = await page.text()
      expect(html).toContain('credential.password')
      expect(html).not.toContain('Choose another way')
    }
  })

  it('signs in the user that authorize returns', async () => {
    const { browser: open } = credentialsService()
    const browser = open()
    const name = newName()

    const form = { callbackUrl: `${SHOP}/cart` }
    const response = await send(browser, name, PASSWORD, { form })

    expect(await continueUrl(response)).toBe(`${SHOP}/cart`)
    expect((await browser.session())?.user).toMatchObject({ name })
    const again = open()
    await send(again, name, PASSWORD)
    expect((await again.session())?.user.id).toBe((await browser.session())?.user.id)
  })

  it('[U7] responds in the same way to a wrong password and to a user who does not exist', async () => {
    const known = newName()
    const { browser: open } = credentialsService(({ username, password }) =>
      username === known && password === PASSWORD ? { id: known } : null,
    )

    const pages = await Promise.all(
      [known, newName()].map(async (name) => {
        const browser = open()
        const startedAt = performance.now()
        const response = await send(browser, name, WRONG_PASSWORD)
        const html = await response.text()
        expect(performance.now() - startedAt).toBeGreaterThanOrEqual(495)
        expect(browser.cookieNames('session')).toEqual([])
        expect(html).not.toContain(name)
        expect(html).not.toContain('Tr0ub4dor')
        return [response.status, html.replaceAll(/nonce="[^"]+"|value="[^"]+"/g, '')]
      }),
    )

    expect(pages[0]).toEqual(pages[1])
    expect(pages[0]?.[0]).toBe(401)
    expect(pages[0]?.[1]).toContain('These details are not correct.')
    expect(lastLogEntry('credentials_rejected')).toMatchObject({
      event: 'signin_failed',
      provider: 'credentials',
    })
  })

  it('gives authorize the fields, and a request without cookies, body and the request of the app', async () => {
    const authorize = vi.fn<Authorize>(() => ({ id: newName() }))
    const { browser: open } = credentialsService(authorize)
    const browser = open()
    const start = redirectUrl(await browser.get(await new RelyingApp('kiosk').authorizationUrl()))
    await browser.get(start.href)

    await send(browser, newName(), PASSWORD, {
      path: 'callback/credentials?state=of-the-app',
      form: { extra: 'x' },
      headers: { 'X-Custom': 'kept', Authorization: 'Basic x', 'Proxy-Authorization': 'Basic x' },
    })

    const [credentials, request] = authorize.mock.lastCall ?? []
    expect(credentials).toEqual({ username: expect.any(String), password: PASSWORD })
    for (const name of ['Cookie', 'Authorization', 'Proxy-Authorization', 'Content-Type']) {
      expect(request?.headers.get(name), name).toBeNull()
    }
    expect(request?.headers.get('X-Custom')).toBe('kept')
    expect(request?.url).toBe('https://login.example/api/auth/callback/credentials')
    expect(await request?.text()).toBe('')
  })

  it.each<[string, Record<string, string>]>([
    ['without a password', { 'credential.username': 'mia' }],
    ['without any field', {}],
    [
      'with a value of 1,025 characters',
      { 'credential.username': 'mia', 'credential.password': 'x'.repeat(1025) },
    ],
  ])('rejects a form %s', async (_, form) => {
    const authorize = vi.fn<Authorize>()
    const { browser: open } = credentialsService(authorize)

    const response = await open().post('/api/auth/callback/credentials', form)

    expect(await errorCode(response)).toBe('request_invalid')
    expect(authorize).not.toHaveBeenCalled()
  })

  it('[L14] rejects a form of another site or app', async () => {
    const authorize = vi.fn<Authorize>()
    const { browser: open } = credentialsService(authorize)
    const headers = { Origin: SHOP, 'Sec-Fetch-Site': 'cross-site' }

    const response = await send(open(), newName(), PASSWORD, { headers })

    expect(await errorCode(response)).toBe('cross_site')
    expect(authorize).not.toHaveBeenCalled()
  })

  it('responds with JSON to a program', async () => {
    const { browser: open } = credentialsService()
    const headers = { Accept: 'application/json' }

    const response = await send(open(), newName(), WRONG_PASSWORD, { headers })

    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ error: 'credentials_rejected' })
  })

  it('counts as a recent sign-in', async () => {
    const browser = credentialsService().browser()
    await send(browser, newName(), PASSWORD)

    const response = await browser.get('/account/delete')

    expect(response.status).toBe(200)
  })

  it('links the account of a signed-in user', async () => {
    const { service } = credentialsService()
    const { browser, userId } = await signInNewUser(new Browser(service))
    const link = await linkAddress(browser, 'credentials')
    const form = hiddenFields(await (await browser.get(link, OWN_PAGE)).text())

    const response = await send(browser, newName(), PASSWORD, { form: Object.fromEntries(form) })

    const address = await continueUrl(response)
    expect(address).toBe(`${LOGIN}/account?done=linked&provider=credentials`)
    expect(confirmation(await (await browser.get(address)).text())).toBe(
      'You can now sign in with Acme account.',
    )
    expect(await linkedProviders(userId)).toEqual(['tiktok', 'credentials'])
  })
})

describe('authorize', () => {
  beforeEach(skipWaits)

  it('[O5] that throws fails the sign-in; the log has neither its message nor the credentials', async () => {
    const { browser: open } = credentialsService(({ username, password }) => {
      throw new TypeError(`cannot compare ${password} of ${username}`)
    })
    const browser = open()

    const response = await send(browser, newName(), PASSWORD)

    expect(response.status).toBe(500)
    expect(await errorCode(response)).toBe('configuration')
    expect(browser.cookieNames('session')).toEqual([])
    expect(lastLogEntry('callback_failed').cause).toMatch(
      /authorize of the provider credentials failed: TypeError\n\s+at /,
    )
    expect(logLines.join('\n')).not.toContain('cannot compare')
  })

  it('that throws the error CredentialsSignin of Auth.js rejects the credentials', async () => {
    class CredentialsSignin extends Error {
      type = 'CredentialsSignin'
    }
    const { browser: open } = credentialsService(() => {
      throw new CredentialsSignin()
    })

    expect((await send(open(), newName(), PASSWORD)).status).toBe(401)
  })

  it.each([null, undefined, false])('that returns %s rejects the credentials', async (result) => {
    const { browser: open } = credentialsService(() => result as null)

    expect((await send(open(), newName(), PASSWORD)).status).toBe(401)
  })

  it('[P4] that takes longer than five seconds fails the sign-in', async () => {
    const { call, endsAfter } = hangingCall()
    const { browser: open } = credentialsService(call)

    const response = await endsAfter(5000, () => send(open(), newName(), PASSWORD))

    expect(response.status).toBe(503)
    expect(await errorCode(response)).toBe('unavailable')
    expect(lastLogEntry('callback_failed').cause).toContain('took longer than 5 seconds')
  })

  it.each<[string, unknown]>([
    ['true', true],
    ['a text', 'mia'],
    ['a list', [{ id: 'x' }]],
    ['a user without an id', { name: 'Mia' }],
    ['a user with the id undefined', { id: 'undefined' }],
    ['a user with an object as id', { id: {} }],
    ['a user whose email is a number', { id: 'x', email: 1 }],
    ['a user with a function', { id: 'x', plan: () => 1 }],
    ['a user with more than 4 KiB of further fields', { id: 'x', plan: 'x'.repeat(5000) }],
  ])('[S3] that returns %s signs nobody in', async (_, result) => {
    const { browser: open } = credentialsService(() => result as null)
    const browser = open()

    const response = await send(browser, newName(), PASSWORD)

    expect(await errorCode(response)).toBe('configuration')
    expect(browser.cookieNames('session')).toEqual([])
    expect(lastLogEntry('callback_failed').cause).toContain(
      'authorize of the provider credentials returned',
    )
  })

  it('[S2] cannot make an address verified by returning it', async () => {
    const { browser: open } = credentialsService(({ username }) => ({
      id: String(username),
      email: `${username}@mail.example`,
    }))
    const browser = open()

    await send(browser, newName(), PASSWORD)

    expect((await browser.session())?.user.email).toBeUndefined()
  })
})

describe('guesses of a password', () => {
  // Each rejection takes half a second, which is tested above.
  beforeEach(skipWaits)

  it('[U8] are delayed, from the sixth on for an account and an address', async () => {
    const authorize = vi.fn<Authorize>(({ password }) =>
      password === PASSWORD ? { id: 'x' } : null,
    )
    const { browser: open } = credentialsService(authorize)
    const headers = { 'CF-Connecting-IP': '198.51.100.7' }
    const name = newName()
    setClock(Math.floor(Date.now() / 1000))

    const guess = (username: string, password = WRONG_PASSWORD) =>
      send(open(), username, password, { headers })
    const first = await Promise.all(Array.from({ length: 5 }, () => guess(name)))
    expect(first.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
    const sixth = await guess(name.toUpperCase())
    const correct = await guess(name, PASSWORD)
    const asJson = { headers: { ...headers, Accept: 'application/json' } }
    const json = await send(open(), name, PASSWORD, asJson)
    const otherAccount = await guess(newName())
    const otherAddress = await send(open(), name, PASSWORD)

    expect([sixth.status, correct.status, otherAccount.status, otherAddress.status]).toEqual([
      429, 429, 401, 200,
    ])
    expect(sixth.headers.get('Retry-After')).toBe('1')
    expect(await sixth.text()).toContain('Too many wrong attempts.')
    expect([json.status, json.headers.get('Retry-After')]).toEqual([429, '1'])
    expect(await json.json()).toMatchObject({ error: 'too_many_guesses' })
    expect(authorize).toHaveBeenCalledTimes(7)
  })

  it('[U8] that are sent in parallel are delayed too', async () => {
    const authorize = vi.fn<Authorize>(() => null)
    const { browser: open } = credentialsService(authorize)
    const name = newName()

    const responses = await Promise.all(
      Array.from({ length: 60 }, () => send(open(), name, WRONG_PASSWORD)),
    )

    expect(responses.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(22)
    expect(authorize.mock.calls.length).toBeLessThanOrEqual(22)
  })

  it('are forgotten when the user signs in', async () => {
    const { browser: open } = credentialsService()
    const name = newName()
    const guess = (count: number) =>
      Promise.all(Array.from({ length: count }, () => send(open(), name, WRONG_PASSWORD)))
    await guess(10)
    await send(open(), name, PASSWORD)

    const responses = await guess(15)

    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([401]))
  })

  it('[U8] count for one account in all spellings that a database may take for the same', async () => {
    const { browser: open } = credentialsService(() => null)
    const headers = { 'CF-Connecting-IP': '198.51.100.8' }
    const name = `${newName()}e`
    stopClock()
    const spellings = ['\u0301', '\u200b', ' ', '\ue000', '\u3164'].map((suffix) => name + suffix)

    const statuses = []
    for (const spelling of [...spellings, name.replace(/e$/, 'É')]) {
      statuses.push((await send(open(), spelling, WRONG_PASSWORD, { headers })).status)
    }

    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
  })

  it('[U8][R2] from all subnets of one network do not delay the owner elsewhere', async () => {
    const { browser: open } = credentialsService()
    const name = newName()
    stopClock()

    const statuses = []
    for (let subnet = 0; subnet < 25; subnet++) {
      const headers = { 'CF-Connecting-IP': `2001:db8:41:${subnet * 100}::1` }
      statuses.push((await send(open(), name, WRONG_PASSWORD, { headers })).status)
    }

    expect(statuses).toEqual([...Array<number>(5).fill(401), ...Array<number>(20).fill(429)])
    const elsewhere = { 'CF-Connecting-IP': '2001:db8:42::1' }
    expect((await send(open(), name, PASSWORD, { headers: elsewhere })).status).toBe(200)
  })

  it.each([
    [
      'letters with a stroke',
      (count: number) => `${'o'.repeat(count)}${'ø'.repeat(9 - count)}łđħŧ`,
    ],
    ['the punctuation of telephone numbers', (count: number) => `+49 30${'-'.repeat(count)}901820`],
  ])('[U8] count for one account in spellings that differ by %s', async (_, spell) => {
    const { browser: open } = credentialsService(() => null)
    const headers = { 'CF-Connecting-IP': newIp() }
    stopClock()

    const statuses = []
    for (let count = 0; count < 6; count++) {
      statuses.push((await send(open(), spell(count), WRONG_PASSWORD, { headers })).status)
    }

    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
  })

  it('[U8] of several known browsers count together', async () => {
    let password = PASSWORD
    const name = newName()
    const { browser: open } = credentialsService((given) =>
      given['password'] === password ? { id: name } : null,
    )
    const browsers = Array.from({ length: 6 }, open)
    for (const browser of browsers) await send(browser, name, PASSWORD)
    password = 'another password'
    stopClock()

    const statuses = []
    for (const browser of browsers) {
      for (let guess = 0; guess < 5; guess++) {
        statuses.push((await send(browser, name, WRONG_PASSWORD)).status)
      }
    }

    expect(statuses.filter((status) => status === 401)).toHaveLength(20)
  })

  it.each([
    ['in new browsers', false],
    ['in a browser that knows them', true],
  ])(
    '[U8] of an account are not forgotten when someone with a similar name signs in %s',
    async (_, isKnown) => {
      const { browser: open } = credentialsService()
      const headers = { 'CF-Connecting-IP': newIp() }
      const name = `${newName()}e`
      const similar = `${name}\u0301`
      const known = open()
      const attacker = () => (isKnown ? known : open())
      const guess = async () => (await send(attacker(), name, WRONG_PASSWORD, { headers })).status
      const signIn = async () => (await send(attacker(), similar, PASSWORD, { headers })).status
      stopClock()
      await signIn()

      const first = await Promise.all([guess(), guess(), guess(), guess()])
      expect(await signIn()).toBe(200)
      const last = [await guess(), await guess()]

      expect([...first, ...last]).toEqual([401, 401, 401, 401, 401, 429])
      expect(await signIn()).toBe(isKnown ? 200 : 429)
    },
  )

  it('[U8] of an account are not forgotten when another user of the same tenant signs in', async () => {
    const { browser: open } = tenantService()
    const headers = { 'CF-Connecting-IP': newIp() }
    const tenant = newName()
    const [owner, colleague] = [newName(), newName()]
    const browser = open()
    let codes = 0
    const signIn = async (username: string, password: string) => {
      // A secret that changes is not part of the account.
      codes += 1
      const form = { 'credential.tenant': tenant, 'credential.code': String(codes) }
      return (await send(browser, username, password, { form, headers })).status
    }
    stopClock()
    await signIn(colleague, PASSWORD)

    const statuses = []
    for (let guess = 0; guess < 6; guess++) {
      statuses.push(await signIn(owner, WRONG_PASSWORD))
      expect(await signIn(colleague, PASSWORD)).toBe(200)
    }

    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
  })

  it('[U8] that are rejected for one account do not delay the others at the same address', async () => {
    const { browser: open } = credentialsService()
    const headers = { 'CF-Connecting-IP': newIp() }
    const name = newName()
    stopClock()
    await Promise.all(
      Array.from({ length: 60 }, () => send(open(), name, WRONG_PASSWORD, { headers })),
    )

    expect((await send(open(), newName(), WRONG_PASSWORD, { headers })).status).toBe(401)
  })

  it('[U8] that are rejected at an address do not delay the account elsewhere', async () => {
    const { browser: open } = credentialsService()
    const headers = { 'CF-Connecting-IP': newIp() }
    const name = newName()
    stopClock()
    await Promise.all(
      Array.from({ length: 50 }, () => send(open(), newName(), WRONG_PASSWORD, { headers })),
    )

    const rejected = await Promise.all(
      Array.from({ length: 25 }, () => send(open(), name, WRONG_PASSWORD, { headers })),
    )

    expect(new Set(rejected.map(({ status }) => status))).toEqual(new Set([429]))
    expect((await send(open(), name, WRONG_PASSWORD)).status).toBe(401)
  })

  it.each(['\u0000', '\u0007', '\n', '\u009f', '\u202e'])(
    '[U8] with the control character %j in the name are those of the name without it',
    async (character) => {
      const authorize = vi.fn<Authorize>(() => null)
      const { browser: open } = credentialsService(authorize)
      const headers = { 'CF-Connecting-IP': newIp() }
      const name = newName()
      stopClock()

      const responses = await Promise.all(
        Array.from({ length: 6 }, (_, count) => {
          const username = `${name.slice(0, count)}${character.repeat(count)}${name.slice(count)}`
          return send(open(), username, WRONG_PASSWORD, { headers })
        }),
      )
      const statuses = responses.map(({ status }) => status).toSorted()
      await send(open(), name, `${character}${WRONG_PASSWORD}`)

      expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
      expect(new Set(authorize.mock.calls.map(([{ username }]) => username))).toEqual(
        new Set([name]),
      )
      expect(authorize.mock.lastCall?.[0]['password']).toBe(`${character}${WRONG_PASSWORD}`)
    },
  )

  it('[U9] by others do not delay the owner in a browser that has signed in before', async () => {
    const { browser: open } = credentialsService()
    const name = newName()
    const owner = open()
    await send(owner, name, PASSWORD)
    stopClock()
    await Promise.all(Array.from({ length: 20 }, () => send(open(), name, WRONG_PASSWORD)))

    expect((await send(open(), name, PASSWORD)).status).toBe(429)
    expect((await send(owner, name, PASSWORD)).status).toBe(200)
    const guesses = await Promise.all(
      Array.from({ length: 7 }, () => send(owner, name, WRONG_PASSWORD)),
    )
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(5)
  })

  it('[U8] count for a shared address only if they are wrong', async () => {
    const { browser: open } = credentialsService()
    const address = '198.51.100.70'
    const signIn = async (password: string) => {
      const headers = { 'CF-Connecting-IP': address }
      return (await send(open(), newName(), password, { headers })).status
    }
    stopClock()
    await Promise.all(Array.from({ length: 49 }, () => signIn(WRONG_PASSWORD)))

    const users = [await signIn(PASSWORD), await signIn(PASSWORD), await signIn(PASSWORD)]
    const guesses = [await signIn(WRONG_PASSWORD), await signIn(WRONG_PASSWORD)]

    expect(users).toEqual([200, 200, 200])
    expect(guesses).toEqual([401, 429])
  })

  it.each<[string, number, { isOneAccount: boolean; isOneAddress: boolean }]>([
    ['one account at one address', 5, { isOneAccount: true, isOneAddress: true }],
    ['one account at many addresses', 20, { isOneAccount: true, isOneAddress: false }],
    ['many accounts at one address', 50, { isOneAccount: false, isOneAddress: true }],
  ])(
    '[U8] are counted for a day, neither less nor more: %s, %i of them',
    async (_, free, { isOneAccount, isOneAddress }) => {
      const { browser: open } = credentialsService()
      // So many that each alone is not delayed.
      const accounts = Array.from({ length: isOneAccount ? 1 : 14 }, newName)
      const addresses = Array.from({ length: isOneAddress ? 1 : 6 }, newIp)
      const now = stopClock()
      let guesses = 0
      const guess = async () => {
        const address = addresses[guesses % addresses.length] ?? ''
        const account = accounts[guesses % accounts.length] ?? ''
        guesses += 1
        const headers = { 'CF-Connecting-IP': address }
        const response = await send(open(), account, WRONG_PASSWORD, { headers })
        return [response.status, response.headers.get('Retry-After')]
      }

      const first = await Promise.all(Array.from({ length: free }, guess))
      expect(first).toEqual(Array(free).fill([401, null]))

      expect(await guess()).toEqual([429, '1'])
      setClock(now + DAY - 1)
      expect(await guess()).toEqual([401, null])
      expect(await guess()).toEqual([429, '2'])
      setClock(now + DAY)
      expect(await guess()).toEqual([401, null])
      expect(await guess()).toEqual([401, null])
    },
  )

  it('[U8] are limited to about 120 a day, of 1,000', async () => {
    const object = env.GUARDS.get(env.GUARDS.newUniqueId())
    const start = Math.floor(Date.now() / 1000)

    const checked = await runInDurableObject(object, async (instance) => {
      let count = 0
      for (let guess = 0; guess < 1_000; guess++) {
        setClock(start + (guess * DAY) / 1_000)
        const delays = { free: 20, maxDelay: 15 * MINUTE, memory: DAY }
        if ((await instance.countUse(delays, `guess ${guess}`)) === 0) count += 1
      }
      return count
    })

    expect(checked).toBeGreaterThan(100)
    expect(checked).toBeLessThan(130)
    // A day without a guess.
    advanceClock(2 * DAY + HOUR)
    await runInDurableObject(object, (instance) => instance.alarm())
    expect(
      await runInDurableObject(object, (_, { storage }) =>
        storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'used'").toArray(),
      ),
    ).toEqual([])
  })
})

describe('the options of a credentials provider', () => {
  it.each<[string, object, string]>([
    [
      'no fields',
      { credentials: {} },
      'credentials.credentials is empty: add the fields of the form.',
    ],
    [
      '[S2] linking by address',
      { allowDangerousEmailAccountLinking: true },
      'allowDangerousEmailAccountLinking is not supported',
    ],
    [
      'several fields without a password',
      { credentials: { username: {}, pin: { type: 'number' } } },
      'credentials.credentials has no field of type password',
    ],
    ['no authorize', { authorize: undefined }, 'authorize is missing.'],
    [
      'a field that is a text',
      { credentials: { name: 'x' } },
      'credentials.name must be an object',
    ],
    [
      'a type that is no text',
      { credentials: { name: { type: 'file' } } },
      'credentials.name.type must be text or email or password',
    ],
    [
      'a name with a space',
      { credentials: { 'a b': {} } },
      'credentials.a b must have a name of letters',
    ],
    [
      'a label that is a number',
      { credentials: { name: { label: 1 } } },
      'credentials.name.label must be a string.',
    ],
  ])('with %s are reported at start', (_, changes, problem) => {
    const provider = Credentials({ credentials: { name: {} }, authorize: () => null, ...changes })

    expect(() => createVestibule({ ...options, providers: [provider] })).toThrow(problem)
  })
})
