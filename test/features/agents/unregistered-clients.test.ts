import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { decodeJwt } from 'jose'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseMetadata } from '../../../src/features/agents/parse-metadata.ts'
import { formatProblem } from '../../../src/foundation/values/problem.ts'
import { Browser, LOGIN, lastLogEntry, serviceWith } from '../../browser.ts'
import { advanceClock, DAY, HOUR, stopClock } from '../../clock.ts'
import { bearer, formRequest } from '../../core/oidc/relying-app.ts'
import keys from '../../core/oidc/signing-keys.json'
import { unsignedJwt } from '../../core/oidc/unsigned-jwt.ts'
import { approveConsent } from '../../core/oidc/user-steps.ts'
import { readConfig } from '../../deployment.ts'
import { shortenTimeouts } from '../../fast-timers.ts'
import { redirectUrl } from '../../redirect.ts'
import { forbidden, unreachable } from '../../storage.ts'
import type { PublishedFile } from '../../upstream/published-file.ts'
import {
  countFetches,
  DOCUMENT_CHANGES,
  NOTES,
  OPEN_SETTINGS,
  openService,
  PAYROLL,
  signedIn,
  UnregisteredApp,
  unsentResponse,
} from './unregistered-app.ts'

/** The error code of the page that an authorization request leads to. */
async function errorOf(
  app: UnregisteredApp,
  service = openService,
  headers: Record<string, string> = {},
): Promise<unknown> {
  const browser = new Browser(service)
  const response = await browser.get(await app.authorizationPath(), {
    Accept: 'application/json',
    ...headers,
  })
  if (response.status === 303) return undefined
  return ((await response.json()) as { error: string }).error
}

