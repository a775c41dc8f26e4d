import { env } from 'cloudflare:workers'
import * as client from 'openid-client'
import { beforeEach, describe, expect, it } from 'vitest'
import { clientStore } from '../../../src/administration/registrations/client-store.ts'
import { USE_LIMITS } from '../../../src/features/device/limits.ts'
import { Browser, issuedSecrets, LOGIN, serviceWith } from '../../browser.ts'
import { advanceClock, stopClock } from '../../clock.ts'
import { continueUrl } from '../../continue-url.ts'
import {
  basic,
  formRequest,
  getUserinfo,
  OFFLINE_ACCESS,
  postForm,
  RelyingApp,
  signedInAsNewUser,
} from '../../core/oidc/relying-app.ts'
import { approveConsent, consentForm, signInOnPage } from '../../core/oidc/user-steps.ts'
import { config, newId, ORIGIN } from '../../core/registrations/stored-clients.ts'
import { errorCode } from '../../html.ts'
import { redirectUrl } from '../../redirect.ts'

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:device_code'
const POLL_INTERVAL = 5 // seconds
const TELEVISION = { client_id: 'television' }

interface DeviceResponse {
  device_code: string
  user_code: string
  verification_uri: string
  verification_uri_complete: string
  expires_in: number
  interval: number
}

async function startDevice(
  form: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<DeviceResponse> {
  const response = await postForm(
    '/oidc/device',
    { ...(headers['Authorization'] === undefined && TELEVISION), ...OFFLINE_ACCESS, ...form },
    headers,
  )
  expect(response.status).toBe(200)
  const device = await response.json<DeviceResponse>()
  issuedSecrets.add(device.device_code)
  return device
}

interface TokenResponse {
  access_token: string
  refresh_token: string
  scope: string
  error: string
}

/** Polls once, after the interval. */
async function poll(
  { device_code }: DeviceResponse,
  form: Record<string, string> = TELEVISION,
  headers: Record<string, string> = {},
): Promise<TokenResponse> {
  advanceClock(POLL_INTERVAL)
  return pollNow({ device_code }, form, headers)
}

async function pollNow(
  { device_code }: Pick<DeviceResponse, 'device_code'>,
  form: Record<string, string> = TELEVISION,
  headers: Record<string, string> = {},
): Promise<TokenResponse> {
  const response = await postForm(
    '/oidc/token',
    { grant_type: GRANT_TYPE, device_code, ...form },
    headers,
  )
  const tokens = await response.json<TokenResponse>()
  expect(response.status).toBe(tokens.error ? 400 : 200)
  for (const token of [tokens.access_token, tokens.refresh_token]) {
    if (token) issuedSecrets.add(token)
  }
  return tokens
}

/** The code that the page suggests. */
function enteredCode(html: string): string {
  return html.match(/name="user_code"[^>]* value="([^"]*)"/)?.[1] ?? ''
}

/** The letter as keyboards for East Asian languages enter it. */
function fullWidth(letter: string): string {
  return String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)
}

/** Enters the code, and returns the response to the request that the page continues with. */
async function enterCode(browser: Browser, user_code: string): Promise<Response> {
  return browser.get(await continueUrl(await browser.post('/device', { user_code })))
}

async function approve(browser: Browser, { user_code }: DeviceResponse): Promise<Response> {
  const response = await approveConsent(browser, await enterCode(browser, user_code))
  const { pathname, searchParams } = redirectUrl(response, 303)
  expect([pathname, searchParams.get('result')]).toEqual(['/device', 'approved'])
  return response
}

async function deny(browser: Browser, { user_code }: DeviceResponse): Promise<Response> {
  const form = await consentForm(await enterCode(browser, user_code))
  const answers = form.map(([name, value]): [string, string] => [
    name,
    name === 'answer' ? 'deny' : value,
  ])
  const headers = { 'Sec-Fetch-Site': 'same-origin' }
  const denied = await browser.fetch('/oidc/consent', { form: answers, headers })
  return browser.get(await continueUrl(denied))
}

