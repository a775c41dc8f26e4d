import { describe, expect, it } from 'vitest'
import { Browser, serviceWith } from '../browser.ts'
import { emailService, newAddress } from '../email/email-browser.ts'
import { signInNewUser } from '../new-user.ts'
import { basic, formRequest, SECRETS } from '../oidc/relying-app.ts'
import { recordedGuards } from './recorded-guards.ts'

const IP = '2001:db8:abc:def0::1'
const FROM = { 'CF-Connecting-IP': IP }
const NETWORK = '2001:db8:abc::/48'

describe('a request of a stranger', () => {
  it.each([
    ['a device', formRequest('/oidc/device', { client_id: 'television' }, FROM)],
    ['the command line', formRequest('/oidc/device', { client_id: 'vestibule-login' }, FROM)],
    [
      'a wrong secret',
      formRequest('/oidc/revoke', { token: 'x' }, { ...FROM, ...basic('web', 'x') }),
    ],
  ])('[R1] is counted only by its network: %s', async (_, request) => {
    const { names, GUARDS } = recordedGuards()

    await serviceWith({ GUARDS })(request)

    const counted = names.filter((name) => !/^device [A-Z]{8}$/.test(name))
    expect(counted).toEqual([expect.stringMatching(new RegExp(`from ${NETWORK}$`))])
  })

  it('[R1] is counted only by its network and its recipient: a message', async () => {
    const { names, GUARDS } = recordedGuards()
    const { browser } = emailService({}, { settings: { GUARDS } })

    await browser().post('/api/auth/signin/email', { email: newAddress() }, FROM)

    expect(names).toEqual([
      expect.stringMatching(/^email messages to [\w-]{43}$/),
      `email messages from ${NETWORK}`,
    ])
  })
})

describe('the rate limits of an IPv6 network [R1][R2]', () => {
  /** Counts exactly, unlike Cloudflare, with a limit of twenty. */
  function limiter() {
    const counts = new Map<string, number>()
    const limit = async ({ key }: { key: string }) => {
      counts.set(key, (counts.get(key) ?? 0) + 1)
      return { success: Number(counts.get(key)) <= 20 }
    }
    return { USER_RATE_LIMIT: { limit }, CLIENT_RATE_LIMIT: { limit } }
  }

  async function accepted(visit: (ip: string) => Promise<Response>, ips: readonly string[]) {
    let count = 0
    for (const ip of ips) if ((await visit(ip)).status !== 429) count += 1
    return count
  }

  it('are higher for a /56 and a /48, so that nobody uses them up for the neighbours', async () => {
    const service = serviceWith(limiter())
    const visit = (ip: string) =>
      new Browser(service).get('/api/auth/signin', { 'CF-Connecting-IP': ip })
    const repeat = (ip: string, times: number) => Array<string>(times).fill(ip)

    expect(await accepted(visit, repeat('2001:db8:1:100::1', 60))).toBe(20)
    expect(await accepted(visit, ['2001:db8:1:101::1', '2001:db8:1:102::1'])).toBe(2)
    const subnets = Array.from({ length: 160 }, (_, index) => `2001:db8:1:1${(index % 90) + 10}::1`)
    expect(await accepted(visit, subnets)).toBeLessThan(80)
    expect(await accepted(visit, ['2001:db8:1:200::1', '2001:db8:2::1'])).toBe(2)
    const wide = Array.from({ length: 480 }, (_, index) => `2001:db8:3:${(index % 90) + 10}00::1`)
    expect(await accepted(visit, wide)).toBeLessThan(321)
  })

  it('do not count authenticated clients together with strangers who claim to be one', async () => {
    const service = serviceWith(limiter())
    const introspect = (form: Record<string, string>, headers: Record<string, string> = {}) =>
      service(formRequest('/oidc/introspect', { token: 'x', ...form }, { ...FROM, ...headers }))
    const claims = ['web', 'authenticated web', `authenticated web ${NETWORK}`]
    for (const client_id of claims) for (let n = 0; n < 25; n++) await introspect({ client_id })

    expect((await introspect({ client_id: 'web' })).status).toBe(429)
    expect((await introspect({}, basic('web', SECRETS['web'] ?? ''))).status).toBe(200)
  })

  it('do not count signed-in users', async () => {
    const service = serviceWith(limiter())
    const { browser } = await signInNewUser(new Browser(service))
    const visit = (visitor: Browser) => visitor.get('/api/auth/signin', FROM)
    for (let n = 0; n < 25; n++) await visit(new Browser(service))

    expect((await visit(new Browser(service))).status).toBe(429)
    expect((await visit(browser)).status).toBe(200)
  })
})