describe('a client with a metadata document', () => {
  it('gets tokens for an API that is open to it, and refreshes them', async () => {
    const app = await new UnregisteredApp().publish()
    const browser = await signedIn()

    const response = await app.exchange(await app.code(browser))
    const tokens = await response.json<Record<string, string>>()
    const refreshed = await app.token({
      grant_type: 'refresh_token',
      refresh_token: tokens['refresh_token'] ?? '',
      scope: 'notes:read',
    })
    const { access_token } = await refreshed.json<Record<string, string>>()
    const userinfo = await browser.get('/oidc/userinfo', bearer(tokens['access_token'] ?? ''))

    expect(tokens['scope']).toBe('openid offline_access notes:read')
    expect(decodeJwt(tokens['access_token'] ?? '')).toMatchObject({ client_id: app.clientId })
    expect(decodeJwt(access_token ?? '')).toMatchObject({ aud: NOTES, scope: 'notes:read' })
    expect(userinfo.status).toBe(200)
    expect(await countFetches(app.clientId)).toBe(1)
  })

  it('[H6] gets userinfo signed as its document requests', async () => {
    const app = await new UnregisteredApp().publish({ userinfo_signed_response_alg: 'ES256' })
    const browser = await signedIn()
    const tokens = await app.exchange(await app.code(browser))
    const { access_token = '' } = await tokens.json<Record<string, string>>()

    const response = await browser.get('/oidc/userinfo', bearer(access_token))

    expect(response.headers.get('Content-Type')).toBe('application/jwt')
  })

  it('is unknown unless the operator accepts its host, and is then not read', async () => {
    const app = await new UnregisteredApp().publish()
    const hosts = [[], ['other.example'], ['agents.example'], ['*.other.example']]

    const errors = hosts.map((list) =>
      errorOf(app, serviceWith({ UNREGISTERED_CLIENTS: { hosts: list } })),
    )

    expect(new Set(await Promise.all(errors))).toEqual(new Set(['client_unknown']))
    expect(await errorOf(app, serviceWith({ UNREGISTERED_CLIENTS: undefined }))).toBe(
      'client_unknown',
    )
    expect(await countFetches(app.clientId)).toBe(0)
  })

  it.each([['*'], ['*.agents.example']])('is accepted by the pattern %s', async (pattern) => {
    const app = await new UnregisteredApp().publish()

    const UNREGISTERED_CLIENTS = { hosts: [pattern] }
    const error = await errorOf(app, serviceWith({ ...OPEN_SETTINGS, UNREGISTERED_CLIENTS }))

    expect(error).toBeUndefined()
  })

  it('may not use an API without a policy, nor other scopes than those of the policy', async () => {
    const app = await new UnregisteredApp().publish()
    const browser = await signedIn()

    const closed = await unsentResponse(await app.authorize(browser, { resource: PAYROLL }))
    const adminApi = { resource: `${LOGIN}/admin/api` }
    const ours = await unsentResponse(await app.authorize(browser, adminApi))
    const scope = 'openid platform notes:read notes:write payroll:read admin:read'
    const response = await app.exchange(await app.code(browser, { scope }))

    expect(closed.searchParams.get('error')).toBe('invalid_target')
    expect(closed.searchParams.get('error_description')).toBe(
      `${PAYROLL} is not open to unregistered clients: register it as an API that is open to them.`,
    )
    expect(ours.searchParams.get('error')).toBe('invalid_target')
    expect(await response.json()).toMatchObject({ scope: 'openid notes:read' })
  })

  it('has only scopes that its API defines', () => {
    const scopes = [{ name: 'notes:read', description: 'Read your notes.' }]
    const problemsWith = (unregistered_client_scopes: string[]) =>
      readConfig({
        ...env,
        APIS: [{ identifier: NOTES, scopes, unregistered_client_scopes }],
      }).problems.map(formatProblem)

    expect(problemsWith(['notes:write'])).toContain(
      'APIS.0.unregistered_client_scopes must be part of scopes.',
    )
    expect(problemsWith(['notes:read'])).toEqual([])
  })

  it('gets a scope only if each of its APIs that define it opens it [F3]', async () => {
    const scopes = [{ name: 'write', description: 'Change everything.' }]
    const open = { identifier: 'https://a.example', scopes, unregistered_client_scopes: ['write'] }
    const closed = { identifier: 'https://b.example', scopes, unregistered_client_scopes: [] }
    const service = serviceWith({ ...OPEN_SETTINGS, APIS: [open, closed] })
    const app = await new UnregisteredApp().publish()
    const browser = new Browser(service).withCookiesOf(await signedIn())
    const path = await app.authorizationPath({ scope: 'write', resource: open.identifier })

    const response = await approveConsent(
      browser,
      await browser.get(`${path}&resource=${closed.identifier}`),
    )
    const code = redirectUrl(response).searchParams.get('code') ?? ''
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: app.redirectUri,
      code_verifier: app.verifier,
    }
    const tokens = await (await app.token(form, service)).json<{ access_token: string }>()

    expect(decodeJwt(tokens.access_token)).toMatchObject({
      aud: [open.identifier, closed.identifier],
      scope: '',
    })
  })

  it.each([
    ['fragment', {}],
    ['form_post', {}],
    ['fragment', { request: unsignedJwt({ response_mode: 'fragment' }) }],
    ['query', { request: unsignedJwt({ response_mode: 'form_post' }) }],
  ])(
    'gets no response that a redirector would pass on, not even the error about it: %s, %o [A12]',
    async (response_mode, changes) => {
      const app = await new UnregisteredApp().publish()

      const response = await app.authorize(await signedIn(), { response_mode, ...changes })

      const url = await unsentResponse(response)
      expect(url.hash).toBe('')
      expect(url.searchParams.get('error')).toMatch(/^(invalid_request|request_not_supported)$/)
    },
  )

  it('loses access to an API whose policy no longer allows it', async () => {
    const app = await new UnregisteredApp().publish()
    const tokens = await app.exchange(await app.code(await signedIn()))
    const { refresh_token = '' } = await tokens.json<Record<string, string>>()
    const closed = serviceWith({ ...OPEN_SETTINGS, APIS: [] })

    const form = { grant_type: 'refresh_token', refresh_token }
    const withResource = await app.token({ ...form, resource: NOTES }, closed)
    const without = await app.token(form, closed)

    expect(await withResource.json()).toMatchObject({ error: 'invalid_target' })
    const { access_token } = await without.json<{ access_token: string }>()
    expect(decodeJwt(access_token)).toMatchObject({ aud: LOGIN, scope: 'openid offline_access' })
  })

  it('needs PKCE, consent, and gets neither tokens for itself nor the session', async () => {
    const app = await new UnregisteredApp().publish({ first_party: true, require_pkce: false })
    const browser = await signedIn()

    const withoutPkce = await app.authorize(browser, {
      code_challenge: undefined,
      code_challenge_method: undefined,
      nonce: 'n',
    })
    const silent = await app.authorize(browser, { prompt: 'none' })
    const machine = await app.token({ grant_type: 'client_credentials', resource: NOTES })
    const session = await browser.get('/api/auth/session', { Origin: app.origin })
    const forApp = await browser.get(`/api/auth/session?client_id=${app.clientId}`)

    expect((await unsentResponse(withoutPkce)).searchParams.get('error')).toBe('invalid_request')
    expect((await unsentResponse(silent)).searchParams.get('error')).toBe('consent_required')
    expect(await machine.json()).toMatchObject({ error: 'unauthorized_client' })
    expect(session.status).toBe(403)
    expect(forApp.status).toBe(400)
  })

  it('cannot use the device flow, although its document lists it', async () => {
    const device_code = 'urn:ietf:params:oauth:grant-type:device_code'
    const app = await new UnregisteredApp().publish({
      grant_types: ['authorization_code', 'refresh_token', device_code],
    })
    const start = ({ clientId }: UnregisteredApp) =>
      openService(formRequest('/oidc/device', { client_id: clientId }))
    const tokens = await app.exchange(await app.code(await signedIn()))

    const known = await start(app)
    const unknown = await start(await new UnregisteredApp().publish())
    const polled = await app.token({ grant_type: device_code, device_code: 'x' })

    expect(tokens.status).toBe(200)
    for (const response of [known, unknown, polled]) {
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: 'unauthorized_client' })
    }
  })

  it('may call the token endpoint, userinfo and revocation from its pages', async () => {
    const app = new UnregisteredApp()
    const headers = { Origin: app.origin, 'Access-Control-Request-Method': 'POST' }
    const allowedOrigins = (service: typeof openService) =>
      Promise.all(
        ['/oidc/token', '/oidc/userinfo', '/oidc/revoke'].map(async (path) => {
          const response = await new Browser(service).fetch(path, { method: 'OPTIONS', headers })
          return response.headers.get('Access-Control-Allow-Origin')
        }),
      )

    expect(new Set(await allowedOrigins(openService))).toEqual(new Set([app.origin]))
    expect(new Set(await allowedOrigins(serviceWith({})))).toEqual(new Set([null]))
  })

  it('is not looked up by the origin of its pages', async () => {
    const { origin } = new UnregisteredApp()
    const service = serviceWith({ ...OPEN_SETTINGS, DIRECTORY: forbidden('D1') })

    const response = await new Browser(service).get('/oidc/userinfo', {
      Origin: origin,
      Authorization: 'Bearer x',
    })

    expect(response.status).toBe(401)
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe(origin)
  })

  it('does not ask for consent again while its document is the same', async () => {
    const app = await new UnregisteredApp().publish()
    const browser = await signedIn()
    await app.code(browser)
    advanceClock(2 * 3600)
    await app.publish({ client_uri: 'https://elsewhere.example/' })

    const response = await app.authorize(browser)

    expect(redirectUrl(response).searchParams.get('code')).toMatch(/./)
    expect(await countFetches(app.clientId)).toBe(2)
  })

  it.each(DOCUMENT_CHANGES)(
    'asks for consent again when %s, and keeps its grants',
    async (...given) => {
      const [, changes, parameters] = given
      const app = await new UnregisteredApp().publish()
      const browser = await signedIn()
      const tokens = await app.exchange(await app.code(browser))
      const { refresh_token = '' } = await tokens.json<Record<string, string>>()
      advanceClock(2 * HOUR)
      await app.publish(changes(app))

      const page = await app.authorize(browser, parameters?.(app))

      expect(await page.clone().text()).toContain('id="approve"')
      const refreshed = await app.token({ grant_type: 'refresh_token', refresh_token })
      expect(refreshed.status).toBe(200)
      expect(redirectUrl(await approveConsent(browser, page)).searchParams.get('code')).toMatch(/./)
    },
  )

  it('asks for consent again when it gets keys', async () => {
    const app = await new UnregisteredApp().publish()
    const browser = await signedIn()
    await app.code(browser)
    advanceClock(2 * HOUR)
    const jwks_uri = 'https://k.agents.example/jwks'
    await app.publish({ token_endpoint_auth_method: undefined, jwks_uri })

    expect(await (await app.authorize(browser)).text()).toContain('id="approve"')
  })

  it('is shown again if its document changes while the consent page is open', async () => {
    const app = await new UnregisteredApp().publish(
      {},
      { headers: { 'Cache-Control': 'no-store' } },
    )
    const browser = await signedIn()
    const page = await app.authorize(browser)
    advanceClock(61)
    await app.publish({ client_name: 'A bank' })

    const next = await approveConsent(browser, page)

    expect(next.status).toBe(200)
    expect(await next.text()).toContain('A bank')
  })

  it.each(['127.0.0.1', '[::1]', 'localhost'])('may use any port of %s', async (host) => {
    const app = await new UnregisteredApp().publish({ redirect_uris: [`http://${host}/callback`] })
    const browser = await signedIn()

    const accepted = await app.authorize(browser, { redirect_uri: `http://${host}:51004/callback` })
    const other = await app.authorize(browser, { redirect_uri: `http://${host}:51004/other` })

    expect(await accepted.text()).toContain('id="approve"')
    expect(await other.text()).toContain('redirect_uri_refused')
  })
})

