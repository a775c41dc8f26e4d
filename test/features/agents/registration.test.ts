import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import {
  calculateJwkThumbprint,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  SignJWT,
} from 'jose'
import { describe, expect, it } from 'vitest'
import {
  Browser,
  issuedSecrets,
  LOGIN,
  lastLogEntry,
  logLines,
  serviceWith,
} from '../../browser.ts'
import { advanceClock, DAY, stopClock } from '../../clock.ts'
import { recordedGuards } from '../../core/limits/recorded-guards.ts'
import { verifyWithPublishedKeys } from '../../core/oidc/published-metadata.ts'
import { basic, formRequest, getUserinfo, signedInAsNewUser } from '../../core/oidc/relying-app.ts'
import { approveConsent } from '../../core/oidc/user-steps.ts'
import { connectMachine } from '../admin/machine-client.ts'
import { unsentResponse } from './unregistered-app.ts'

const API = 'https://agents.example/mcp'

const REDIRECT_URI = 'http://127.0.0.1/callback'

const VERIFIER = 'v'.repeat(43)
const CHALLENGE = '7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM'

const service = serviceWith({
  UNREGISTERED_CLIENTS: { registration: true },
  APIS: [
    {
      identifier: API,
      scopes: [
        { name: 'read', description: 'See your orders.' },
        { name: 'cancel', description: 'Cancel your orders.' },
        { name: 'delete', description: 'Delete your orders.' },
      ],
      unregistered_client_scopes: ['read', 'cancel'],
    },
  ],
})

/** The former redirect URI of Cursor, which it still registers. Its scheme has no dot. */
const CURSOR_SCHEME = 'cursor://anysphere.cursor-mcp/oauth/callback'

/** What well-known clients register, as of September 2026, and where they return to. */
const REGISTRATIONS: [
  name: string,
  redirectUri: string,
  request: { redirect_uris: string[]; [member: string]: unknown },
][] = [
  [
    'Claude Code',
    'http://localhost:3118/callback',
    { application_type: 'native', redirect_uris: ['http://localhost:3118/callback'] },
  ],
  [
    'Codex',
    'http://127.0.0.1:37819/callback/AbCdEf',
    { application_type: 'native', redirect_uris: ['http://127.0.0.1:37819/callback/AbCdEf'] },
  ],
  [
    'OpenCode',
    'http://127.0.0.1:19876/mcp/oauth/callback',
    { redirect_uris: ['http://127.0.0.1:19876/mcp/oauth/callback'] },
  ],
  [
    'Visual Studio Code',
    'http://127.0.0.1:59656/',
    {
      application_type: 'native',
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
      ],
    },
  ],
  [
    'Cursor',
    'http://localhost:8787/callback',
    {
      redirect_uris: [
        CURSOR_SCHEME,
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'http://localhost:8787/callback',
      ],
    },
  ],
]

interface Registered {
  client_id: string
  client_secret?: string
  [member: string]: unknown
}

