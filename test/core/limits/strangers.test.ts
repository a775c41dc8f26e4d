import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { Browser, serviceWith } from '../../browser.ts'
import { readConfig } from '../../deployment.ts'
import { signInNewUser } from '../../new-user.ts'
import { forbidden } from '../../storage.ts'
import { basic, formRequest, SECRETS } from '../oidc/relying-app.ts'
import { recordedGuards } from './recorded-guards.ts'

const IP = '2001:db8:abc:def0::1'
const FROM = { 'CF-Connecting-IP': IP }
const NETWORK = '2001:db8:abc::/48'

describe('a request of a stranger', () => {
  it('[R1] with a wrong secret is counted only by its network', async () => {
    const { names, GUARDS } = recordedGuards()
    const headers = { ...FROM, ...basic('web', 'x') }

    await serviceWith({ GUARDS })(formRequest('/oidc/revoke', { token: 'x' }, headers))

    expect(names).toEqual([expect.stringMatching(new RegExp(`from ${NETWORK}$`))])
  })
})

/** Counts exactly, unlike Cloudflare, with a limit of twenty. */
function limiter() {
  const counts = new Map<string, number>()
  const limit = async ({ key }: { key: string }) => {
    counts.set(key, (counts.get(key) ?? 0) + 1)
    return { success: Number(counts.get(key)) <= 20 }
  }
  return { USER_RATE_LIMIT: { limit }, CLIENT_RATE_LIMIT: { limit } }
}

describe('cookies of many sessions that have ended', () => {
  it.each(['/api/auth/session', '/account', '/oidc/authorize?prompt=none', '/oidc/logout'])(
    '[R1] are counted by network before storage is read: %s',
    async (path) => {
      const [USERS, SESSIONS] = [forbidden('USERS'), forbidden('SESSIONS')]
      const service = serviceWith({ ...limiter(), USERS, SESSIONS })
      const send = async (ip: string) => {
        const value = await sealedCookie()
        const headers = { Cookie: `__Host-vestibule.session=${value}`, 'CF-Connecting-IP': ip }
        return (await new Browser(service).get(path, headers)).status
      }

      const statuses = []
      for (let sent = 0; sent < 500; sent++) statuses.push(await send('192.0.2.1'))

      expect(statuses.filter((status) => status !== 429).length).toBeLessThanOrEqual(320)
      expect(statuses.slice(0, 20)).not.toContain(429)
      expect(await send('192.0.2.2')).not.toBe(429)
    },
  )
})

/** The cookie of a session that no object has. */
function sealedCookie(): Promise<string> {
  const random = () => crypto.randomUUID().replaceAll('-', '')
  return readConfig(env).seal.seal('session', '', `usr_${random()}.${random()}`)
}

describe('the rate limits of an IPv6 network [R1][R2]', () => {
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