beforeEach(() => {
  stopClock()
})

describe('the device flow (RFC 8628)', () => {
  it('signs a user in with a client library, who was not signed in before', async () => {
    const configuration = await new RelyingApp('television').configuration()
    const device = await client.initiateDeviceAuthorization(configuration, OFFLINE_ACCESS)
    const browser = new Browser()
    const page = await browser.get(device.verification_uri_complete ?? '')
    const code = enteredCode(await page.text())

    const toSignIn = await enterCode(browser, code)
    const confirmed = await approveConsent(browser, await signInOnPage(browser, toSignIn))
    const result = await browser.get(redirectUrl(confirmed, 303).href)
    const tokens = await client.pollDeviceAuthorizationGrant(configuration, {
      ...device,
      interval: 0,
    })

    const resultPage = await result.text()
    expect(resultPage).toContain('You can return to your device')
    expect(resultPage).toContain('<span class="initial app" aria-hidden="true">T</span>')
    const user = await (await getUserinfo(tokens.access_token)).json<{ sub: string }>()
    expect(user.sub).toBe((await browser.session())?.user.id)
    expect(tokens.claims()?.sub).toBe(user.sub)
    const refreshed = await client.refreshTokenGrant(configuration, tokens.refresh_token ?? '')
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token)
  })

  it('returns codes without vowels, and the page that accepts them (§3.2, §6.1)', async () => {
    const device = await startDevice()

    expect(device).toEqual({
      device_code: expect.any(String),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${LOGIN}/device`,
      verification_uri_complete: `${LOGIN}/device?user_code=${device.user_code}`,
      expires_in: 600,
      interval: POLL_INTERVAL,
    })
  })

  it.each([
    (code: string) => code.toLowerCase(),
    (code: string) => code.replace('-', ''),
    (code: string) => ` ${code.replace('-', ' – ')} `,
    (code: string) => `\u200e${code.replaceAll(/[A-Z]/g, fullWidth)}\u200f`,
  ])('accepts a code in another spelling (%#)', async (spell) => {
    const browser = await signedInAsNewUser()
    const { user_code } = await startDevice()

    expect(await (await enterCode(browser, spell(user_code))).text()).toContain(user_code)
  })

  it('asks the users of first-party clients, too, and shows app, code, place and time', async () => {
    const request = formRequest('/oidc/device', OFFLINE_ACCESS, basic('console'))
    const cf = { city: 'Malmö', country: 'SE' } as CfProperties
    const response = await serviceWith({})(new Request(request, { cf }))
    const { user_code, device_code } = await response.json<DeviceResponse>()
    const browser = await signedInAsNewUser()

    const page = await enterCode(browser, user_code)
    const html = await page.clone().text()

    expect(html).toContain('Sign in to The games console on a device?')
    expect(html).toContain(user_code)
    expect(html).toContain('Malmö, SE')
    expect(html).toMatch(/Requested on \d+ \w+ \d{4}/)
    expect(html).toContain('Only continue if you started this yourself')
    expect(page.headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'")
    await approveConsent(browser, page)
    const { scope, refresh_token } = await pollNow({ device_code }, {}, basic('console'))
    // The client is not registered for refresh_token.
    expect([scope, refresh_token]).toEqual(['openid profile', undefined])
  })

  it('grants only what the user has selected, for the requested API', async () => {
    const browser = await signedInAsNewUser()
    const device = await startDevice({ resource: 'https://orders.example' })
    const page = await enterCode(browser, device.user_code)
    await approveConsent(browser, page, ['profile'])

    const tokens = await poll(device)

    expect(tokens.scope).toBe('openid offline_access')
    const [, payload = ''] = tokens.access_token.split('.')
    const { aud } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    expect(aud).toEqual(['https://orders.example', LOGIN])
  })

  it('ends the access when the user removes it on the account page', async () => {
    const browser = await signedInAsNewUser()
    const device = await startDevice()
    await approve(browser, device)
    const { refresh_token, access_token } = await poll(device)

    await browser.post('/account/consents', TELEVISION)

    const refreshed = await postForm('/oidc/token', {
      grant_type: 'refresh_token',
      refresh_token,
      ...TELEVISION,
    })
    expect(refreshed.status).toBe(400)
    expect((await getUserinfo(access_token)).status).toBe(401)
  })
})

describe('POST /oidc/device', () => {
  it.each<[string, Record<string, string>, Record<string, string>, string]>([
    ['an unknown client', { client_id: 'nobody' }, {}, 'invalid_client'],
    ['a client without the grant type', { client_id: 'kiosk' }, {}, 'unauthorized_client'],
    ['a wrong secret', {}, basic('console', 'wrong'), 'invalid_client'],
    ['no secret', { client_id: 'console' }, {}, 'invalid_client'],
    [
      'a resource of others',
      { ...TELEVISION, resource: 'https://stock.example' },
      {},
      'invalid_target',
    ],
  ])('rejects %s', async (_, form, headers, error) => {
    const response = await postForm('/oidc/device', form, headers)

    const body = await response.json<Record<string, string>>()
    expect(body).toMatchObject({ error })
    if (error === 'invalid_target') {
      expect(body['error_description']).toContain('may not use https://stock.example: add')
    }
  })

  it('counts and stores a request, and a poll needs one call', async () => {
    const calls: string[] = []
    const guards = new Proxy(env.GUARDS, {
      get: (target, key) =>
        key === 'get'
          ? (id: DurableObjectId) =>
              new Proxy(target.get(id), {
                get(object, method) {
                  const member = Reflect.get(object, method)
                  if (typeof member !== 'function') return member
                  return (...input: unknown[]) => {
                    calls.push(String(method))
                    return Reflect.apply(member, object, input)
                  }
                },
              })
          : Reflect.get(target, key).bind(target),
    })
    const service = serviceWith({ GUARDS: guards })
    const from = { 'CF-Connecting-IP': '2001:db8:9::1' }
    const started = await service(formRequest('/oidc/device', TELEVISION, from))
    const { device_code } = await started.json<DeviceResponse>()
    await service(
      formRequest('/oidc/token', { grant_type: GRANT_TYPE, device_code, ...TELEVISION }),
    )

    expect(calls).toEqual(['countUse', 'startDeviceRequest', 'pollDeviceRequest'])
  })
})

describe('a device that polls', () => {
  it('has to wait until the user has decided', async () => {
    const browser = await signedInAsNewUser()
    const device = await startDevice()

    expect((await poll(device)).error).toBe('authorization_pending')
    await approve(browser, device)
    expect((await poll(device)).access_token).toBeDefined()
  })

  it('has to slow down if it is too fast, by five more seconds each time (§3.5) [R1]', async () => {
    const device = await startDevice()
    const errors: string[] = []

    for (const wait of [0, 0, POLL_INTERVAL, 2 * POLL_INTERVAL, 4 * POLL_INTERVAL]) {
      advanceClock(wait)
      errors.push((await pollNow(device)).error)
    }

    expect(errors).toEqual([
      'authorization_pending',
      'slow_down',
      'slow_down',
      'slow_down',
      'authorization_pending',
    ])
  })

  it('may be a second early, and learns no decision before that', async () => {
    const browser = await signedInAsNewUser()
    const device = await startDevice()
    expect((await pollNow(device)).error).toBe('authorization_pending')
    await approve(browser, device)
    advanceClock(POLL_INTERVAL - 2)
    expect((await pollNow(device)).error).toBe('slow_down')

    advanceClock(2 * POLL_INTERVAL - 1)

    expect((await pollNow(device)).access_token).toBeDefined()
  })

  it('[F1] gets no token for an API that the user was not asked about, and keeps its code', async () => {
    const browser = await signedInAsNewUser()
    const device = await startDevice({ resource: 'https://orders.example' })
    await approve(browser, device)

    const other = await poll(device, { ...TELEVISION, resource: 'https://stock.example' })

    expect(other.error).toBe('invalid_target')
    expect((await poll(device)).access_token).toBeDefined()
  })

  it('learns that the user has denied the request', async () => {
    const browser = await signedInAsNewUser()
    const device = await startDevice()

    const response = await deny(browser, device)

    const page = await browser.get(redirectUrl(response, 303).href)
    expect(await page.text()).toContain('The device was not signed in')
    expect((await poll(device)).error).toBe('access_denied')
  })

  it('learns that its code has expired', async () => {
    const device = await startDevice()
    advanceClock(600)

    expect((await poll(device)).error).toBe('expired_token')
  })

  it.each([
    ['another client', { client_id: 'television' }, {}],
    ['no client', { client_id: 'nobody' }, {}],
  ])('[C4] gets nothing for the approved code of %s', async (_, form, headers) => {
    const browser = await signedInAsNewUser()
    const device = await startDevice({}, basic('console'))
    await approve(browser, device)

    const response = await postForm(
      '/oidc/token',
      { grant_type: GRANT_TYPE, device_code: device.device_code, ...form },
      headers,
    )

    expect(await response.json()).toMatchObject({ error: expect.stringMatching(/^invalid_/) })
    // It is still valid for its own.
    expect((await poll(device, {}, basic('console'))).access_token).toBeDefined()
  })

  it('[C4] learns nothing about the code of another client', async () => {
    const device = await startDevice({}, basic('console'))

    expect((await poll(device)).error).toBe('invalid_grant')
  })

  it('[C2] loses its access if it redeems the code again', async () => {
    const browser = await signedInAsNewUser()
    const device = await startDevice()
    await approve(browser, device)
    const { access_token } = await poll(device)
    advanceClock(10 * POLL_INTERVAL)

    expect((await poll(device)).error).toBe('invalid_grant')
    expect((await getUserinfo(access_token)).status).toBe(401)
  })

  it.each(['', 'ac_x', 'x'.repeat(5000)])(
    'gets an error for a malformed code (%#)',
    async (code) => {
      const error = code === '' ? 'invalid_request' : 'invalid_grant'

      expect((await pollNow({ device_code: code })).error).toBe(error)
    },
  )
})

describe('the page for the code of a device', () => {
  it('does nothing with the code in its address until the user continues', async () => {
    const browser = await signedInAsNewUser()
    const { user_code } = await startDevice()

    const page = await browser.get(`/device?user_code=${user_code}`)
    const html = await page.text()

    expect(page.status).toBe(200)
    expect(enteredCode(html)).toBe(user_code)
    expect(html).not.toContain('television')
  })

  it.each(['BCDF-GHJK', 'AEIO-UAEI', '', 'x'.repeat(500)])(
    'shows the same message for every code that does not exist: %s',
    async (user_code) => {
      const response = await new Browser().post('/device', { user_code })

      expect(response.status).toBe(400)
      expect(await response.text()).toContain('This code is wrong or has expired.')
    },
  )

  it('does not accept an expired code, nor one that was decided about', async () => {
    const browser = await signedInAsNewUser()
    const [approved, denied, expired] = [
      await startDevice(),
      await startDevice(),
      await startDevice(),
    ]
    await approve(browser, approved)
    await deny(browser, denied)
    const enter = async ({ user_code }: DeviceResponse) =>
      (await browser.post('/device', { user_code })).status

    expect([await enter(approved), await enter(denied)]).toEqual([400, 400])
    advanceClock(600)
    expect(await enter(expired)).toBe(400)
  })

  it('[C23] does not accept a code that a deleted client with the same id has shown', async () => {
    const client_id = newId('tv')
    const registration = {
      client_id,
      client_name: 'A television',
      token_endpoint_auth_method: 'none',
      grant_types: [GRANT_TYPE],
    }
    const register = () => clientStore.create(env, config, { registration, origin: ORIGIN })
    stopClock()
    await register()
    const browser = await signedInAsNewUser()
    const { user_code } = await startDevice({ client_id, scope: 'openid' })
    await clientStore.delete(env, config, { id: client_id, origin: ORIGIN })
    advanceClock(60)
    await register()

    const response = await enterCode(browser, user_code)

    expect(await errorCode(response)).toBe('attempt_missing')
  })

  it('[M1] rejects posts from other sites', async () => {
    const browser = await signedInAsNewUser()
    const { user_code } = await startDevice()
    const headers = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }

    const entered = await browser.post('/device', { user_code }, headers)
    const form = Object.fromEntries(await consentForm(await enterCode(browser, user_code)))
    const confirmed = await browser.post('/oidc/consent', form, headers)

    expect([entered.status, confirmed.status]).toEqual([403, 403])
  })

  it('lets one of two users decide', async () => {
    const [first, second] = [await signedInAsNewUser(), await signedInAsNewUser()]
    const device = await startDevice()
    const shown = await enterCode(second, device.user_code)
    await approve(first, device)

    const form = await consentForm(shown)
    const headers = { 'Sec-Fetch-Site': 'same-origin' }
    const late = await second.fetch('/oidc/consent', { form, headers })

    expect(await errorCode(late)).toBe('attempt_missing')
    const { access_token } = await poll(device)
    const { sub } = await (await getUserinfo(access_token)).json<{ sub: string }>()
    expect(sub).toBe((await first.session())?.user.id)
  })

  it('lets one of two users decide who have confirmed at the same time', async () => {
    const device = await startDevice()
    const approvals = await Promise.all(
      [await signedInAsNewUser(), await signedInAsNewUser()].map(async (browser) => {
        const form = await consentForm(await enterCode(browser, device.user_code))
        const headers = { 'Sec-Fetch-Site': 'same-origin' }
        const approved = await browser.fetch('/oidc/consent', { form, headers })
        const path = await continueUrl(approved)
        return () => browser.get(path)
      }),
    )

    const responses = await Promise.all(approvals.map((finish) => finish()))

    expect(responses.map(({ status }) => status).sort()).toEqual([303, 400])
    expect((await poll(device)).access_token).toBeDefined()
  })

  it('does not accept an approval in another browser, or of another session', async () => {
    const [browser, other] = [await signedInAsNewUser(), await signedInAsNewUser()]
    const device = await startDevice()
    const form = await consentForm(await enterCode(browser, device.user_code))
    const headers = { 'Sec-Fetch-Site': 'same-origin' }

    const elsewhere = await other.fetch('/oidc/consent', { form, headers })
    const approved = await browser.fetch('/oidc/consent', { form, headers })
    const path = await continueUrl(approved)
    for (const name of other.cookieNames('session')) {
      browser.cookies.set(name, other.cookies.get(name) ?? '')
    }
    const page = await browser.get(path)

    expect(await errorCode(elsewhere)).toBe('attempt_missing')
    expect(await page.text()).toContain('id="approve"')
    expect((await poll(device)).error).toBe('authorization_pending')
  })

  it('keeps the consent of an app when the request of a device is denied', async () => {
    const browser = await signedInAsNewUser()
    const device = await startDevice()
    await approve(browser, device)
    await deny(browser, await startDevice())

    const events = await env.DIRECTORY.prepare(
      "SELECT event FROM audit WHERE subject = ? AND event = 'consent_withdrawn'",
    )
      .bind((await browser.session())?.user.id ?? '')
      .all()
    expect(events.results).toEqual([])
  })
})

it('[R1] limits the requests of the devices of one IP address', async () => {
  const headers = { 'CF-Connecting-IP': '203.0.113.8' }
  const request = () => postForm('/oidc/device', TELEVISION, headers)
  const guard = env.GUARDS.get(env.GUARDS.idFromName('device requests from 203.0.113.8'))
  for (let index = 0; index < 59; index++) {
    await guard.countUse(USE_LIMITS['device requests'], ` request ${index}`)
  }

  expect([(await request()).status, (await request()).status]).toEqual([200, 429])
})

describe('strangers at a network that has used up the device requests [R1][R2]', () => {
  /** The addresses have a limit of 60 per /64, 240 per /56 and 960 per /48. */
  const from = (ip: string) => postForm('/oidc/device', TELEVISION, { 'CF-Connecting-IP': ip })

  async function useUp(network: string, subnets: readonly string[]): Promise<void> {
    const guard = env.GUARDS.get(env.GUARDS.idFromName(`device requests from ${network}`))
    for (const subnet of subnets) {
      const parts = [{ prefix: subnet, factor: 1 }]
      for (let index = 0; index < 60; index++) {
        await guard.countUse(USE_LIMITS['device requests'], `${subnet} request ${index}`, parts)
      }
    }
  }

  it('cannot continue in another subnet, and do not affect other customers', async () => {
    await useUp('2001:db8:77::/48', ['aa00', 'aa01', 'aa02', 'aa03'])

    expect((await from('2001:db8:77:aa02::1')).status).toBe(429)
    expect((await from('2001:db8:77:aaff::1')).status).toBe(429)
    expect((await from('2001:db8:77:ab00::1')).status).toBe(200)
    expect((await from('2001:db8:78:aa00::1')).status).toBe(200)
    expect((await from('203.0.113.78')).status).toBe(200)
  })

  it('do not affect authenticated clients at the same address', async () => {
    await useUp('2001:db8:79::/48', ['0000'])

    const ip = '2001:db8:79::1'
    const headers = { 'CF-Connecting-IP': ip, ...basic('console', 'console-secret') }

    expect((await from(ip)).status).toBe(429)
    expect((await postForm('/oidc/device', {}, headers)).status).toBe(200)
  })
})

describe('guesses of user codes [R1]', () => {
  /** A code that no device has. */
  const guess = () =>
    Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => 'BCDFGHJK'[byte % 8]).join('')

  it('are limited per IP address, and the right code does not count', async () => {
    const headers = { 'CF-Connecting-IP': '203.0.113.7' }
    const statuses: number[] = []
    for (let index = 0; index < 21; index++) {
      const { user_code } = await startDevice()
      await new Browser().post('/device', { user_code }, headers)
      statuses.push((await new Browser().post('/device', { user_code: guess() }, headers)).status)
    }

    expect(statuses).toEqual([...Array<number>(20).fill(400), 429])
  })

  it('of strangers affect neither other networks nor signed-in users', async () => {
    stopClock()
    const enter = (browser: Browser, user_code: string, ip: string) =>
      browser.post('/device', { user_code }, { 'CF-Connecting-IP': ip })
    const statuses: number[] = []
    for (let index = 0; index < 81; index++) {
      const ip = `2001:db8:1:${Math.floor(index / 20)}::${index}`
      statuses.push((await enter(new Browser(), guess(), ip)).status)
    }
    const { user_code } = await startDevice()

    expect(statuses).toEqual([...Array<number>(80).fill(400), 429])
    expect((await enter(new Browser(), user_code, '2001:db8:1:9::')).status).toBe(429)
    expect((await enter(new Browser(), user_code, '2001:db8:1:9900::')).status).toBe(200)
    expect((await enter(await signedInAsNewUser(), user_code, '2001:db8:1:9::')).status).toBe(200)
  })

  it('of one user are limited', async () => {
    stopClock()
    const browser = await signedInAsNewUser()
    const statuses: number[] = []
    for (let index = 0; index < 21; index++) {
      statuses.push((await browser.post('/device', { user_code: guess() })).status)
    }

    expect(statuses).toEqual([...Array<number>(20).fill(400), 429])
  })

  it('are not checked while they cannot be counted', async () => {
    const { user_code } = await startDevice()
    const failing = {
      ...env.GUARDS,
      idFromName: (name: string) => env.GUARDS.idFromName(name),
      get: (id: DurableObjectId) =>
        id.equals(env.GUARDS.idFromName('guesses of user codes from 203.0.113.9'))
          ? { countUse: () => Promise.reject(new Error('overloaded')) }
          : env.GUARDS.get(id),
    }

    const response = await new Browser(serviceWith({ GUARDS: failing })).post(
      '/device',
      { user_code },
      { 'CF-Connecting-IP': '203.0.113.9' },
    )

    expect(response.status).toBe(503)
  })
})