function post(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return service(
    new Request(`${LOGIN}/oidc/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  )
}

async function register(metadata: Record<string, unknown> = {}): Promise<Registered> {
  const response = await post({ redirect_uris: [REDIRECT_URI], ...metadata })
  expect(response.status).toBe(201)
  const registered = await response.json<Registered>()
  if (registered.client_secret) issuedSecrets.add(registered.client_secret)
  return registered
}

/** An authorization request of a client, in the browser of a new user. */
async function authorize(clientId: string, changes: Record<string, string> = {}) {
  const browser = new Browser(service).withCookiesOf(await signedInAsNewUser())
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: 'http://127.0.0.1:49152/callback',
    response_type: 'code',
    scope: 'openid offline_access read cancel delete',
    resource: API,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...changes,
  })
  return { browser, response: await browser.get(`/oidc/authorize?${query}`) }
}

/** The form that redeems the code of a client whose user has agreed. */
async function redemptionForm(clientId: string): Promise<Record<string, string>> {
  const { browser, response } = await authorize(clientId)
  const callback = await approveConsent(browser, response)
  const { searchParams } = new URL(callback.headers.get('Location') ?? '')
  expect(searchParams.get('iss')).toBe(LOGIN)
  return {
    grant_type: 'authorization_code',
    code: searchParams.get('code') ?? '',
    redirect_uri: 'http://127.0.0.1:49152/callback',
    code_verifier: VERIFIER,
    resource: API,
  }
}

describe('the consent page of a client that has registered itself', () => {
  it('names the host that gets the response, not another one that the client registered', async () => {
    const uris = ['https://claude.ai/callback', 'https://evil.example/callback', REDIRECT_URI]
    const { client_id } = await register({ redirect_uris: uris, client_name: 'Claude' })

    const there = await authorize(client_id, { redirect_uri: 'https://evil.example/callback' })
    const here = await authorize(client_id)

    const html = await there.response.text()
    expect(html).toContain('Allow evil.example to use your account?')
    expect(html).toContain('The app calls itself “\u2068Claude\u2069”.')
    expect(html).not.toContain('Allow claude.ai')
    const localHtml = await here.response.text()
    expect(localHtml).toContain('Allow an app on this device to use your account?')
    expect(localHtml).toContain('Any program on this device could have sent this request.')
  })
})

it('is rejected if the host of one of its redirect URIs is blocked', async () => {
  const host = `${crypto.randomUUID()}.example`
  const { client_id } = await register({ redirect_uris: [REDIRECT_URI, `https://${host}/a`] })
  const { call } = await connectMachine()
  await call(`/unregistered-clients/${host}/block`, { method: 'POST' })
  stopClock()
  advanceClock(60)

  const { response } = await authorize(client_id)

  expect(await response.text()).toContain('client_unknown')
})

function requestTokens(form: Record<string, string>, headers: Record<string, string> = {}) {
  return service(formRequest('/oidc/token', form, headers))
}

function clientObject(clientId: string) {
  return env.CLIENT_METADATA.get(env.CLIENT_METADATA.idFromName(clientId))
}

/** When the object deletes itself, in seconds since 1970. */
async function alarmOf(clientId: string): Promise<number> {
  const alarm = await runInDurableObject(clientObject(clientId), (_, { storage }) =>
    storage.getAlarm(),
  )
  return (alarm ?? 0) / 1000
}

describe('POST /oidc/register', () => {
  it('is not found, and not in the metadata, unless the operator allows it', async () => {
    const browser = new Browser()
    const response = await browser.fetch('/oidc/register', { form: {} })
    const off = await browser.json<object>('/.well-known/oauth-authorization-server')
    const on = await new Browser(service).json<object>('/.well-known/oauth-authorization-server')

    expect(response.status).toBe(404)
    expect(off).not.toHaveProperty('registration_endpoint')
    expect(on).toHaveProperty('registration_endpoint', `${LOGIN}/oidc/register`)
  })

  it('registers a public client, which signs a user in and refreshes its token (RFC 7591 §3.2.1)', async () => {
    const response = await post(
      {
        client_name: 'An agent',
        redirect_uris: [REDIRECT_URI],
        token_endpoint_auth_method: 'none',
      },
      { Origin: 'https://agent.example' },
    )
    const client = await response.json<Registered>()
    const form = { client_id: client.client_id }
    const tokens = await requestTokens({ ...(await redemptionForm(client.client_id)), ...form })
    const first = await tokens.json<Record<string, string>>()
    const refreshed = await requestTokens({
      ...form,
      grant_type: 'refresh_token',
      refresh_token: first['refresh_token'] ?? '',
    })

    expect([response.status, response.headers.get('Cache-Control')]).toEqual([201, 'no-store'])
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(client).toEqual({
      client_id: expect.stringMatching(/^dyn_[\w-]{22}$/),
      client_id_issued_at: expect.any(Number),
      client_name: 'An agent',
      redirect_uris: [REDIRECT_URI],
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'RS256',
    })
    expect(lastLogEntry('client_registered')).toMatchObject({ clientId: client.client_id })
    expect(decodeJwt(first['access_token'] ?? '')).toMatchObject({
      client_id: client.client_id,
      aud: expect.arrayContaining([API]),
      scope: 'openid offline_access read cancel',
    })
    expect(refreshed.status).toBe(200)
  })

  it.each([
    ['RS256', 'ES256'],
    ['ES256', 'RS256'],
  ])(
    '[H6] signs userinfo with %s and ID tokens with %s for a client that registers for it',
    async (userinfo, idToken) => {
      const client = await register({
        token_endpoint_auth_method: 'none',
        userinfo_signed_response_alg: userinfo,
        id_token_signed_response_alg: idToken,
      })
      const { client_id } = client
      const form = await redemptionForm(client_id)
      const tokens = await requestTokens({ ...form, client_id })
      const { access_token, id_token } = await tokens.json<Record<string, string>>()
      const response = await getUserinfo(access_token ?? '', new Browser(service))

      expect(client).toMatchObject({
        userinfo_signed_response_alg: userinfo,
        id_token_signed_response_alg: idToken,
      })
      expect(decodeProtectedHeader(id_token ?? '').alg).toBe(idToken)
      expect(response.headers.get('Content-Type')).toBe('application/jwt')
      const jwt = new TextDecoder().decode(await response.arrayBuffer())
      const { payload } = await verifyWithPublishedKeys(jwt, {
        audience: client_id,
        algorithms: [userinfo],
      })
      expect(payload.sub).toBe(decodeJwt(id_token ?? '').sub)
    },
  )

  it.each(['none', 'HS256', 'PS256', '', 1, null, ['ES256']])(
    '[E1] registers the default instead of the unsupported algorithm %j (RFC 7591 §2)',
    async (alg) => {
      const client = await register({
        token_endpoint_auth_method: 'none',
        userinfo_signed_response_alg: alg,
        id_token_signed_response_alg: alg,
      })

      expect(client).toHaveProperty('id_token_signed_response_alg', 'RS256')
      expect(client).not.toHaveProperty('userinfo_signed_response_alg')
    },
  )

  it('[C10] gives a client that does not choose a method a secret, without which it gets no tokens', async () => {
    const client = await register()
    const { client_id, client_secret = '' } = client
    const form = await redemptionForm(client_id)

    expect(client).toMatchObject({
      client_secret_expires_at: 0,
      token_endpoint_auth_method: 'client_secret_basic',
    })
    expect((await requestTokens({ ...form, client_id })).status).toBe(401)
    expect((await requestTokens(form, basic(client_id, 'guess'))).status).toBe(401)
    expect((await requestTokens(form, basic(client_id, client_secret))).status).toBe(200)
  })

  it('[C21] registers the keys of a client, which then authenticates with them', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256')
    const jwk = await exportJWK(publicKey)
    const kid = await calculateJwkThumbprint(jwk)
    const { client_id } = await register({
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [{ ...jwk, kid }] },
    })
    const form = await redemptionForm(client_id)
    const assertion = await new SignJWT({ jti: crypto.randomUUID() })
      .setProtectedHeader({ alg: 'ES256', kid })
      .setIssuer(client_id)
      .setSubject(client_id)
      .setAudience(LOGIN)
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign(privateKey)

    expect((await requestTokens({ ...form, client_id })).status).toBe(401)
    const response = await requestTokens({
      ...form,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    })
    expect(response.status).toBe(200)
  })

  it('ignores what a client cannot decide about itself, and asks its users for consent', async () => {
    const client = await register({
      client_id: 'shop',
      client_secret: 'chosen',
      client_secrets_sha256: ['0'.repeat(64)],
      first_party: true,
      skip_sign_in_page: true,
      require_pkce: false,
      scope: 'platform admin:write',
      resources: [`${LOGIN}/admin/api`],
      introspects: [API],
      upstream_tokens: ['tiktok'],
      backchannel_logout_uri: 'https://told.example/x',
      logo_uri: 'https://agent.example/logo.png',
      software_statement: 'x',
    })
    const { response } = await authorize(client.client_id)
    const withoutPkce = await authorize(client.client_id, { code_challenge: '' })
    const adminApi = await authorize(client.client_id, { resource: `${LOGIN}/admin/api` })

    expect(client.client_id).toMatch(/^dyn_/)
    expect(Object.keys(client)).not.toContain('first_party')
    expect(await response.text()).toContain('id="approve"')
    const errors = [withoutPkce, adminApi].map(async ({ response: rejected }) =>
      (await unsentResponse(rejected)).searchParams.get('error'),
    )
    expect(await Promise.all(errors)).toEqual(['invalid_request', 'invalid_target'])
  })

  it.each(REGISTRATIONS)('registers %s, and returns to %s [A4]', async (_, uri, request) => {
    const usable = request.redirect_uris.filter((redirectUri) => /^http/.test(redirectUri))
    const { client_id, redirect_uris } = await register({
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      ...request,
    })
    const { response } = await authorize(client_id, { redirect_uri: uri })
    const rejected = await authorize(client_id, { redirect_uri: CURSOR_SCHEME })

    expect(redirect_uris).toEqual(usable)
    expect(await response.text()).toContain('id="approve"')
    expect(await rejected.response.text()).toContain('redirect_uri_refused')
  })

  it.each<[string, unknown]>([
    ['none', []],
    ['no list', REDIRECT_URI],
    ['http', ['http://agent.example/callback']],
    ['a script', ['javascript:alert(1)']],
    ['a private-use scheme', ['com.example.agent:/callback']],
    ['a fragment', ['https://agent.example/#callback']],
    ['a user name', ['https://login.example@agent.example/']],
    ['this service', [`${LOGIN}/callback`]],
    ['a host in another spelling, which nobody could block', ['https://agent.example./callback']],
    ['an IP address', ['https://192.0.2.1/callback']],
    ['an IPv6 address', ['https://[2001:db8::1]/callback']],
  ])('[A3] rejects redirect URIs with invalid_redirect_uri: %s', async (_, redirect_uris) => {
    const response = await post({ redirect_uris })

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'invalid_redirect_uri' })
  })

  it.each<[string, unknown]>([
    ['no JSON', '{'],
    ['a list', []],
    ['a name with control characters', { client_name: 'a\u202eb' }],
    ['a name that is too long', { client_name: 'a'.repeat(65) }],
    ['keys without a method', { jwks: { keys: [] } }],
    ['a method that needs keys', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['an unknown method', { token_endpoint_auth_method: 'client_secret_jwt' }],
    [
      'a private key',
      {
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: { keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y', d: 'd' }] },
      },
    ],
    [
      'keys at an internal address',
      { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://127.0.0.1/keys' },
    ],
    ['no code flow', { grant_types: ['client_credentials'] }],
    ['no response type code', { response_types: ['token'] }],
  ])('rejects metadata with invalid_client_metadata: %s', async (_, metadata) => {
    const isObject = typeof metadata === 'object' && !Array.isArray(metadata)
    const response = await post(
      isObject ? { redirect_uris: [REDIRECT_URI], ...metadata } : metadata,
    )

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'invalid_client_metadata' })
  })

  it('[R1] limits the registrations of one IP address', async () => {
    const from = (ip: string) => post({ redirect_uris: [REDIRECT_URI] }, { 'CF-Connecting-IP': ip })
    const responses = await Promise.all(Array.from({ length: 21 }, () => from('192.0.2.77')))

    expect(responses.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(1)
    expect((await from('192.0.2.78')).status).toBe(201)
  })

  it('[R1] limits the registrations of one IP address in a day', async () => {
    stopClock()
    const statuses: number[] = []
    for (let round = 0; round < 6; round++) {
      const from = { 'CF-Connecting-IP': '192.0.2.177' }
      const requests = Array.from({ length: 20 }, () =>
        post({ redirect_uris: [REDIRECT_URI] }, from),
      )
      statuses.push(...(await Promise.all(requests)).map(({ status }) => status))
      advanceClock(601)
    }

    expect(statuses.filter((status) => status === 201)).toHaveLength(100)
  })

  it('[R1][R2] limits the registrations of an IPv6 network, and those of no other one', async () => {
    const from = (ip: string) => post({ redirect_uris: [REDIRECT_URI] }, { 'CF-Connecting-IP': ip })
    const ips = Array.from({ length: 100 }, (_, index) => `2001:db8:5:${index % 10}::1`)
    const responses = await Promise.all(ips.map(from))

    expect(responses.filter(({ status }) => status === 201)).toHaveLength(80)
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(20)
    expect((await from('2001:db8:5:100::1')).status).toBe(201)
  })

  it('[R1] is counted only by its network', async () => {
    const { names, GUARDS } = recordedGuards()
    const counted = serviceWith({ GUARDS, UNREGISTERED_CLIENTS: { registration: true } })

    await counted(
      new Request(`${LOGIN}/oidc/register`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'CF-Connecting-IP': '2001:db8:abc:def0::1' },
        body: JSON.stringify({ redirect_uris: [REDIRECT_URI] }),
      }),
    )

    expect(names).toEqual(['registrations from 2001:db8:abc::/48'])
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', ''])(
    '[M6] accepts only application/json, not %s, which pages of other sites can post',
    async (type) => {
      const response = await post({ redirect_uris: [REDIRECT_URI] }, { 'Content-Type': type })

      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: 'invalid_request' })
    },
  )

  it('[Q8] registers nothing while storage is unavailable', async () => {
    const unavailable = serviceWith({
      UNREGISTERED_CLIENTS: { registration: true },
      CLIENT_METADATA: {
        ...env.CLIENT_METADATA,
        idFromName: () => {
          throw new Error('unavailable')
        },
      },
    })
    const response = await unavailable(
      new Request(`${LOGIN}/oidc/register`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ redirect_uris: [REDIRECT_URI] }),
      }),
    )

    expect(response.status).toBe(503)
  })
})

