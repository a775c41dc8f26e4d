import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { decodeJwt } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readConfig } from '../src/config/config.ts'
import { Browser, serviceWith, standIn } from './browser.ts'
import { basic, RelyingApp, SECRETS } from './oidc/relying-app.ts'

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'
const WEB = SECRETS['web'] ?? ''

const clients = (env as unknown as { CLIENTS: { client_id: string }[] }).CLIENTS

/** A deployment that keeps the platform's tokens, for one of its clients. */
const keeping = serviceWith({
  AUTH_TIKTOK_TOKENS: 'keep',
  CLIENTS: clients.map((client) =>
    client.client_id === 'web' ? { ...client, upstream_tokens: ['tiktok'] } : client,
  ),
})

interface Answer {
  status: number
  access_token?: string
  expires_in?: number
  scope?: string
  issued_token_type?: string
  error?: string
}

afterEach(async () => {
  vi.useRealTimers()
})

/** Somebody signed in, and an access token of ours for them. */
async function somebody(service = keeping) {
  const handle = `t${crypto.randomUUID().slice(0, 8)}`
  await standIn.post('users', { handle })
  const browser = new Browser(service)
  await browser.signIn(handle, { prompt: 'login' })
  const app = new RelyingApp('web')
  const answered = await browser.get(await app.authorizationUrl({ scope: 'openid offline_access' }))
  const { searchParams } = new URL(answered.headers.get('Location') ?? '')
  const response = await browser.fetch('/oidc/token', {
    form: {
      grant_type: 'authorization_code',
      code: searchParams.get('code') ?? '',
      redirect_uri: app.redirectUri,
      code_verifier: app.verifier,
    },
    headers: basic('web', WEB),
  })
  const { access_token } = await response.json<{ access_token: string }>()
  return { browser, handle, access_token }
}

async function ask(
  browser: Browser,
  subject_token: string,
  changes: Record<string, string> = {},
  headers: Record<string, string> = basic('web', WEB),
): Promise<Answer> {
  const form = {
    grant_type: EXCHANGE,
    subject_token,
    subject_token_type: ACCESS_TOKEN,
    audience: 'tiktok',
    ...changes,
  }
  const response = await browser.fetch('/oidc/token', { form, headers })
  return { ...(await response.json<object>()), status: response.status }
}

function refreshes(): Promise<number> {
  return standIn
    .log()
    .then(
      (log) => log.filter(({ parameters }) => parameters['grant_type'] === 'refresh_token').length,
    )
}

