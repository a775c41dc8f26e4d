import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AppContext } from '../../../src/core/http/app-env.ts'
import { countedNetwork } from '../../../src/core/http/client-ip.ts'
import { USE_LIMITS } from '../../../src/core/limits/limit-table.ts'
import { Browser, LOGIN, lastLogEntry, logLines, SHOP, serviceWith } from '../../browser.ts'
import { setClock, stopClock } from '../../clock.ts'
import { app } from '../../deployment.ts'
import { errorCode } from '../../html.ts'
import { signInNewUser } from '../../new-user.ts'
import { randomAddress } from '../../random-address.ts'
import { forbidden } from '../../storage.ts'
import { basic, formRequest, OFFLINE_ACCESS, RelyingApp, SECRETS } from '../oidc/relying-app.ts'
import { unsignedJwt } from '../oidc/unsigned-jwt.ts'

const SECRET = SECRETS['web'] ?? ''

/** The service with limits so low that thirty requests exceed each of them. */
const LOW_LIMITS = {
  USER_RATE_LIMIT: env.TEST_USER_RATE_LIMIT,
  CLIENT_RATE_LIMIT: env.TEST_CLIENT_RATE_LIMIT,
}
const service = serviceWith(LOW_LIMITS)

/** Introspects a token as this client, from this address. */
function introspect(
  address: string,
  clientId: string,
  secret: string,
  headers: Record<string, string> = {},
  at = service,
): Promise<Response> {
  return at(
    new Request(`${LOGIN}/oidc/introspect`, {
      method: 'POST',
      headers: { ...basic(clientId, secret), 'CF-Connecting-IP': address, ...headers },
      body: new URLSearchParams({ token: 'x' }),
    }),
  )
}

function fetchUserinfo(token: string, address = randomAddress()): Promise<Response> {
  return service(
    new Request(`${LOGIN}/oidc/userinfo`, {
      headers: { Authorization: `Bearer ${token}`, 'CF-Connecting-IP': address },
    }),
  )
}

