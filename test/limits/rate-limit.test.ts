import { runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { app } from '../../src/app.ts'
import type { AppContext } from '../../src/http/app-env.ts'
import { addressOf } from '../../src/http/client-address.ts'
import { Browser, LOGIN, logLines, standIn } from '../browser.ts'
import { basic, SECRETS, signedIn } from '../oidc/relying-app.ts'

const WEB = SECRETS['web'] ?? ''

/** An address nobody else in these tests has. */
function someAddress(): string {
  const groups = Array.from(crypto.getRandomValues(new Uint16Array(4)), (group) =>
    group.toString(16),
  )
  return `2001:db8:${groups.slice(0, 2).join(':')}::${groups.slice(2).join(':')}`
}

function introspect(address: string | undefined, clientId: string, secret: string) {
  return exports.default.fetch(`${LOGIN}/oidc/introspect`, {
    method: 'POST',
    headers: { ...basic(clientId, secret), ...(address && { 'CF-Connecting-IP': address }) },
    body: new URLSearchParams({ token: 'x' }),
  })
}

/** The answers of this many calls at once, counted by status. */
async function statusesOf(times: number, call: (n: number) => Promise<Response>) {
  const counts: Record<number, number> = {}
  for (const { status } of await Promise.all(Array.from({ length: times }, (_, n) => call(n))))
    counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** The answers until they are refusals: a minute may begin anew in the midst of them, but not twice. */
async function untilRefused(call: () => Promise<Response>) {
  const counts: Record<number, number> = {}
  for (let batch = 0; batch < 14 && (counts[429] ?? 0) < 10; batch++)
    for (const [status, count] of Object.entries(await statusesOf(100, call)))
      counts[Number(status)] = (counts[Number(status)] ?? 0) + count
  return counts
}

describe('who comes too often', () => {
  it.each(['/oidc/authorize', '/api/auth/signin/nobody', '/api/auth/callback/nobody'])(
    '[R1] is turned away from %s, and nobody else is',
    async (path) => {
      const address = someAddress()
      const visit = (from: string) => new Browser().get(path, { 'CF-Connecting-IP': from })
      const usual = (await visit(someAddress())).status

      const counts = await untilRefused(() => visit(address))
      const refused = await visit(address)

      expect(counts[429]).toBeGreaterThanOrEqual(10)
      expect(counts[usual]).toBeGreaterThan(0)
      expect(refused.headers.get('Retry-After')).toBe('60')
      expect(await refused.text()).toContain('Too many requests')
      expect((await visit(someAddress())).status).toBe(usual)
      expect(logLines.at(-2)).toContain('"code":"too_many_requests"')
    },
  )

  it('[R1][R3] cannot dodge it by other spellings of the path', async () => {
    const address = someAddress()
    const visit = (path: string) => new Browser().get(path, { 'CF-Connecting-IP': address })
    await untilRefused(() => visit('/oidc/authorize'))

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

  it('[R1] is turned away as a client, by client and address', async () => {
    const address = someAddress()
    const counts = await untilRefused(() => introspect(address, 'web', WEB))
    const refused = await introspect(address, 'web', WEB)

    expect(counts[429]).toBeGreaterThanOrEqual(10)
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '60'])
    expect(await refused.json()).toEqual({
      error: 'temporarily_unavailable',
      error_description: 'Too many requests: wait a minute.',
    })
    expect((await introspect(address, 'post', 'x')).status).toBe(401)
    expect((await introspect(someAddress(), 'web', WEB)).status).toBe(200)
  })

  it('[R1] is turned away as the person who answers consent pages', async () => {
    const handle = `x${crypto.randomUUID().slice(0, 8)}`
    await standIn.post('users', { handle })
    const browser = await signedIn(handle)

    const answer = () => browser.post('/oidc/consent', { request: 'x', answer: 'approve' })
    const counts = await untilRefused(answer)

    expect(counts[429]).toBeGreaterThanOrEqual(10)
    expect(counts[400]).toBeGreaterThan(0)
  })
})

describe('who guesses secrets', () => {
  it('[R4] has ten tries in a minute; then not even the right one is looked at', async () => {
    const address = someAddress()

    const counts = await statusesOf(12, (n) => introspect(address, 'web', `guess ${n}`))
    const right = await introspect(address, 'web', WEB)

    expect(counts).toEqual({ 401: 10, 429: 2 })
    expect([right.status, right.headers.get('Retry-After')]).toEqual([429, '60'])
  })

  it('[R4] does not lock the client out elsewhere, nor other clients here', async () => {
    const address = someAddress()
    await statusesOf(12, (n) => introspect(address, 'web', `guess ${n}`))

    expect((await introspect(someAddress(), 'web', WEB)).status).toBe(200)
    const other = await introspect(address, 'web', `guess`)
    expect(other.status).toBe(429)
    expect((await introspect(address, 'nobody', 'x')).status).toBe(401)
  })

  it('[R4][R2] is the same from every address of a network', async () => {
    const [, head] = someAddress().match(/^(.*)::/) ?? []
    const address = (n: number) =>
      `${head}:0:0:0:${n.toString(16)}`.replace(/^2001:db8:/, '2001:DB8:')

    const counts = await statusesOf(12, (n) => introspect(address(n), 'web', `guess ${n}`))

    expect(counts).toEqual({ 401: 10, 429: 2 })
  })

  it('[R12] leaves nothing in storage', async () => {
    const object = env.GUARDS.get(env.GUARDS.newUniqueId())
    await object.countFailure()

    const tables = await runInDurableObject(object, (_, { storage }) => [
      ...storage.sql.exec('SELECT name FROM sqlite_master'),
    ])

    expect(tables).toEqual([])
  })

  it('[R11] makes no object for a client that does not exist', async () => {
    const GUARDS = new Proxy(env.GUARDS, {
      get: () => {
        throw new Error('GUARDS was touched.')
      },
    })
    const request = new Request(`${LOGIN}/oidc/introspect`, {
      method: 'POST',
      headers: { ...basic('nobody', 'x'), 'CF-Connecting-IP': someAddress() },
      body: new URLSearchParams({ token: 'x' }),
    })

    const response = await app.fetch(request, { ...env, GUARDS })

    expect(response.status).toBe(401)
  })
})

describe('Workers of other zones, which share an address', () => {
  it('[R4] are told apart: one that guesses locks out no other', async () => {
    const from = (worker: string, secret: string) =>
      exports.default.fetch(`${LOGIN}/oidc/introspect`, {
        method: 'POST',
        headers: {
          ...basic('web', secret),
          'CF-Connecting-IP': '2a06:98c0:3600::103',
          'CF-Worker': worker,
        },
        body: new URLSearchParams({ token: 'x' }),
      })

    expect(await statusesOf(12, (n) => from('evil.example', `guess ${n}`))).toEqual({
      401: 10,
      429: 2,
    })
    expect((await from('web.example', WEB)).status).toBe(200)
  })
})

describe('an address', () => {
  const of = (ip: string) =>
    addressOf({
      req: { header: (name: string) => (name === 'CF-Worker' ? undefined : ip) },
    } as unknown as AppContext)

  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['', undefined],
  ])('[R2] %s counts as %s', (ip, network) => {
    expect(of(ip)).toBe(network)
  })

  it('[R2] of IPv6 counts as its network, however it is written', async () => {
    const groups = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 })
    await fc.assert(
      fc.property(groups, fc.boolean(), fc.boolean(), (parts, isUpper, isPadded) => {
        const written = parts
          .map((part) => part.toString(16).padStart(isPadded ? 4 : 1, '0'))
          .join(':')
        const network = parts
          .slice(0, 4)
          .map((part) => part.toString(16))
          .join(':')
        expect(of(isUpper ? written.toUpperCase() : written)).toBe(network)
      }),
    )
  })

  it('[R2] is not what a header of the sender says', async () => {
    const address = someAddress()
    const forged = (n: number) =>
      exports.default.fetch(`${LOGIN}/oidc/introspect`, {
        method: 'POST',
        headers: {
          ...basic('web', `guess ${n}`),
          'CF-Connecting-IP': address,
          'X-Forwarded-For': `203.0.113.${n}`,
          'X-Real-IP': `203.0.113.${n}`,
          Forwarded: `for=203.0.113.${n}`,
        },
        body: new URLSearchParams({ token: 'x' }),
      })

    expect(await statusesOf(12, forged)).toEqual({ 401: 10, 429: 2 })
  })
})