describe("the platform's token", () => {
  it('is handed to a client that may have it, with its scopes told apart (better-auth: unreported)', async () => {
    const { browser, access_token } = await somebody()

    const answer = await ask(browser, access_token)

    expect(answer).toMatchObject({
      status: 200,
      access_token: expect.stringMatching(/^act\./),
      issued_token_type: ACCESS_TOKEN,
      scope: 'user.info.basic user.info.profile',
    })
    expect(answer.expires_in).toBeGreaterThan(7000)
  })

  it('[H4][K20] is kept sealed, and is in nothing that a browser gets', async () => {
    const { browser, access_token } = await somebody()
    const { access_token: secret = '' } = await ask(browser, access_token)
    const session = await browser.session()
    const object = env.USERS.get(env.USERS.idFromName(session?.user.id ?? ''))

    const stored = await runInDurableObject(object, (_, { storage }) =>
      JSON.stringify([...storage.kv.list()]),
    )

    expect(stored).toContain('sealedTokens')
    expect(stored).not.toContain(secret)
    expect(JSON.stringify(session)).not.toContain(secret)
    const told = await browser.get('/oidc/userinfo', { Authorization: `Bearer ${access_token}` })
    expect(await told.text()).not.toContain(secret)
  })

  it('[D13] after its end is refreshed by one call, however many ask at once', async () => {
    const { browser, access_token } = await somebody()
    const { access_token: first } = await ask(browser, access_token)
    const before = await refreshes()
    const object = env.USERS.get(env.USERS.idFromName((await browser.session())?.user.id ?? ''))
    await endToken(object)

    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(browser, access_token)))

    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
    const tokens = new Set(answers.map((answer) => answer.access_token))
    expect(tokens.size).toBe(1)
    expect(tokens).not.toContain(first)
    expect((await refreshes()) - before).toBe(1)
  })

  it("[D13] of one provider is never another's, however close together they are asked for", async () => {
    const { browser, access_token } = await somebody()
    const object = env.USERS.get(env.USERS.idFromName((await browser.session())?.user.id ?? ''))
    const [grantId = ''] = decodeJwt(access_token).jti?.split('.') ?? []

    const [own, other] = await runInDurableObject(object, (instance, { storage }) => {
      const upstream = storage.kv.get<object>('upstream:tiktok')
      storage.kv.put('upstream:google', { ...upstream, provider: 'google' })
      return Promise.all([
        instance.platformToken(grantId, 'tiktok'),
        instance.platformToken(grantId, 'google'),
      ])
    })

    expect(own).toMatchObject({ accessToken: expect.stringMatching(/^act\./) })
    expect(other).toEqual({ refused: 'gone' })
  })

  it('that the platform took back is gone, and the person has to sign in again', async () => {
    const { browser, handle, access_token } = await somebody()
    const object = env.USERS.get(env.USERS.idFromName((await browser.session())?.user.id ?? ''))
    await endToken(object)
    await standIn.post('events', { user: handle, app: env.AUTH_TIKTOK_ID, reason: 'disconnected' })

    expect(await ask(browser, access_token)).toMatchObject({ status: 400, error: 'invalid_grant' })
  })

  it('waits for a platform that stumbles', async () => {
    const { browser, access_token } = await somebody()
    const object = env.USERS.get(env.USERS.idFromName((await browser.session())?.user.id ?? ''))
    await endToken(object)
    await standIn.fault({ path: '/v2/oauth/token/', status: 503 })

    expect(await ask(browser, access_token)).toMatchObject({
      status: 503,
      error: 'temporarily_unavailable',
    })
    expect((await ask(browser, access_token)).status).toBe(200)
  })

  it.each<[string, Record<string, string>, Record<string, string>, string]>([
    ['of another platform', { audience: 'gitlab' }, basic('web', WEB), 'invalid_target'],
    ['of none', { audience: '' }, basic('web', WEB), 'invalid_target'],
    [
      'for a browser',
      {},
      { ...basic('web', WEB), Origin: 'https://web.example' },
      'invalid_target',
    ],
    [
      'for another kind of token',
      { subject_token_type: 'x' },
      basic('web', WEB),
      'invalid_request',
    ],
    ['for nothing', { subject_token: '' }, basic('web', WEB), 'invalid_grant'],
    ['for a made-up token', { subject_token: 'x.y.z' }, basic('web', WEB), 'invalid_grant'],
    ['for a public client', { client_id: 'shop' }, {}, 'invalid_target'],
    [
      'for a client that is not registered for it',
      { client_id: 'post', client_secret: 'post-secret' },
      {},
      'invalid_target',
    ],
  ])('is refused %s', async (_, changes, headers, error) => {
    const { browser, access_token } = await somebody()

    expect(await ask(browser, access_token, changes, headers)).toMatchObject({ error })
  })

  it("is refused for another client's access token", async () => {
    const both = serviceWith({
      AUTH_TIKTOK_TOKENS: 'keep',
      CLIENTS: clients.map((client) =>
        ['web', 'post'].includes(client.client_id)
          ? { ...client, upstream_tokens: ['tiktok'] }
          : client,
      ),
    })
    const { browser, access_token } = await somebody(both)
    const other = { client_id: 'post', client_secret: 'post-secret' }

    expect(await ask(browser, access_token, other, {})).toMatchObject({ error: 'invalid_grant' })
  })

  it('is that of the account the person signed in with, whatever they have signed in with since', async () => {
    const { browser, handle, access_token } = await somebody()
    const { access_token: first } = await ask(browser, access_token)
    const other = `t${crypto.randomUUID().slice(0, 8)}`
    await standIn.post('users', { handle: other })
    const page = await (await browser.get('/account')).text()
    const link = page.match(/href="([^"]*signin\/tiktok\?[^"]*link=[^"]*)"/)?.[1] ?? ''
    const start = await browser.get(link.replaceAll('&amp;', '&'), {
      'Sec-Fetch-Site': 'same-origin',
      'Sec-Fetch-Mode': 'navigate',
    })
    const callback = await browser.approve(new URL(start.headers.get('Location') ?? ''), other)
    expect((await browser.get(callback)).headers.get('Location')).toContain('/account')
    const elsewhere = new Browser(keeping)
    await elsewhere.signIn(other)
    expect((await elsewhere.session())?.user.id).toBe((await browser.session())?.user.id)

    expect((await ask(browser, access_token)).access_token).toBe(first)
    expect(handle).not.toBe(other)
  })

  it('that comes while the person leaves goes back to the platform', async () => {
    const { browser, access_token } = await somebody()
    const id = env.USERS.idFromName((await browser.session())?.user.id ?? '')
    await endToken(env.USERS.get(id))
    const { jti = '' } = decodeJwt(access_token)
    const [grantId = ''] = jti.split('.')

    const [token] = await runInDurableObject(env.USERS.get(id), (object) =>
      Promise.all([object.platformToken(grantId, 'tiktok'), object.endEverything([])]),
    )

    expect(token).toEqual({ refused: 'gone' })
    await vi.waitFor(async () => {
      const last = (await standIn.log()).findLast(({ path }) => path === '/v2/oauth/revoke/')
      expect(last?.status).toBe(200)
    })
  })

  it('ends with the grant', async () => {
    const { browser, access_token } = await somebody()
    await browser.post('/api/auth/signout', {})

    expect(await ask(browser, access_token)).toMatchObject({ error: 'invalid_grant' })
  })

  it('is dropped where the deployment does not say otherwise', async () => {
    const dropping = serviceWith({
      AUTH_TIKTOK_TOKENS: undefined,
      CLIENTS: clients.map((client) => ({
        ...client,
        ...(client.client_id === 'web' && { upstream_tokens: ['tiktok'] }),
      })),
    })
    const { browser, access_token } = await somebody(dropping)
    const object = env.USERS.get(env.USERS.idFromName((await browser.session())?.user.id ?? ''))

    expect(await ask(browser, access_token)).toMatchObject({ error: 'invalid_grant' })
    const stored = await runInDurableObject(object, (_, { storage }) =>
      JSON.stringify([...storage.kv.list()]),
    )
    expect(stored).not.toContain('"sealedTokens":"')
  })

  it.each([
    [{ upstream_tokens: ['tiktok'], first_party: true }, 'not first_party with a secret'],
    [
      { upstream_tokens: ['tiktok'], client_secrets_sha256: ['0'.repeat(64)] },
      'not first_party with a secret',
    ],
    [{ upstream_tokens: 'tiktok' }, 'upstream_tokens'],
  ])('is not for a client registered with %o', async (registration, problem) => {
    const CLIENTS = [{ client_id: 'spa', redirect_uris: ['https://spa.example/'], ...registration }]
    const local = 'http://localhost:8787'
    const browser = new Browser(serviceWith({ CLIENTS, AUTH_URL: local }), local)

    const response = await browser.get('/healthz', { Accept: 'application/json' })

    expect(response.status).toBe(500)
    expect(await response.text()).toContain(problem)
  })

  it('is kept or dropped, and nothing else', async () => {
    const local = 'http://localhost:8787'
    const browser = new Browser(serviceWith({ AUTH_TIKTOK_TOKENS: 'yes', AUTH_URL: local }), local)

    const response = await browser.get('/healthz', { Accept: 'application/json' })

    expect(await response.text()).toContain('AUTH_TIKTOK_TOKENS must be keep or drop')
  })
})

/** Two hours pass for the platform's token, and for nothing else. */
async function endToken(object: DurableObjectStub): Promise<void> {
  const { seal } = readConfig(env)
  await runInDurableObject(object, async (_, { storage }) => {
    const [[key, upstream] = ['', undefined]] = [
      ...storage.kv.list<{ accountId: string; sealedTokens: string }>({
        prefix: 'upstream:tiktok',
      }),
    ]
    const context = `tiktok ${upstream?.accountId}`
    const tokens = JSON.parse(
      (await seal.open('account', context, upstream?.sealedTokens ?? '')) ?? '',
    )
    const sealedTokens = await seal.seal(
      'account',
      context,
      JSON.stringify({ ...tokens, expires_at: Math.floor(Date.now() / 1000) - 1 }),
    )
    storage.kv.put(key, { ...upstream, sealedTokens })
  })
}