describe('reading a metadata document', () => {
  it('is started by authorization requests only: to others, the client is unknown [R1]', async () => {
    const app = await new UnregisteredApp().publish()

    const response = await app.token({ grant_type: 'refresh_token', refresh_token: 'rt_x' })

    expect(await response.json()).toMatchObject({ error: 'invalid_client' })
    expect(await countFetches(app.clientId)).toBe(0)
  })

  it('takes place once for simultaneous requests [R1]', async () => {
    const app = await new UnregisteredApp().publish()
    const isolates = Array.from({ length: 20 }, () => serviceWith({ ...OPEN_SETTINGS }))

    const errors = await Promise.all(isolates.map((service) => errorOf(app, service)))

    expect(new Set(errors)).toEqual(new Set([undefined]))
    expect(await countFetches(app.clientId)).toBe(1)
  })

  it('is not repeated while the copy is valid', async () => {
    stopClock()
    const app = await new UnregisteredApp().publish(
      {},
      { headers: { 'Cache-Control': 'max-age=600' } },
    )
    const inNewIsolate = () => errorOf(app, serviceWith({ ...OPEN_SETTINGS }))
    await inNewIsolate()

    advanceClock(599)
    await inNewIsolate()
    expect(await countFetches(app.clientId)).toBe(1)
    advanceClock(1)
    await inNewIsolate()

    expect(await countFetches(app.clientId)).toBe(2)
  })

  it('responds with 503 and fetches nothing while the object cannot be reached [Q6]', async () => {
    const app = await new UnregisteredApp().publish()
    const CLIENT_METADATA = unreachable(env.CLIENT_METADATA as never)

    const error = await errorOf(app, serviceWith({ ...OPEN_SETTINGS, CLIENT_METADATA }))

    expect(error).toBe('unavailable')
    expect(await countFetches(app.clientId)).toBe(0)
  })

  it('that fails is reported as such, is repeated after a minute, and is logged [R1]', async () => {
    stopClock()
    const app = new UnregisteredApp()

    expect(await errorOf(app)).toBe('client_unreadable')
    advanceClock(59)
    expect(await errorOf(app)).toBe('client_unreadable')
    expect(lastLogEntry('client_unreadable').cause).toContain('status 404')
    expect(await countFetches(app.clientId)).toBe(1)
    await app.publish()
    advanceClock(1)

    expect(await errorOf(app)).toBeUndefined()
  })
})