/** Sends this many requests at once, and counts the responses by status. */
async function countStatuses(times: number, call: (n: number) => Promise<Response>) {
  const counts: Record<number, number> = {}
  for (const { status } of await Promise.all(Array.from({ length: times }, (_, n) => call(n))))
    counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/**
 * The limits start again with each minute of the clock. The requests after a flood take less than
 * this.
 */
const MARGIN = 5_000 // milliseconds

function millisecondsLeftInMinute(): number {
  return 60_000 - (Date.now() % 60_000)
}

/**
 * Sends requests until five of thirty are rejected with 429 and the limit still applies for a
 * while, and counts the responses by status. Four batches are enough, because the minute may end
 * during two of them.
 */
async function sendUntilLimited(call: () => Promise<Response>) {
  const counts: Record<number, number> = {}
  for (let batch = 0; batch < 4; batch++) {
    const leftAtStart = millisecondsLeftInMinute()
    const batchCounts = await countStatuses(30, call)
    for (const [status, count] of Object.entries(batchCounts))
      counts[Number(status)] = (counts[Number(status)] ?? 0) + count
    if ((batchCounts[429] ?? 0) < 5) continue
    const left = millisecondsLeftInMinute()
    if (left > leftAtStart) continue // The minute ended during the batch.
    if (left > MARGIN) break
    await scheduler.wait(left)
  }
  return counts
}

describe('the rate limit', { timeout: 120_000 }, () => {
  it.each([
    '/oidc/authorize',
    '/api/auth/signin',
    '/api/auth/signin/nobody',
    '/api/auth/callback/nobody',
  ])('[R1] limits requests to %s per IP', async (path) => {
    const address = randomAddress()
    const visitFrom = (from: string) => new Browser(service).get(path, { 'CF-Connecting-IP': from })
    const usualStatus = (await visitFrom(randomAddress())).status

    const counts = await sendUntilLimited(() => visitFrom(address))
    const limited = await visitFrom(address)

    expect(counts[429]).toBeGreaterThanOrEqual(5)
    expect(counts[usualStatus]).toBeGreaterThan(0)
    expect(limited.headers.get('Retry-After')).toBe('60')
    expect(await errorCode(limited)).toBe('too_many_requests')
    expect((await visitFrom(randomAddress())).status).toBe(usualStatus)
    expect(JSON.parse(logLines.at(-2) ?? '')).toMatchObject({
      code: 'too_many_requests',
      network: `${address.split(':').slice(0, 3).join(':')}::/48`,
    })
    expect(JSON.parse(logLines.at(-1) ?? '')).not.toHaveProperty('network')
  })

  it.each([
    ['fails', { limit: () => Promise.reject(new Error('internal error')) }],
    ['is missing', undefined],
  ])('rejects nothing if it %s', async (_, limiter) => {
    const failing = serviceWith({ USER_RATE_LIMIT: limiter, CLIENT_RATE_LIMIT: limiter })
    const browser = new Browser(failing)
    const from = { 'CF-Connecting-IP': randomAddress() }

    await browser.signIn('mia')
    for (const path of ['/api/auth/session', '/account', '/api/auth/signin?prompt=login']) {
      expect((await browser.get(path, from)).status).toBe(200)
    }
    expect(lastLogEntry('rate_limit_failed').cause).toContain('USER_RATE_LIMIT')
    expect((await introspect(randomAddress(), 'web', SECRET, {}, failing)).status).toBe(200)
    expect(lastLogEntry('rate_limit_failed').cause).toContain('CLIENT_RATE_LIMIT')
  })

  it('[R1][R3] cannot be bypassed with another spelling of the path', async () => {
    const address = randomAddress()
    const visit = (path: string) => new Browser(service).get(path, { 'CF-Connecting-IP': address })
    await sendUntilLimited(() => visit('/oidc/authorize'))

    for (const path of ['/oidc/authorize?x', '/oidc/%61uthorize', '/oidc/./authorize'])
      expect((await visit(path)).status).toBe(429)
    for (const path of [
      '//oidc/authorize',
      '/oidc/authorize/',
      '/oidc/authorize;x',
      '/OIDC/authorize',
    ])
      expect((await visit(path)).status).toBe(404)
  })

  it('[R1] limits requests of a client per client and IP', async () => {
    const address = randomAddress()

    const counts = await sendUntilLimited(() => introspect(address, 'web', SECRET))
    const limited = await introspect(address, 'web', SECRET)

    expect(counts[429]).toBeGreaterThanOrEqual(5)
    expect([limited.status, limited.headers.get('Retry-After')]).toEqual([429, '60'])
    expect(await limited.json()).toEqual({
      error: 'temporarily_unavailable',
      error_description: 'Too many requests: wait a minute.',
    })
    expect((await introspect(address, 'post', 'x')).status).toBe(401)
    expect((await introspect(randomAddress(), 'web', SECRET)).status).toBe(200)
  })

  describe.each(['web', 'shop'])('[R1] of /oidc/token for the client %s', (clientId) => {
    const credentials = (id: string) =>
      id === 'web' ? { headers: basic('web'), form: {} } : { headers: {}, form: { client_id: id } }
    const requestTokens = (form: Record<string, string>, address: string, id = clientId) => {
      const headers = { ...credentials(id).headers, 'CF-Connecting-IP': address }
      return service(formRequest('/oidc/token', { ...form, ...credentials(id).form }, headers))
    }
    const newCode = async (id = clientId) => {
      const app = new RelyingApp(id)
      const { browser } = await signInNewUser(new Browser(service))
      return app.codeExchangeForm(await app.callbackFor(browser, OFFLINE_ACCESS))
    }
    const FAILING: [string, () => Promise<Record<string, string>>][] = [
      ['a malformed code', async () => ({ ...(await newCode()), code: 'x' })],
      ['no code', async () => ({ ...(await newCode()), code: '' })],
      ['a forged code', async () => ({ ...(await newCode()), code: `ac_${'A'.repeat(120)}` })],
      ['the code of another client', () => newCode(clientId === 'web' ? 'shop' : 'web')],
      ['a wrong verifier', async () => ({ ...(await newCode()), code_verifier: 'x'.repeat(43) })],
      [
        'a code that was used',
        async () => {
          const form = await newCode()
          await requestTokens(form, randomAddress())
          return form
        },
      ],
    ]

    it.each(FAILING)('limits %s, and neither valid codes nor refresh tokens', async (_, create) => {
      const address = randomAddress()
      const failing = await create()

      const counts = await sendUntilLimited(() => requestTokens(failing, address))
      const limited = await requestTokens(failing, address)
      const valid = await requestTokens(await newCode(), address)
      const { refresh_token } = await valid.clone().json<{ refresh_token: string }>()
      const form = { grant_type: 'refresh_token', refresh_token }
      const refreshed = await requestTokens(form, address)

      expect(counts[429]).toBeGreaterThanOrEqual(5)
      expect(counts[400]).toBeGreaterThan(0)
      expect([limited.status, limited.headers.get('Retry-After')]).toEqual([429, '60'])
      expect([valid.status, refreshed.status]).toEqual([200, 200])
    })
  })

  it.each([
    ['introspections of a refresh token', '/oidc/introspect', 'refresh_token', 'token'],
    ['introspections of an access token', '/oidc/introspect', 'access_token', 'token'],
    ['refreshes', '/oidc/token', 'refresh_token', 'refresh_token'],
    ['revocations', '/oidc/revoke', 'refresh_token', 'token'],
  ] as const)(
    '[R1] limits %s per grant, not the client that a user causes to send them',
    async (_, path, kind, name) => {
      const address = randomAddress()
      const send = async () => {
        const { browser } = await signInNewUser(new Browser(service))
        const tokens = await new RelyingApp().tokens(browser, OFFLINE_ACCESS)
        const form = { grant_type: 'refresh_token', [name]: tokens[kind] ?? '' }
        const headers = { ...basic('web'), 'CF-Connecting-IP': address }
        return () => service(formRequest(path, form, headers))
      }
      const [ofAttacker, ofVictim] = [await send(), await send()]

      const counts = await sendUntilLimited(ofAttacker)

      expect(counts[429]).toBeGreaterThanOrEqual(10)
      expect((await ofVictim()).status).toBe(200)
    },
  )

  it('[R1] limits consent requests per user', async () => {
    const { browser } = await signInNewUser(new Browser(service))
    const approve = () =>
      browser.post('/oidc/consent', { interaction: 'x', shown: 'x', answer: 'approve' })

    const counts = await sendUntilLimited(approve)

    expect(counts[429]).toBeGreaterThanOrEqual(5)
    expect(counts[400]).toBeGreaterThan(0)
  })

  it('[R1] limits GET /api/auth/session per user from any IP, with a JSON error that apps can read', async () => {
    const address = randomAddress()
    const [user, colleague] = [
      await signInNewUser(new Browser(service)),
      await signInNewUser(new Browser(service)),
    ]
    const poll = ({ browser }: typeof user, from: string) =>
      browser.get('/api/auth/session?token=false', {
        Accept: '*/*',
        Origin: SHOP,
        'CF-Connecting-IP': from,
      })

    const counts = await sendUntilLimited(() => poll(user, randomAddress()))
    const limited = await poll(user, address)

    expect(counts[429]).toBeGreaterThanOrEqual(5)
    expect(counts[200]).toBeGreaterThan(0)
    expect([limited.status, limited.headers.get('Retry-After')]).toEqual([429, '60'])
    expect(limited.headers.get('Access-Control-Allow-Origin')).toBe(SHOP)
    expect(await limited.json()).toMatchObject({ error: 'too_many_requests' })
    expect((await poll(colleague, address)).status).toBe(200)
    expect((await user.browser.post('/api/auth/signout', {})).status).toBe(200)
  })

  it.each([
    ['no session cookie', {}],
    ['a forged session cookie', { Cookie: '__Host-vestibule.session=forged' }],
  ])('[R1] limits GET /api/auth/session per IP with %s', async (_, cookie) => {
    const address = randomAddress()
    const { browser } = await signInNewUser(new Browser(service))
    const pollFrom = (from: string, visitor = new Browser(service)) =>
      visitor.get('/api/auth/session', {
        Accept: '*/*',
        'CF-Connecting-IP': from,
        ...(visitor !== browser && cookie),
      })

    const counts = await sendUntilLimited(() => pollFrom(address))

    expect(counts[429]).toBeGreaterThanOrEqual(5)
    expect(counts[200]).toBeGreaterThan(0)
    expect((await pollFrom(randomAddress())).status).toBe(200)
    expect((await pollFrom(address, browser)).status).toBe(200)
    const signInPage = await new Browser(service).get('/api/auth/signin', {
      'CF-Connecting-IP': address,
    })
    expect(signInPage.status).toBe(200)
  })

  it('[R1] counts GET /api/auth/session of all browsers of a user together', async () => {
    const { browser, handle } = await signInNewUser(new Browser(service))
    const secondBrowser = new Browser(service)
    await secondBrowser.signIn(handle)

    const counts = await sendUntilLimited(() => browser.get('/api/auth/session'))

    const limited = await secondBrowser.get('/api/auth/session', { Accept: '*/*', Origin: SHOP })

    expect(counts[429]).toBeGreaterThanOrEqual(5)
    expect([limited.status, limited.headers.get('Retry-After')]).toEqual([429, '60'])
    expect(limited.headers.get('Access-Control-Allow-Origin')).toBe(SHOP)
  })

  it('[R1] limits GET /api/auth/session per IP, not per user, if the session has ended', async () => {
    const address = randomAddress()
    const [user, colleague] = [
      await signInNewUser(new Browser(service)),
      await signInNewUser(new Browser(service)),
    ]
    const endSessionOf = async ({ handle }: typeof user) => {
      const browser = new Browser(service)
      await browser.signIn(handle)
      const cookies = browser.cookieHeader()
      await browser.post('/api/auth/signout', {})
      return cookies
    }
    const [ended, endedToo] = [await endSessionOf(user), await endSessionOf(colleague)]
    const poll = (cookies: { Cookie?: string }, from: string) =>
      new Browser(service).get('/api/auth/session', { ...cookies, 'CF-Connecting-IP': from })

    const counts = await sendUntilLimited(() => poll(ended, address))

    expect(counts[429]).toBeGreaterThanOrEqual(5)
    expect(counts[200]).toBeGreaterThan(0)
    expect((await poll(user.browser.cookieHeader(), address)).status).toBe(200)
    expect((await poll(endedToo, address)).status).toBe(429)
    expect((await poll(endedToo, randomAddress())).status).toBe(200)
  })

  it('[R1] does not count consent requests of an ended session against its user', async () => {
    const { browser, handle } = await signInNewUser(new Browser(service))
    const ended = new Browser(service)
    await ended.signIn(handle)
    const cookies = ended.cookieHeader()
    await ended.post('/api/auth/signout', {})
    const form = { interaction: 'x', shown: 'x', answer: 'approve' }

    const counts = await sendUntilLimited(() =>
      new Browser(service).post('/oidc/consent', form, { ...cookies }),
    )

    expect(counts[429]).toBeGreaterThanOrEqual(5)
    expect((await browser.post('/oidc/consent', form)).status).toBe(400)
  })

  it('[R1] limits POST /oidc/logout/confirm per session, or per IP without a session', async () => {
    const address = randomAddress()
    const { browser } = await signInNewUser(new Browser(service))
    const cookies = browser.cookieHeader()
    const confirm = (from: string, headers: { Cookie?: string } = {}) =>
      new Browser(service).post(
        '/oidc/logout/confirm',
        {},
        { 'CF-Connecting-IP': from, ...headers },
      )

    const counts = await sendUntilLimited(() => confirm(address))
    const signedInCounts = await sendUntilLimited(() => confirm(randomAddress(), cookies))

    for (const statuses of [counts, signedInCounts]) {
      expect(statuses[429]).toBeGreaterThanOrEqual(10)
      expect(statuses[200]).toBeGreaterThan(0)
    }
    expect((await confirm(randomAddress())).status).toBe(200)
  })

  it.each(['/account', '/api/auth/signout'])(
    '[R1] limits %s per user, before any storage is read',
    async (path) => {
      const [user, colleague] = [
        await signInNewUser(new Browser(service)),
        await signInNewUser(new Browser(service)),
      ]

      const counts = await sendUntilLimited(() => user.browser.get(path))
      const limited = await serviceWith({
        ...LOW_LIMITS,
        USERS: forbidden('USERS'),
        DIRECTORY: forbidden('DIRECTORY'),
        SESSIONS: forbidden('SESSIONS'),
      })(
        new Request(`${LOGIN}${path}`, {
          headers: { Accept: 'text/html', ...user.browser.cookieHeader() },
        }),
      )

      expect(counts[429]).toBeGreaterThanOrEqual(5)
      expect(counts[200]).toBeGreaterThan(0)
      expect([limited.status, limited.headers.get('Retry-After')]).toEqual([429, '60'])
      expect(await errorCode(limited)).toBe('too_many_requests')
      expect((await colleague.browser.get(path)).status).toBe(200)
    },
  )

  it('[R1] limits /oidc/userinfo per grant, with an OAuth error', async () => {
    const { browser } = await signInNewUser(new Browser(service))
    const { access_token: token } = await new RelyingApp('web').tokens(browser)
    const { access_token: otherToken } = await new RelyingApp('post').tokens(browser)

    const counts = await sendUntilLimited(() => fetchUserinfo(token))
    const limited = await fetchUserinfo(token)

    expect(counts[429]).toBeGreaterThanOrEqual(5)
    expect(counts[200]).toBeGreaterThan(0)
    expect([limited.status, limited.headers.get('Retry-After')]).toEqual([429, '60'])
    expect(await limited.json()).toEqual({
      error: 'temporarily_unavailable',
      error_description: 'Too many requests: wait a minute.',
    })
    expect((await fetchUserinfo(otherToken)).status).toBe(200)
  })

  it('[R1] limits /oidc/userinfo per IP with an invalid token', async () => {
    const address = randomAddress()
    const { browser } = await signInNewUser(new Browser(service))
    const { access_token: token } = await new RelyingApp('web').tokens(browser)

    const counts = await sendUntilLimited(() => fetchUserinfo('x.y.z', address))

    expect(counts[429]).toBeGreaterThanOrEqual(5)
    expect(counts[401]).toBeGreaterThan(0)
    expect((await fetchUserinfo('x.y.z', randomAddress())).status).toBe(401)
    expect((await fetchUserinfo(token, address)).status).toBe(200)
  })
})

describe('the limit of wrong client secrets', () => {
  it('[R4] is ten per minute; then even the right one is rejected', async () => {
    const address = randomAddress()

    const counts = await countStatuses(12, (n) => introspect(address, 'web', `guess ${n}`))
    const withRightSecret = await introspect(address, 'web', SECRET)

    expect(counts).toEqual({ 401: 10, 429: 2 })
    expect([withRightSecret.status, withRightSecret.headers.get('Retry-After')]).toEqual([
      429,
      '60',
    ])
  })

  const inForm = (client_id: string) => (client_secret: string) => ({
    form: { client_id, client_secret },
    headers: {},
  })
  const asBasic = (id: string) => (secret: string) => ({ form: {}, headers: basic(id, secret) })

  it.each([
    ['a client with Basic at /oidc/token', '/oidc/token', asBasic('web'), SECRET],
    ['a client with Basic at /oidc/revoke', '/oidc/revoke', asBasic('web'), SECRET],
    ['a client with a form at /oidc/token', '/oidc/token', inForm('post'), SECRETS['post'] ?? ''],
    ['a client with a form at /oidc/introspect', '/oidc/introspect', inForm('post'), 'post-secret'],
  ])(
    '[R4] applies for a minute, neither less nor more: %s',
    async (_, path, credentials, rightSecret) => {
      const address = randomAddress()
      const now = stopClock()
      const present = async (secret: string) => {
        const { form, headers } = credentials(secret)
        const body = { token: 'x', grant_type: 'none', ...form }
        const from = { 'CF-Connecting-IP': address }
        return (await serviceWith({})(formRequest(path, body, { ...headers, ...from }))).status
      }
      const accepted = await present(rightSecret)
      expect([200, 400]).toContain(accepted)

      const counts: number[] = []
      for (let guess = 0; guess < 11; guess++) counts.push(await present(`guess ${guess}`))

      expect(counts).toEqual([...Array(10).fill(401), 429])
      setClock(now + 59.9)
      expect(await present(rightSecret)).toBe(429)
      setClock(now + 60)
      expect(await present(rightSecret)).toBe(accepted)
      setClock(now + 70)
      expect(await present('guess')).toBe(401)
    },
  )

  it('[R4] counts assertions that are not valid, too', async () => {
    const address = randomAddress()
    const assertion = (n: number) => unsignedJwt({ sub: 'signer', jti: String(n) })
    const counts = await countStatuses(12, (n) =>
      service(
        formRequest(
          '/oidc/introspect',
          {
            token: 'x',
            client_assertion: assertion(n),
            client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          },
          { 'CF-Connecting-IP': address },
        ),
      ),
    )

    expect(counts).toEqual({ 401: 10, 429: 2 })
  })

  it('[R4] affects neither the client at other addresses nor other clients at the same address', async () => {
    const address = randomAddress()
    await countStatuses(12, (n) => introspect(address, 'web', `guess ${n}`))

    expect((await introspect(randomAddress(), 'web', SECRET)).status).toBe(200)
    expect((await introspect(address, 'web', 'guess')).status).toBe(429)
    expect((await introspect(address, 'nobody', 'x')).status).toBe(401)
  })

  it('[R4][R2] is shared by all addresses of a network', async () => {
    const [, network = ''] = randomAddress().match(/^(.*)::/) ?? []
    const address = (n: number) =>
      `${n % 2 ? network : network.toUpperCase()}:0:0:0:${n.toString(16)}`

    const counts = await countStatuses(12, (n) => introspect(address(n), 'web', `guess ${n}`))

    expect(counts).toEqual({ 401: 10, 429: 2 })
  })

  it('[R4][R2] is four times as high for a /56 and sixteen times for a /48', async () => {
    const guess = (subnets: readonly string[]) =>
      countStatuses(subnets.length, (n) =>
        introspect(`2001:db8:31:${subnets[n]}::1`, 'web', `${n}`),
      )
    const inOne56 = Array.from({ length: 60 }, (_, n) => `${(n % 20) + 10}`.padStart(4, '0'))
    const others = Array.from({ length: 160 }, (_, n) => `${(n + 1).toString(16)}00`)

    expect(await guess(inOne56)).toEqual({ 401: 40, 429: 20 })
    expect(await guess(others)).toEqual({ 401: 120, 429: 40 })
    expect((await introspect('2001:db8:31:ffff::1', 'web', SECRET)).status).toBe(429)
    expect((await introspect('2001:db8:32:ffff::1', 'web', SECRET)).status).toBe(200)
  })

  it('[R11] writes nothing to storage', async () => {
    const object = env.GUARDS.get(env.GUARDS.newUniqueId())
    await object.countFailure(USE_LIMITS['client secrets'], '')

    const tables = await runInDurableObject(object, (_, { storage }) => [
      ...storage.sql.exec('SELECT name FROM sqlite_master'),
    ])

    expect(tables).toEqual([])
  })

  it('[R11] uses no object for a client that does not exist', async () => {
    const request = new Request(`${LOGIN}/oidc/introspect`, {
      method: 'POST',
      headers: { ...basic('nobody', 'x'), 'CF-Connecting-IP': randomAddress() },
      body: new URLSearchParams({ token: 'x' }),
    })

    const response = await app.fetch(request, { ...env, GUARDS: forbidden('GUARDS') })

    expect(response.status).toBe(401)
  })

  it('[R4] is separate for each Worker of another zone, all of which share an address', async () => {
    const introspectFrom = (worker: string, secret: string) =>
      introspect('2a06:98c0:3600::103', 'web', secret, { 'CF-Worker': worker })

    const counts = await countStatuses(12, (n) => introspectFrom('evil.example', `guess ${n}`))
    const other = await introspectFrom('web.example', SECRET)

    expect(counts).toEqual({ 401: 10, 429: 2 })
    expect(other.status).toBe(200)
  })
})

describe('the address of a client', () => {
  const networkOf = (ip: string) => {
    const network = countedNetwork({
      req: { header: (name: string) => (name === 'CF-Worker' ? undefined : ip) },
    } as unknown as AppContext)
    return network && [network.name, network.subnet].join(' ').trim()
  }

  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48 0002'],
    ['2001:0DB8:0001:0002::', '2001:db8:1::/48 0002'],
    ['2001:db8::1', '2001:db8:0::/48 0000'],
    ['::1', '0:0:0::/48 0000'],
    ['fe80::1%eth0', 'fe80:0:0::/48 0000'],
    ['', undefined],
  ])('[R2] %s is counted as %s', (ip, network) => {
    expect(networkOf(ip)).toBe(network)
  })

  it('[R2] is counted as its network if it is IPv6, however it is written', async () => {
    const groups = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 })
    await fc.assert(
      fc.property(groups, fc.boolean(), fc.boolean(), (parts, isUpper, isPadded) => {
        const written = parts
          .map((part) => part.toString(16).padStart(isPadded ? 4 : 1, '0'))
          .join(':')
        const digits = parts.map((part) => part.toString(16))
        const subnet = digits[3]?.padStart(4, '0')
        const network = `${digits.slice(0, 3).join(':')}::/48 ${subnet}`
        expect(networkOf(isUpper ? written.toUpperCase() : written)).toBe(network)
      }),
    )
  })

  it('[R2] is not read from headers that the client can set', async () => {
    const address = randomAddress()
    const introspectWithForgedHeaders = (n: number) =>
      introspect(address, 'web', `guess ${n}`, {
        'X-Forwarded-For': `203.0.113.${n}`,
        'X-Real-IP': `203.0.113.${n}`,
        Forwarded: `for=203.0.113.${n}`,
      })

    const counts = await countStatuses(12, introspectWithForgedHeaders)

    expect(counts).toEqual({ 401: 10, 429: 2 })
  })
})
