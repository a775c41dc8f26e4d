import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { decodeJwt } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import type { TokenKeeper } from '../../../src/features/provider-tokens/kept-tokens.ts'
import {
  Browser,
  lastLogEntry,
  REVOKE_PATH,
  serviceWith,
  standIn,
  TOKEN_PATH,
} from '../../browser.ts'
import { DAY } from '../../clock.ts'
import { registerApi, registerMachine } from '../../core/oidc/machines.ts'
import { basic, RelyingApp, SECRETS } from '../../core/oidc/relying-app.ts'
import { readConfig } from '../../deployment.ts'
import { startLinking } from '../../link-account.ts'
import { createPlatformUser, signInNewUser } from '../../new-user.ts'
import { redeemCode } from '../../redeem-code.ts'
import { redirectUrl } from '../../redirect.ts'
import { clientsWith } from '../../registered-clients.ts'
import { userObject } from '../../storage.ts'
import { ACCESS_TOKEN_TYPE, exchangeToken, keepingTokens } from './platform-tokens.ts'

/** On loopback, the problems of a deployment are in the response. */
const LOOPBACK = 'http://localhost:8787'

const AS_WEB = basic('web', SECRETS['web'] ?? '')

/** Signs a new user in, and obtains an access token of ours for the client `web`. */
async function signInWithAccessToken(service = keepingTokens) {
  const { browser, handle, userId } = await signInNewUser(new Browser(service))
  const app = new RelyingApp('web')
  const callback = await browser.get(await app.authorizationUrl({ scope: 'openid offline_access' }))
  const response = await redeemCode(browser, app, redirectUrl(callback))
  const { access_token } = await response.json<{ access_token: string }>()
  return { browser, handle, userId, access_token }
}

async function countRefreshes(): Promise<number> {
  const log = await standIn.log()
  return log.filter(({ parameters }) => parameters['grant_type'] === 'refresh_token').length
}

/** The user's object with what the feature adds to it. */
function asTokenKeeper(object: object): TokenKeeper {
  return object as TokenKeeper
}

function grantIdOf(accessToken: string): string {
  return decodeJwt(accessToken).jti?.split('.')[0] ?? ''
}