/** Ids that lead to no public document, or that are not the canonical spelling of a URL. */
const REJECTED_IDS = [
  'https://127.0.0.1/client',
  'https://127.1/client',
  'https://2130706433/client',
  'https://0x7f000001/client',
  'https://0177.0.0.1/client',
  'https://１２７.0.0.1/client',
  'https://10.0.0.1/client',
  'https://169.254.169.254/latest/meta-data',
  'https://192.0.2.1/client',
  'https://[::1]/client',
  'https://[::]/client',
  'https://[::ffff:7f00:1]/client',
  'https://[::ffff:127.0.0.1]/client',
  'https://[fd00::1]/client',
  'https://[fe80::1]/client',
  'https://[64:ff9b::a00:1]/client',
  'https://localhost/client',
  'https://a.localhost/client',
  'https://printer.local/client',
  'https://metadata.google.internal/client',
  'https://router.home.arpa/client',
  'https://intranet/client',
  'https://host.agents.example./client',
  'http://host.agents.example/client',
  'http://localhost/client',
  'ftp://host.agents.example/client',
  'data:application/json,{}',
  'https://host.agents.example',
  'https://host.agents.example/client#',
  'https://host.agents.example/client#fragment',
  'https://user@host.agents.example/client',
  'https://:password@host.agents.example/client',
  'https://host.agents.example/a/../client',
  'https://host.agents.example/./client',
  'https://host.agents.example/%2e%2e/client',
  'https://host.agents.example/a/.%2E/client',
  'https://HOST.agents.example/client',
  'HTTPS://host.agents.example/client',
  'https://host.agents.example:443/client',
  'https:host.agents.example/client',
  'https:\\\\host.agents.example\\client',
  ' https://host.agents.example/client',
  'https://host.agents.example/client\n',
  'https://host.agents.example/cl\tient',
  `https://host.agents.example/${'x'.repeat(256)}`,
  `${LOGIN}/.well-known/openid-configuration`,
]

