import { runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { isSignedBy } from '../src/webhook/signature.ts'
import { Browser, LOGIN, logLines, serviceWith, standIn } from './browser.ts'
import { RelyingApp } from './oidc/relying-app.ts'

const KEY = env.AUTH_TIKTOK_ID
const offline = { scope: 'openid profile offline_access' }

interface Told {
  body: string
  signature: string
}

afterEach(async () => {
  vi.useRealTimers()
  await standIn.post('switches', {
    webhookSignature: 'right',
    webhookTimestamp: 'now',
    webhookBody: 'as-signed',
    webhookClientKey: 'own',
  })
})

/** Somebody new who is signed in, and what the platform calls them. */
async function newcomer(): Promise<{ browser: Browser; handle: string; userId: string }> {
  const handle = `w${crypto.randomUUID().slice(0, 8)}`
  await standIn.post('users', { handle })
  const browser = new Browser()
  await browser.signIn(handle)
  const userId = (await browser.session())?.user.id ?? ''
  return { browser, handle, userId }
}

/** What the platform tells us when this happens to that person. */
async function happening(user: string, more: Record<string, unknown>): Promise<Told> {
  const response = await standIn.post('events', { user, app: KEY, ...more })
  const [delivery] = await response.json<{ body: string; attempts: Told[] }[]>()
  const [attempt] = delivery?.attempts ?? []
  return { body: attempt?.body ?? '', signature: attempt?.signature ?? '' }
}

function tell({ body, signature }: Told, service = exports.default.fetch.bind(exports.default)) {
  return service(
    new Request(`${LOGIN}/api/auth/webhook/tiktok`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'TikTok-Signature': signature },
      body,
    }),
  )
}