describe("exchanging an access token for the platform's token", () => {
  it('returns it to a registered client, with its scopes separated by spaces (better-auth: unreported)', async () => {
    const { browser, access_token } = await signInWithAccessToken()

    const response = await exchangeToken(browser, access_token)

    expect(response).toMatchObject({
      status: 200,
      access_token: expect.stringMatching(/^act\./),
      issued_token_type: ACCESS_TOKEN_TYPE,
      scope: 'user.info.basic user.info.profile',
    })
    expect(response.expires_in).toBeGreaterThan(7000)
    expect(response.expires_in).toBeLessThanOrEqual(DAY)
  })

  it('[H4][K20] is the only response that contains it, and it is stored sealed', async () => {
    const { browser, userId, access_token } = await signInWithAccessToken()
    const { access_token: secret = '' } = await exchangeToken(browser, access_token)
    const session = await browser.session()

    const stored = await runInDurableObject(userObject(userId), (_, { storage }) =>
      JSON.stringify([...storage.kv.list()]),
    )

    expect(stored).toContain('sealedTokens')
    expect(stored).not.toContain(secret)
    expect(JSON.stringify(session)).not.toContain(secret)
    const userinfo = await browser.get('/oidc/userinfo', {
      Authorization: `Bearer ${access_token}`,
    })
    expect(await userinfo.text()).not.toContain(secret)
  })

  it('[D13] refreshes an expired token once for fifty simultaneous requests', async () => {
    const { browser, userId, access_token } = await signInWithAccessToken()
    const { access_token: first } = await exchangeToken(browser, access_token)
    const before = await countRefreshes()
    await expirePlatformToken(userId)

    const responses = await Promise.all(
      Array.from({ length: 50 }, () => exchangeToken(browser, access_token)),
    )

    expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(200))
    const tokens = new Set(responses.map((response) => response.access_token))
    expect(tokens.size).toBe(1)
    expect(tokens).not.toContain(first)
    expect((await countRefreshes()) - before).toBe(1)
  })

  it('[Q12] does not block other requests of the user while the platform is slow', async () => {
    const { browser, userId, access_token } = await signInWithAccessToken()
    await expirePlatformToken(userId)
    await standIn.fault({ path: TOKEN_PATH, delayMs: 1500 })
    const completed: string[] = []

    const exchange = exchangeToken(browser, access_token).then(({ status }) => {
      completed.push(`exchange ${status}`)
    })
    // By now the object waits for the platform.
    await scheduler.wait(200)
    const response = await browser.get('/api/auth/session')
    completed.push(`session ${response.status}`)
    await exchange

    expect(completed).toEqual(['session 200', 'exchange 200'])
  })

  it('[D13] does not mix up two providers that are requested at the same time', async () => {
    const { userId, access_token } = await signInWithAccessToken()
    const grantId = grantIdOf(access_token)

    const [tikTok, google] = await runInDurableObject(userObject(userId), (object, { storage }) => {
      const keeper = asTokenKeeper(object)
      const upstream = storage.kv.get<object>('upstream:tiktok')
      storage.kv.put('upstream:google', { ...upstream, provider: 'google' })
      return Promise.all([
        keeper.providerToken(grantId, 'tiktok'),
        keeper.providerToken(grantId, 'google'),
      ])
    })

    expect(tikTok).toMatchObject({ accessToken: expect.stringMatching(/^act\./) })
    expect(google).toEqual({ rejected: 'gone' })
  })

  it('fails when the platform revoked the token, so that the user has to sign in again', async () => {
    const { browser, handle, userId, access_token } = await signInWithAccessToken()
    await expirePlatformToken(userId)
    await standIn.post('events', { user: handle, app: env.AUTH_TIKTOK_ID, reason: 'disconnected' })

    expect(await exchangeToken(browser, access_token)).toMatchObject({
      status: 400,
      error: 'invalid_grant',
    })
  })

  it('[K8] fails when the platform refreshes it with the token of another account', async () => {
    const { browser, userId, access_token } = await signInWithAccessToken()
    await expirePlatformToken(userId)
    await standIn.fault({ path: TOKEN_PATH, kind: 'open-id-mismatch' })

    expect(await exchangeToken(browser, access_token)).toMatchObject({
      status: 400,
      error: 'invalid_grant',
      error_description: "The provider's response is invalid: sign in again.",
    })
    expect(lastLogEntry('provider_invalid')).toMatchObject({
      provider: 'tiktok',
      hint: 'The refreshed tokens belong to another account.',
    })
  })

  it('responds with 503 while the platform is unavailable, and succeeds afterwards', async () => {
    const { browser, userId, access_token } = await signInWithAccessToken()
    await expirePlatformToken(userId)
    await standIn.fault({ path: TOKEN_PATH, status: 503 })

    expect(await exchangeToken(browser, access_token)).toMatchObject({
      status: 503,
      error: 'temporarily_unavailable',
    })
    expect((await exchangeToken(browser, access_token)).status).toBe(200)
  })

  it.each<[string, Record<string, string>, Record<string, string>, string]>([
    ['for another provider', { audience: 'gitlab' }, AS_WEB, 'invalid_target'],
    ['for no provider', { audience: '' }, AS_WEB, 'invalid_target'],
    ['from a browser', {}, { ...AS_WEB, Origin: 'https://web.example' }, 'invalid_target'],
    ['with another type of subject token', { subject_token_type: 'x' }, AS_WEB, 'invalid_request'],
    ['without a subject token', { subject_token: '' }, AS_WEB, 'invalid_grant'],
    ['with a malformed subject token', { subject_token: 'x.y.z' }, AS_WEB, 'invalid_grant'],
    ['from a public client', { client_id: 'shop' }, {}, 'invalid_target'],
    [
      'from a client that is not registered for it',
      { client_id: 'post', client_secret: 'post-secret' },
      {},
      'invalid_target',
    ],
  ])('is rejected %s', async (_, changes, headers, error) => {
    const { browser, access_token } = await signInWithAccessToken()

    const response = await exchangeToken(browser, access_token, changes, headers)

    expect(response).toMatchObject({ error })
  })

  it('is rejected with the name of the provider and the remedy', async () => {
    const { browser, access_token } = await signInWithAccessToken()

    const response = await exchangeToken(browser, access_token, { audience: 'git"lab' }, AS_WEB)

    expect(response).toMatchObject({
      error: 'invalid_target',
      error_description:
        'audience is git?lab. It must be the id of a provider in upstream_tokens of the client.',
    })
  })

  it("is rejected for another client's access token", async () => {
    const both = serviceWith({
      AUTH_TIKTOK_TOKENS: 'keep',
      CLIENTS: clientsWith({
        web: { upstream_tokens: ['tiktok'] },
        post: { upstream_tokens: ['tiktok'] },
      }),
    })
    const { browser, access_token } = await signInWithAccessToken(both)
    const asPost = { client_id: 'post', client_secret: 'post-secret' }

    const response = await exchangeToken(browser, access_token, asPost, {})

    expect(response).toMatchObject({ error: 'invalid_grant' })
  })

  it('returns the token of the account the session was opened with, even after a sign-in with another account', async () => {
    const { browser, userId, access_token } = await signInWithAccessToken()
    const { access_token: first } = await exchangeToken(browser, access_token)
    const secondAccount = await createPlatformUser()
    const authorization = redirectUrl(await startLinking(browser, 'tiktok'))
    const linked = await browser.get(await browser.approve(authorization, secondAccount))
    expect(linked.headers.get('Location')).toContain('/account')
    const secondBrowser = new Browser(keepingTokens)
    await secondBrowser.signIn(secondAccount)
    expect((await secondBrowser.session())?.user.id).toBe(userId)

    const response = await exchangeToken(browser, access_token)

    expect(response.access_token).toBe(first)
  })

  it('[Q12] revokes a token that is refreshed while the user signs out everywhere', async () => {
    const { userId, access_token } = await signInWithAccessToken()
    await expirePlatformToken(userId)
    const grantId = grantIdOf(access_token)

    const [token] = await runInDurableObject(userObject(userId), (object) =>
      Promise.all([
        asTokenKeeper(object).providerToken(grantId, 'tiktok'),
        object.endEverything([]),
      ]),
    )

    expect(token).toEqual({ rejected: 'gone' })
    await vi.waitFor(async () => {
      const revocation = (await standIn.log()).findLast(({ path }) => path === REVOKE_PATH)
      expect(revocation?.status).toBe(200)
    })
  })

  it('fails once the grant has ended', async () => {
    const { browser, access_token } = await signInWithAccessToken()
    await browser.post('/api/auth/signout', {})

    expect(await exchangeToken(browser, access_token)).toMatchObject({ error: 'invalid_grant' })
  })

  it('fails by default: tokens are not stored unless the deployment enables it', async () => {
    const service = serviceWith({
      AUTH_TIKTOK_TOKENS: undefined,
      CLIENTS: clientsWith({ web: { upstream_tokens: ['tiktok'] } }),
    })
    const { browser, userId, access_token } = await signInWithAccessToken(service)

    expect(await exchangeToken(browser, access_token)).toMatchObject({ error: 'invalid_grant' })
    const stored = await runInDurableObject(userObject(userId), (_, { storage }) =>
      JSON.stringify([...storage.kv.list()]),
    )
    expect(stored).not.toContain('"sealedTokens":"')
  })

  it.each([
    [
      { upstream_tokens: ['tiktok'], first_party: true },
      'only for confidential first_party clients',
    ],
    [
      { upstream_tokens: ['tiktok'], client_secrets_sha256: ['0'.repeat(64)] },
      'only for confidential first_party clients',
    ],
    [{ upstream_tokens: 'tiktok' }, 'upstream_tokens'],
  ])('cannot be configured for a client registered with %o', async (registration, problem) => {
    const CLIENTS = [{ client_id: 'spa', redirect_uris: ['https://spa.example/'], ...registration }]
    const browser = new Browser(serviceWith({ CLIENTS, AUTH_URL: LOOPBACK }), LOOPBACK)

    const response = await browser.get('/readyz')

    expect(response.status).toBe(503)
    expect(await response.text()).toContain(problem)
  })

  it('rejects other values of AUTH_TIKTOK_TOKENS than keep and drop', async () => {
    const service = serviceWith({ AUTH_TIKTOK_TOKENS: 'yes', AUTH_URL: LOOPBACK })
    const browser = new Browser(service, LOOPBACK)

    const response = await browser.get('/healthz', { Accept: 'application/json' })

    expect(await response.text()).toContain('AUTH_TIKTOK_TOKENS must be keep or drop')
  })

  it('rejects the token of a machine', async () => {
    const { identifier } = await registerApi()
    const { request } = await registerMachine({
      redirect_uris: ['https://machine.example/'],
      grant_types: ['authorization_code', 'client_credentials'],
      first_party: true,
      upstream_tokens: ['tiktok'],
      resources: [identifier],
    })
    const { access_token } = await (await request()).json<{ access_token: string }>()

    const response = await request({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      audience: 'tiktok',
      subject_token: access_token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    })

    expect(await response.json()).toMatchObject({ error: 'invalid_grant' })
  })
})

/** Makes the stored access token of the platform look expired, without moving the clock. */
async function expirePlatformToken(userId: string): Promise<void> {
  const { seal } = readConfig(env)
  await runInDurableObject(userObject(userId), async (_, { storage }) => {
    const [[key, upstream] = ['', undefined]] = [
      ...storage.kv.list<{ accountId: string; sealedTokens: string }>({
        prefix: 'upstream:tiktok',
      }),
    ]
    const context = `tiktok https://www.tiktok.com ${upstream?.accountId}`
    const tokens = JSON.parse(
      (await seal.open<'account'>('account', context, upstream?.sealedTokens ?? '')) ?? '',
    )
    const sealedTokens = await seal.seal<'account'>(
      'account',
      context,
      JSON.stringify({ ...tokens, expires_at: Math.floor(Date.now() / 1000) - 1 }),
    )
    storage.kv.put(key, { ...upstream, sealedTokens })
  })
}