describe('the id of a client with a metadata document', () => {
  it.each(REJECTED_IDS)('[P2] is not %j, although all hosts are accepted', async (client_id) => {
    const app = new UnregisteredApp()
    const service = serviceWith({ UNREGISTERED_CLIENTS: { hosts: ['*'] } })
    const path = await app.authorizationPath({ client_id })

    const response = await new Browser(service).get(path, { Accept: 'application/json' })

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'client_unknown' })
  })

  it('may be on loopback in development only', async () => {
    const AUTH_URL = 'http://localhost:8787'
    const service = serviceWith({ AUTH_URL, UNREGISTERED_CLIENTS: { hosts: ['localhost'] } })
    const path = await new UnregisteredApp().authorizationPath({
      client_id: 'http://localhost:9/client.json',
    })

    const response = await new Browser(service, AUTH_URL).get(path, { Accept: 'application/json' })

    expect(await response.json()).toMatchObject({ error: 'client_unreadable' })
  })
})

const PADDING = 'x'.repeat(5 * 1024)

/** A document of exactly this many bytes. */
function documentOf(app: UnregisteredApp, bytes: number): string {
  const { length } = JSON.stringify(app.metadata({ padding: '' }))
  return JSON.stringify(app.metadata({ padding: PADDING.slice(0, bytes - length) }))
}