describe('authorization.removed', () => {
  it.each([
    ['unknown', 0],
    ['disconnected', 1],
    ['age-changed', 3],
    ['account-banned', 4],
    ['revoked', 5],
  ])('%s ends all sessions and grants, and apps are told', async (reason, number) => {
    const { browser, handle, userId } = await newcomer()
    const app = new RelyingApp()
    const tokens = await app.tokens(browser, offline)
    const elsewhere = new Browser()
    await elsewhere.signIn(handle)

    const response = await tell(await happening(handle, { reason }))

    expect(response.status).toBe(200)
    expect([await browser.session(), await elsewhere.session()]).toEqual([null, null])
    expect(await browser.json('/api/auth/session?token=false')).toBeNull()
    await expect(app.refresh(tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    expect(logLines.some((line) => line.includes(`"reason":${number}`))).toBe(true)
    await vi.waitFor(async () => {
      const told = await (await fetch('https://told.example/received')).json<{ body: string }[]>()
      const subjects = told.map(({ body }) =>
        atob(body.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? ''),
      )
      expect(subjects.some((claims) => claims.includes(userId))).toBe(true)
    })
  })

  it('of a deleted account forgets the person', async () => {
    const { browser, handle, userId } = await newcomer()

    expect((await tell(await happening(handle, { reason: 'account-deleted' }))).status).toBe(200)

    expect(await browser.session()).toBeNull()
    const people = await env.DIRECTORY.prepare('SELECT id FROM users WHERE id = ?')
      .bind(userId)
      .all()
    const accounts = await env.DIRECTORY.prepare('SELECT 1 FROM accounts WHERE user_id = ?')
      .bind(userId)
      .all()
    expect([people.results, accounts.results]).toEqual([[], []])
  })

  it('does not keep anybody from signing in again, as the same person', async () => {
    const { browser, handle, userId } = await newcomer()
    await tell(await happening(handle, { reason: 'disconnected' }))

    await browser.signIn(handle)

    expect((await browser.session())?.user.id).toBe(userId)
  })

  it('told twice changes nothing; told late, it does not end what came after', async () => {
    const { browser, handle } = await newcomer()
    const told = await happening(handle, { reason: 'disconnected' })
    await tell(told)
    expect((await tell(told)).status).toBe(200)
    // Later than clocks may differ.
    vi.useFakeTimers({ now: Date.now() + 120_000, toFake: ['Date'] })
    await browser.signIn(handle)

    expect((await tell(told)).status).toBe(200)

    expect(await browser.session()).not.toBeNull()
  })

  it('of somebody we do not know is answered, and makes nothing', async () => {
    const { handle } = await newcomer()
    await env.DIRECTORY.prepare('DELETE FROM accounts').run()

    expect((await tell(await happening(handle, { reason: 'disconnected' }))).status).toBe(200)
  })

  it('[Q6] is not answered while it cannot be done: the platform tells it again', async () => {
    const { browser, handle } = await newcomer()
    const told = await happening(handle, { reason: 'disconnected' })
    const gone = new Proxy(env.USERS, {
      get: () => {
        throw new Error('gone')
      },
    })

    expect((await tell(told, serviceWith({ USERS: gone }))).status).toBe(503)
    expect(await browser.session()).not.toBeNull()
    expect((await tell(told)).status).toBe(200)
    expect(await browser.session()).toBeNull()
  })

  it('[Q7] has its effect in storage before it is answered', async () => {
    const { handle, userId } = await newcomer()
    const object = env.USERS.get(env.USERS.idFromName(userId))

    await tell(await happening(handle, { reason: 'disconnected' }))

    const left = await runInDurableObject(object, (_, { storage: { sql } }) => {
      const isEmpty =
        [...sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'grants'")].length === 0
      return isEmpty ? [] : [...sql.exec('SELECT key FROM sessions UNION SELECT id FROM grants')]
    })
    expect(left).toEqual([])
  })
})

describe('a webhook', () => {
  it.each([
    ['tampered with', { webhookBody: 'tampered' }, 401],
    ['an hour old', { webhookTimestamp: 'old' }, 401],
    ['signed by somebody else', { webhookSignature: 'wrong' }, 401],
    ['not signed', { webhookSignature: 'missing' }, 401],
    ['signed twice, once well', { webhookSignature: 'several' }, 200],
    ['for another app', { webhookClientKey: 'unknown' }, 400],
  ])('%s', async (_, switches, status) => {
    const { browser, handle } = await newcomer()
    await standIn.post('switches', switches)

    const response = await tell(await happening(handle, { reason: 'disconnected' }))

    expect(response.status).toBe(status)
    if (status !== 200) expect(await browser.session()).not.toBeNull()
    else expect(await browser.session()).toBeNull()
  })

  it('signed with the secret that is being replaced is good', async () => {
    const { browser, handle } = await newcomer()
    const told = await happening(handle, { reason: 'disconnected' })
    const service = serviceWith({
      AUTH_TIKTOK_SECRET: 'Zt8wQm3nRk6pVy1cLs9dHf4gXj7bTa2e',
      AUTH_TIKTOK_SECRET_1: env.AUTH_TIKTOK_SECRET,
    })

    expect((await tell(told, service)).status).toBe(200)
    expect(await browser.session()).toBeNull()
  })

  it('may be older where the deployment says so', async () => {
    const { handle } = await newcomer()
    await standIn.post('switches', { webhookTimestamp: 'old' })
    const told = await happening(handle, { reason: 'disconnected' })

    const response = await tell(told, serviceWith({ AUTH_TIKTOK_WEBHOOK_WINDOW: '7200' }))

    expect(response.status).toBe(200)
  })

  it('about something else is answered', async () => {
    const { browser, handle } = await newcomer()

    const response = await tell(
      await happening(handle, { event: 'video.publish.completed', content: {} }),
    )

    expect(response.status).toBe(200)
    expect(await browser.session()).not.toBeNull()
  })

  it('of a megabyte is turned away', async () => {
    expect((await tell({ body: 'x'.repeat(1_000_000), signature: 't=1,s=00' })).status).toBe(413)
  })

  it.each(['', 'x', 't=,s=', 't=1', 's=00', `t=x,s=${'0'.repeat(64)}`, 't=1;s=1', ',,,', 't=1,s='])(
    'with the header %j is refused',
    async (signature) => {
      expect((await tell({ body: '{}', signature })).status).toBe(401)
    },
  )

  it.each([
    '',
    'null',
    '[]',
    '{',
    '{"event":1}',
    '"x"',
    `{"client_key":"${KEY}","event":"x","create_time":1e999,"user_openid":"x"}`,
  ])('that says %j, well signed, is refused', async (body) => {
    const time = Math.floor(Date.now() / 1000)
    const key = await crypto.subtle.importKey(
      'raw',
      new TextEncoder().encode(env.AUTH_TIKTOK_SECRET),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['sign'],
    )
    const mac = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`${time}.${body}`))
    const hex = Array.from(new Uint8Array(mac), (byte) => byte.toString(16).padStart(2, '0'))

    expect((await tell({ body, signature: `t=${time},s=${hex.join('')}` })).status).toBe(400)
  })

  it('is for deployments that have the platform', async () => {
    const service = serviceWith({
      AUTH_TIKTOK_ID: undefined,
      AUTH_TIKTOK_SECRET: undefined,
      AUTH_TIKTOK_SCOPE: undefined,
      AUTH_TIKTOK_TOKENS: undefined,
      AUTH_GITLAB_ID: 'git-client',
      AUTH_GITLAB_SECRET: 'git-secret-7Hk2',
    })

    expect((await tell({ body: '{}', signature: '' }, service)).status).toBe(404)
  })

  it('is signed over its bytes: our own test vector', async () => {
    const body =
      '{"client_key":"awexamplekey0001","event":"authorization.removed","create_time":1794614400,"user_openid":"-000ExampleOpenId0000000000000000001","content":"{\\"reason\\":1}"}'
    const bytes = await new Blob([body]).arrayBuffer()
    const header = 't=1794614405,s=50f3326be5d15ba471b8b47d1761578a36316f1d718d6d28d540049ebf908fd7'
    vi.useFakeTimers({ now: 1_794_614_405_000, toFake: ['Date'] })

    expect(await isSignedBy(['whsec_example_client_secret_000001'], header, bytes, 300)).toBe(true)
    expect(await isSignedBy(['another'], header, bytes, 300)).toBe(false)
  })
})