describe('a registration', () => {
  it('expires after a day if nobody uses it', async () => {
    const now = stopClock()
    const { client_id } = await register()
    const expiresAt = await alarmOf(client_id)
    await runDurableObjectAlarm(clientObject(client_id))
    const { response } = await authorize(client_id)

    expect(expiresAt).toBe(now + DAY)
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('client_unknown')
  })

  it('expires after a day if no user allows it, although there are requests', async () => {
    const now = stopClock()
    const { client_id } = await register()
    advanceClock(DAY / 2)
    await authorize(client_id)

    expect(await alarmOf(client_id)).toBe(now + DAY)
  })

  it('expires after sixty days without use once a user has allowed it', async () => {
    const now = stopClock()
    const { client_id } = await register()
    await redemptionForm(client_id)
    await expect.poll(() => alarmOf(client_id)).toBe(now + 60 * DAY)
    advanceClock(30 * DAY)
    await authorize(client_id)

    expect(await alarmOf(client_id)).toBe(now + 90 * DAY)
  })

  it('has an id that no operator can choose', async () => {
    const clients = [{ client_id: 'dyn_shop', redirect_uris: ['https://shop.example/callback'] }]
    const response = await serviceWith({ CLIENTS: clients })(new Request(`${LOGIN}/readyz`))

    expect(response.status).toBe(503)
    expect(logLines.join()).toContain('must not begin with dyn_')
  })
})