describe('a metadata document', () => {
  it.each<[string, PublishedFile | ((app: UnregisteredApp) => PublishedFile)]>([
    ['behind a redirect', { status: 302, headers: { Location: 'https://b.agents.example/c' } }],
    ['with status 201', { status: 201 }],
    ['with status 404', { status: 404 }],
    ['with status 500', { status: 500 }],
    ['as HTML', { headers: { 'Content-Type': 'text/html' } }],
    ['as text', { headers: { 'Content-Type': 'text/json' } }],
    ['of another type', { headers: { 'Content-Type': 'application/jsonp' } }],
    ['that is not JSON', { body: '{' }],
    ['that is a list', { body: '[]' }],
    ['that is empty', { body: '' }],
    ['of 5 KB and a byte', (app) => ({ body: documentOf(app, 5 * 1024 + 1) })],
  ])('%s is rejected, and not kept [P2][P5][P6][P7]', async (_, file) => {
    const app = new UnregisteredApp()
    await app.publish({}, typeof file === 'function' ? file(app) : file)

    expect(await errorOf(app)).toBe('client_unreadable')
    await app.publish()
    advanceClock(60)

    expect(await errorOf(app)).toBeUndefined()
  })

  it.each<[string, (app: UnregisteredApp) => PublishedFile]>([
    ['of 5 KB', (app) => ({ body: documentOf(app, 5 * 1024) })],
    ['with a charset', () => ({ headers: { 'Content-Type': 'application/json; charset=utf-8' } })],
    ['of a JSON type', () => ({ headers: { 'Content-Type': 'application/cimd+json' } })],
  ])('%s is accepted', async (_, file) => {
    const app = new UnregisteredApp()
    await app.publish({}, file(app))

    expect(await errorOf(app)).toBeUndefined()
  })

  it('that hangs or never ends is given up after a few seconds [P4]', async () => {
    onTestFinished(shortenTimeouts())
    const hanging = await new UnregisteredApp().publish({}, { fault: 'hang' })
    const endless = await new UnregisteredApp().publish({}, { fault: 'endless' })
    const start = performance.now()

    const errors = await Promise.all([errorOf(hanging), errorOf(endless)])

    expect(errors).toEqual(['client_unreadable', 'client_unreadable'])
    expect(performance.now() - start).toBeLessThan(15_000)
  })

  it.each<[string, object]>([
    ['the client_id of another host', { client_id: 'https://claude.ai/oauth/client.json' }],
    ['no client_id', { client_id: undefined }],
    ['a secret', { client_secret: 'secret' }],
    ['the expiry of a secret', { client_secret_expires_at: 0 }],
    ['a method with a secret', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['a method of HMAC', { token_endpoint_auth_method: 'client_secret_jwt' }],
    ['an unknown method', { token_endpoint_auth_method: 'tls_client_auth' }],
    ['a method that needs keys', { token_endpoint_auth_method: 'private_key_jwt' }],
    [
      'a method that needs keys, although it lists another one',
      {
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
      },
    ],
    ['a private key', { jwks: { keys: [keys.signer] } }],
    ['a symmetric key', { jwks: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] } }],
    ['no usable key', { jwks: { keys: [{ kty: 'EC', crv: 'P-521', x: 'x', y: 'y' }] } }],
    ['keys that are no list', { jwks: { keys: {} } }],
    ['no redirect URIs', { redirect_uris: undefined }],
    ['an empty list of redirect URIs', { redirect_uris: [] }],
    [
      'redirect URIs that cannot be used',
      { redirect_uris: ['javascript:alert(1)', 'http://app.example/', `${LOGIN}/x`, 'x'] },
    ],
    ['a name that reverses the text', { client_name: 'A\u202ebank' }],
    ['a name with line breaks', { client_name: 'A\nbank' }],
    ['a long name', { client_name: 'x'.repeat(65) }],
    ['an empty name', { client_name: '' }],
    ['a name that is no text', { client_name: { en: 'An agent' } }],
  ])('with %s is rejected', async (_, changes) => {
    const app = await new UnregisteredApp().publish(changes)

    expect(await errorOf(app)).toBe('client_unreadable')
    expect(lastLogEntry('client_unreadable').cause).toContain(app.clientId)
  })

  it('of one client does not authorize another one at the same host', async () => {
    const app = await new UnregisteredApp().publish()
    const path = await app.authorizationPath({ client_id: `${app.clientId}?x=1` })

    const response = await new Browser(openService).get(path, { Accept: 'application/json' })

    expect(await response.json()).toMatchObject({ error: 'client_unreadable' })
  })

  it('is used for a day while its server fails, but not if it is gone', async () => {
    stopClock()
    const app = await new UnregisteredApp().publish()
    const tokens = await app.exchange(await app.code(await signedIn()))
    const { refresh_token = '' } = await tokens.json<Record<string, string>>()
    const refresh = () => app.token({ grant_type: 'refresh_token', refresh_token })

    await app.publish({}, { status: 503 })
    advanceClock(22 * 3600)
    expect((await refresh()).status).toBe(200)
    await app.publish({}, { status: 404 })
    advanceClock(61)
    const gone = await refresh()
    await app.publish({}, { status: 503 })
    advanceClock(2 * 3600)
    const unavailable = await refresh()

    expect(await unavailable.json()).toMatchObject({ error: 'temporarily_unavailable' })
    expect(unavailable.status).toBe(503)
    expect(await gone.json()).toMatchObject({ error: 'invalid_client' })
  })

  it('is forgotten after a day, and once a user has allowed the client, after sixty days without use', async () => {
    const now = stopClock()
    const app = await new UnregisteredApp().publish()
    const object = env.CLIENT_METADATA.get(env.CLIENT_METADATA.idFromName(app.clientId))
    const lifetime = async () => {
      const alarm = await runInDurableObject(object, (_, { storage }) => storage.getAlarm())
      return Number(alarm) / 1000 - now
    }

    await errorOf(app)
    advanceClock(DAY / 2)
    await errorOf(app)
    expect(await lifetime()).toBe(DAY)
    await app.code(await signedIn())
    await expect.poll(lifetime).toBe(60.5 * DAY)
    await runDurableObjectAlarm(object)
    const keys = await runInDurableObject(object, (_, { storage }) => [...storage.kv.list()])

    expect(keys).toEqual([])
  })

  it('of a new client is read thirty times in ten minutes for one network, which stores nothing for the others [R1][R11]', async () => {
    stopClock()
    const apps = await Promise.all(
      Array.from({ length: 40 }, () => new UnregisteredApp().publish()),
    )
    const from = { 'CF-Connecting-IP': '203.0.113.61' }

    const errors = await Promise.all(apps.map((app) => errorOf(app, openService, from)))
    const stored = await Promise.all(apps.map(storedFor))

    expect(errors.filter((error) => error === 'client_unreadable')).toHaveLength(10)
    expect(lastLogEntry('client_unreadable').cause).toContain('limited')
    expect(stored.filter(({ alarm }) => alarm === Date.now() + DAY * 1000)).toHaveLength(30)
    expect(stored.filter(({ entries }) => entries === 0)).toHaveLength(10)
    advanceClock(600)
    const rejected = apps.filter((_, index) => errors[index] === 'client_unreadable')
    expect(await Promise.all(rejected.map((app) => errorOf(app, openService, from)))).toEqual(
      Array(10).fill(undefined),
    )
  })

  it('of a new client is read two hundred times in a day for one network [R1][R11]', async () => {
    stopClock()
    const from = { 'CF-Connecting-IP': '203.0.113.161' }
    const errors: unknown[] = []
    for (let round = 0; round < 7; round++) {
      const apps = await Promise.all(
        Array.from({ length: 30 }, () => new UnregisteredApp().publish()),
      )
      errors.push(...(await Promise.all(apps.map((app) => errorOf(app, openService, from)))))
      advanceClock(601)
    }

    expect(errors.filter((error) => error === 'client_unreadable')).toHaveLength(10)
  })

  it('of a new client is read only if the user opens its request, so that no page uses up the limit of its visitors [R1]', async () => {
    const app = await new UnregisteredApp().publish()
    const image = { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' }
    const frame = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' }
    const page = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }

    expect(await errorOf(app, openService, image)).toBe('client_unknown')
    expect(await errorOf(app, openService, frame)).toBe('client_unknown')
    expect(await countFetches(app.clientId)).toBe(0)
    expect(await errorOf(app, openService, page)).toBeUndefined()
  })

  it('is read for everybody else after strangers have used up the limit of their network [R1][R2]', async () => {
    stopClock()
    const headers = { 'Cache-Control': 'no-store' }
    const known = await new UnregisteredApp().publish({}, { headers })
    await errorOf(known)
    advanceClock(61)
    // A /56, from which 120 documents are read, all of the same host.
    const ip = (index: number) => ({ 'CF-Connecting-IP': `2001:db8:62:${index % 8}::1` })
    const attempts = Array.from({ length: 130 }, async (_, index) => {
      const path = await known.authorizationPath({ client_id: `${known.origin}/${index}` })
      return new Browser(openService).get(path, ip(index))
    })
    await Promise.all(attempts)
    const [app, another] = [
      await new UnregisteredApp(known.host, '/new').publish(),
      await new UnregisteredApp(known.host, '/another').publish(),
    ]
    const owner = await signedIn()

    expect(await errorOf(app, openService, ip(0))).toBe('client_unreadable')
    // What was rejected for the strangers is not remembered.
    expect(await errorOf(app, openService, { 'CF-Connecting-IP': '203.0.113.62' })).toBeUndefined()
    expect((await owner.get(await another.authorizationPath(), ip(0))).status).toBe(200)
    expect(await errorOf(known, openService, ip(0))).toBeUndefined()
    expect(await countFetches(known.clientId)).toBe(2)
  })
})

/** What the object of a client has stored, and when it deletes that. */
function storedFor({ clientId }: UnregisteredApp) {
  const object = env.CLIENT_METADATA.get(env.CLIENT_METADATA.idFromName(clientId))
  return runInDurableObject(object, async (_, { storage }) => ({
    entries: [...storage.kv.list()].length,
    alarm: await storage.getAlarm(),
  }))
}

/** What clients publish, as of September 2026. */
const PUBLISHED_DOCUMENTS = [
  {
    client_id: 'https://claude.ai/oauth/claude-code-client-metadata',
    client_name: 'Claude Code',
    client_uri: 'https://claude.ai',
    redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  },
  {
    client_id: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
    client_name: 'Claude',
    redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
    token_endpoint_auth_method: 'none',
  },
  {
    client_id: 'https://chatgpt.com/oauth/client.json',
    client_uri: 'https://chatgpt.com/',
    redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    client_name: 'ChatGPT',
    logo_uri: 'https://persistent.oaistatic.com/sonic/misc/openai-logo.png',
    token_endpoint_auth_signing_alg: 'RS256',
    jwks_uri: 'https://chatgpt.com/oauth/jwks.json',
  },
  {
    client_name: 'Visual Studio Code',
    logo_uri: 'https://code.visualstudio.com/assets/branding/code-stable.png',
    grant_types: [
      'authorization_code',
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:device_code',
    ],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
    client_id: 'https://vscode.dev/oauth/client-metadata.json',
    client_uri: 'https://vscode.dev/product',
    redirect_uris: ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect'],
  },
]

describe('the document of', () => {
  it.each(PUBLISHED_DOCUMENTS)('$client_name is accepted', ({ client_id, ...document }) => {
    const context = { clientId: client_id, issuer: LOGIN }

    const metadata = parseMetadata({ client_id, ...document }, context)

    expect(metadata).toMatchObject({
      client_name: document.client_name,
      redirect_uris: document.redirect_uris,
      authenticationMethod: document.token_endpoint_auth_method,
      usesRefreshTokens: true,
    })
  })
})
