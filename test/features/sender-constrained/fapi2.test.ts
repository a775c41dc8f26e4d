import { env } from 'cloudflare:workers'
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Browser, LOGIN, serviceWith } from '../../browser.ts'
import { advanceClock, stopClock } from '../../clock.ts'
import { calls, recordedBindings } from '../../core/oidc/recorded-calls.ts'
import {
  basic,
  bearer,
  formRequest,
  type ParameterChanges,
  RelyingApp,
  signingKey,
} from '../../core/oidc/relying-app.ts'
import { newId } from '../../core/registrations/stored-clients.ts'
import { readConfig } from '../../deployment.ts'
import { errorCode } from '../../html.ts'
import { redirectUrl } from '../../redirect.ts'
import { clientsWith } from '../../registered-clients.ts'
import { connectMachine, readProblem } from '../admin/machine-client.ts'
import { ProofKey } from './proof-key.ts'

const PAR = `${LOGIN}/oidc/par`
const USERINFO = `${LOGIN}/oidc/userinfo`
const LEGACY_API = 'https://rs256.example'

/** All that a registration needs besides keys. */
const FAPI2 = { profile: 'fapi2', id_token_signed_response_alg: 'ES256' }

const settings = {
  CLIENTS: clientsWith({ signer: { ...FAPI2, resources: [LEGACY_API] } }),
  APIS: [{ identifier: LEGACY_API, access_token_signing_alg: 'RS256' }],
}
const service = serviceWith(settings)
const ordinary = serviceWith({})

interface JsonResponse {
  status: number
  request_uri: string
  access_token: string
  refresh_token?: string
  id_token: string
  token_type: string
  error: string
  error_description: string
}

type Fields = Record<string, unknown>

let browser: Browser
let key: ProofKey
let privateKey: CryptoKey

beforeAll(async () => {
  browser = new Browser(service)
  await browser.signIn('mia')
  key = await ProofKey.create()
  privateKey = await signingKey()
})

beforeEach(() => {
  stopClock()
})

/** What authenticates the client. */
async function assertion(changes: Fields = {}, header: Fields = {}, signer = privateKey) {
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    iss: 'signer',
    sub: 'signer',
    aud: LOGIN,
    iat: now,
    exp: now + 60,
    jti: crypto.randomUUID(),
    ...changes,
  }
  const jwt = new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'one', ...header })
  return {
    client_id: 'signer',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await jwt.sign(signer),
  }
}

async function send(
  path: string,
  form: Record<string, string>,
  { proof, at = service }: { proof?: string | undefined; at?: typeof service } = {},
): Promise<JsonResponse> {
  const headers: Record<string, string> = proof === undefined ? {} : { DPoP: proof }
  const response = await at(formRequest(path, form, headers))
  return { ...(await response.json<JsonResponse>()), status: response.status }
}

/** Pushes a request of the app with a refresh token, with these changes of its parameters. */
async function push(app: RelyingApp, changes: ParameterChanges = {}, at = service) {
  const url = await app.authorizationUrl({
    scope: 'openid offline_access',
    resource: USERINFO,
    ...changes,
  })
  const params = Object.fromEntries(new URL(url).searchParams)
  return send('/oidc/par', { ...params, ...(await assertion()) }, { at })
}

function authorize({ request_uri }: Pick<JsonResponse, 'request_uri'>): Promise<Response> {
  const query = new URLSearchParams({ client_id: 'signer', request_uri })
  return browser.get(`/oidc/authorize?${query}`)
}

/** The form that redeems a new code, without what authenticates the client. */
async function codeForm(changes: ParameterChanges = {}): Promise<Record<string, string>> {
  const app = new RelyingApp('signer')
  return app.codeExchangeForm(redirectUrl(await authorize(await push(app, changes)), 303))
}

async function requestTokens(
  form: Record<string, string>,
  options: { proof?: string | undefined; at?: typeof service } = {},
): Promise<JsonResponse> {
  const proof = 'proof' in options ? options.proof : await key.proof()
  return send('/oidc/token', { ...form, ...(await assertion()) }, { ...options, proof })
}

function refreshForm(refresh_token = ''): Record<string, string> {
  return { grant_type: 'refresh_token', refresh_token }
}

describe('a client with the profile fapi2', () => {
  it('signs a user in: a pushed request, iss in the response, bound tokens, and ES256', async () => {
    const app = new RelyingApp('signer')

    const pushed = await push(app)
    const callback = redirectUrl(await authorize(pushed), 303)
    const tokens = await requestTokens(app.codeExchangeForm(callback))
    const headers = await key.headers(USERINFO, tokens.access_token)
    const userinfo = await service(new Request(USERINFO, { headers }))

    expect(pushed.status).toBe(201)
    expect(callback.searchParams.get('iss')).toBe(LOGIN)
    expect(tokens.token_type).toBe('DPoP')
    expect(decodeJwt(tokens.access_token)['cnf']).toEqual({ jkt: key.thumbprint })
    expect(decodeProtectedHeader(tokens.access_token).alg).toBe('ES256')
    expect(decodeProtectedHeader(tokens.id_token).alg).toBe('ES256')
    expect(userinfo.status).toBe(200)
  })

  it('must push its requests (§5.3.2.2)', async () => {
    const url = await new RelyingApp('signer').authorizationUrl()

    const callback = redirectUrl(await browser.get(url), 303)

    expect(callback.searchParams.get('error')).toBe('invalid_request')
    expect(callback.searchParams.get('error_description')).toContain('must be pushed')
    expect(callback.searchParams.get('iss')).toBe(LOGIN)
  })

  it.each([
    [
      'no PKCE, although it has a nonce',
      { code_challenge: undefined, code_challenge_method: undefined },
    ],
    ['plain PKCE', { code_challenge_method: 'plain' }],
    ['no redirect URI', { redirect_uri: undefined }],
    ['another redirect URI', { redirect_uri: 'https://signer.example/callback?x=1' }],
  ] as [string, ParameterChanges][])('cannot push a request with %s', async (_, changes) => {
    const { status, error } = await push(new RelyingApp('signer'), changes)

    expect([status, error]).toEqual([400, 'invalid_request'])
  })

  it('gets no tokens without a proof, and keeps its code', async () => {
    const form = await codeForm()

    const rejected = await requestTokens(form, { proof: undefined })
    const tokens = await requestTokens(form)

    expect([rejected.status, rejected.error]).toEqual([400, 'invalid_dpop_proof'])
    expect(tokens.token_type).toBe('DPoP')
  })

  it('cannot redeem a code after 60 seconds', async () => {
    const [early, late] = [await codeForm(), await codeForm()]
    advanceClock(59)
    expect((await requestTokens(early)).token_type).toBe('DPoP')
    advanceClock(1)

    expect((await requestTokens(late)).error).toBe('invalid_grant')
  })

  it('can authenticate with the key only', async () => {
    const url = await new RelyingApp('signer').authorizationUrl()
    const params = Object.fromEntries(new URL(url).searchParams)

    const withoutKey = await send('/oidc/par', params)
    const withBoth = await service(
      formRequest('/oidc/par', { ...params, ...(await assertion()) }, basic('signer', 'x')),
    )
    const withSecret = await service(formRequest('/oidc/par', params, basic('signer', 'x')))

    expect([withoutKey.status, withoutKey.error]).toEqual([401, 'invalid_client'])
    expect(await withBoth.json()).toMatchObject({ error: 'invalid_request' })
    expect(await withSecret.json()).toMatchObject({ error: 'invalid_client' })
  })

  it.each([
    ['the token endpoint as aud', () => ({ aud: `${LOGIN}/oidc/token` })],
    ['the endpoint for pushed requests as aud', () => ({ aud: PAR })],
    ['a list as aud', () => ({ aud: [LOGIN] })],
    ['nbf a minute ahead', () => ({ nbf: Math.floor(Date.now() / 1000) + 61 })],
    ['iat a minute ahead', () => ({ iat: Math.floor(Date.now() / 1000) + 61 })],
  ])('cannot authenticate with %s', async (_, changes) => {
    const form = { ...(await codeForm()), ...(await assertion(changes())) }

    const { status, error } = await send('/oidc/token', form, { proof: await key.proof() })

    expect([status, error]).toEqual([401, 'invalid_client'])
  })

  it('can authenticate with iat and nbf ten seconds ahead', async () => {
    const ahead = Math.floor(Date.now() / 1000) + 10
    const form = { ...(await codeForm()), ...(await assertion({ iat: ahead, nbf: ahead })) }

    const { token_type } = await send('/oidc/token', form, { proof: await key.proof() })

    expect(token_type).toBe('DPoP')
  })

  it('can sign assertions with PS256 and not with RS256, also if its key names no algorithm', async () => {
    const results: number[] = []
    for (const alg of ['PS256', 'RS256']) {
      const pair = await generateKeyPair(alg, { extractable: true })
      const jwks = { keys: [await exportJWK(pair.publicKey)] }
      const signed = await assertion({}, { alg, kid: undefined }, pair.privateKey)
      for (const fields of [FAPI2, {}]) {
        const at = serviceWith({ CLIENTS: clientsWith({ signer: { ...fields, jwks } }) })
        const form = { ...signed, token: 'x' }
        results.push((await at(formRequest('/oidc/introspect', form))).status)
      }
    }

    // The second of each pair is the same assertion at a client without the profile, where only one
    // that was not accepted before is accepted.
    expect(results).toEqual([200, 401, 401, 200])
  })

  it('can sign proofs with PS256 and EdDSA, and not with RS256', async () => {
    for (const alg of ['PS256', 'EdDSA']) {
      const other = await ProofKey.create(alg)
      const { token_type } = await requestTokens(await codeForm(), { proof: await other.proof() })
      expect(token_type).toBe('DPoP')
    }
    const rsa = await ProofKey.create('RS256')
    const form = await codeForm()
    const url = await new RelyingApp('signer').authorizationUrl()
    const params = Object.fromEntries(new URL(url).searchParams)

    const tokens = await requestTokens(form, { proof: await rsa.proof() })
    const proof = await rsa.proof({ htu: PAR })
    const pushed = await send('/oidc/par', { ...params, ...(await assertion()) }, { proof })

    expect([tokens.status, tokens.error]).toEqual([400, 'invalid_dpop_proof'])
    expect(tokens.error_description).toContain('PS256')
    expect([pushed.status, pushed.error]).toEqual([400, 'invalid_dpop_proof'])
    expect((await requestTokens(form)).token_type).toBe('DPoP')
  })

  it('cannot use RS256 at userinfo either, with a token from before it had the profile', async () => {
    const rsa = await ProofKey.create('RS256')
    const app = new RelyingApp('signer')
    const earlier = new Browser(ordinary).withCookiesOf(browser)
    const form = app.codeExchangeForm(await app.callbackFor(earlier))
    const { access_token } = await requestTokens(form, { proof: await rsa.proof(), at: ordinary })
    const request = async () =>
      new Request(USERINFO, { headers: await rsa.headers(USERINFO, access_token) })

    const before = await ordinary(await request())
    const after = await service(await request())

    expect([before.status, after.status]).toEqual([200, 401])
    expect(await after.json()).toMatchObject({ error: 'invalid_dpop_proof' })
  })

  it('cannot send the token as Bearer or in a form', async () => {
    const { access_token } = await requestTokens(await codeForm())

    const inHeader = await service(new Request(USERINFO, { headers: bearer(access_token) }))
    const inForm = await service(formRequest('/oidc/userinfo', { access_token }))

    expect([inHeader.status, inForm.status]).toEqual([401, 401])
  })

  it('gets no tokens for an API that needs RS256', async () => {
    const tokens = await requestTokens(await codeForm({ resource: LEGACY_API }))

    expect([tokens.status, tokens.error]).toEqual([400, 'invalid_target'])
    expect(tokens.error_description).toContain(LEGACY_API)
  })
})

describe('the refresh token of a client with the profile fapi2', () => {
  it('is not replaced, and stays valid for as long as it is used (§5.3.2.1)', async () => {
    const { refresh_token } = await requestTokens(await codeForm())
    for (let month = 0; month < 3; month++) {
      advanceClock(29 * 24 * 3600)
      const refreshed = await requestTokens(refreshForm(refresh_token))
      expect(refreshed.token_type).toBe('DPoP')
      expect(refreshed).not.toHaveProperty('refresh_token')
    }
    advanceClock(30 * 24 * 3600)

    expect((await requestTokens(refreshForm(refresh_token))).error).toBe('invalid_grant')
  })

  it('can be used by many requests at the same time', async () => {
    const { refresh_token } = await requestTokens(await codeForm())

    const responses = await Promise.all(
      Array.from({ length: 10 }, () => requestTokens(refreshForm(refresh_token))),
    )

    expect(responses.map(({ token_type }) => token_type)).toEqual(Array(10).fill('DPoP'))
  })

  it('needs the key of the client, and a proof', async () => {
    const { refresh_token } = await requestTokens(await codeForm())
    const form = { ...refreshForm(refresh_token), client_id: 'signer' }

    const stolen = await send('/oidc/token', form, { proof: await key.proof() })
    const withoutProof = await requestTokens(refreshForm(refresh_token), { proof: undefined })

    expect(stolen.error).toBe('invalid_client')
    expect(withoutProof.error).toBe('invalid_dpop_proof')
  })

  it('from before stays valid, and its predecessors end the grant as before', async () => {
    const { refresh_token: first } = await requestTokens(await codeForm(), { at: ordinary })
    const { refresh_token: second } = await requestTokens(refreshForm(first), { at: ordinary })
    advanceClock(60)

    const kept = await requestTokens(refreshForm(second))
    const keptAgain = await requestTokens(refreshForm(second))
    const former = await requestTokens(refreshForm(first))
    const ended = await requestTokens(refreshForm(second))

    expect([kept.token_type, keptAgain.token_type]).toEqual(['DPoP', 'DPoP'])
    expect([former.error, ended.error]).toEqual(['invalid_grant', 'invalid_grant'])
  })

  it('is replaced by a successor that the client did not receive, before it had the profile', async () => {
    const { refresh_token: first } = await requestTokens(await codeForm(), { at: ordinary })
    await requestTokens(refreshForm(first), { at: ordinary })

    const { refresh_token: second } = await requestTokens(refreshForm(first))
    advanceClock(60)

    expect(second).toMatch(/^rt_/)
    expect((await requestTokens(refreshForm(second))).token_type).toBe('DPoP')
  })
})

describe('the registration of a client with the profile fapi2', () => {
  const RSA = { kty: 'RSA', n: 'A'.repeat(342), e: 'AQAB' }

  it.each([
    ['jwks', { jwks: undefined, client_secrets_sha256: ['0'.repeat(64)] }],
    ['jwks', { jwks: undefined }],
    ['jwks', { jwks: { keys: [{ ...RSA, alg: 'RS256' }] } }],
    ['token_endpoint_auth_method', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['client_assertion_audience', { client_assertion_audience: 'token_endpoint' }],
    ['application_type', { application_type: 'native' }],
    ['redirect_uris', { redirect_uris: ['http://localhost/callback'] }],
    ['redirect_uris', { redirect_uris: ['com.example.app:/callback'] }],
    ['redirect_uris', { redirect_uris: ['https://*.preview.signer.example/'] }],
    ['require_pkce', { require_pkce: false }],
    ['id_token_signed_response_alg', { id_token_signed_response_alg: 'RS256' }],
    ['userinfo_signed_response_alg', { userinfo_signed_response_alg: 'RS256' }],
    ['grant_types', { grant_types: ['urn:ietf:params:oauth:grant-type:device_code'] }],
    ['upstream_tokens', { upstream_tokens: ['tiktok'] }],
  ] as [string, object][])('is invalid because of %s: %o', async (field, changes) => {
    const CLIENTS = clientsWith({ signer: { ...FAPI2, ...changes } })
    const withProfile = new Browser(serviceWith({ CLIENTS }))

    const response = await withProfile.get(await new RelyingApp('signer').authorizationUrl())
    const readiness = await (await withProfile.get('/readyz')).text()

    expect(await errorCode(response)).toBe('client_unknown')
    expect(readiness).toMatch(
      new RegExp(`CLIENTS\\.\\d+\\.${field} ((?!CLIENTS).)*The profile fapi2 requires that`),
    )
  })

  it('may have a loopback address during development', () => {
    const CLIENTS = clientsWith({
      signer: { ...FAPI2, redirect_uris: ['http://localhost:3000/callback'] },
    })
    const disabledAt = (AUTH_URL: string) =>
      readConfig({ ...env, AUTH_URL, CLIENTS } as unknown as Env).disabledClients

    expect(disabledAt('http://localhost:8787')).not.toContain('signer')
    expect(disabledAt(LOGIN)).toContain('signer')
  })

  it('lists everything that is missing', async () => {
    const CLIENTS = clientsWith({ web: { profile: 'fapi2' } })

    const readiness = await (await new Browser(serviceWith({ CLIENTS })).get('/readyz')).text()

    for (const missing of ['jwks or jwks_uri is missing', 'id_token_signed_response_alg must be']) {
      expect(readiness).toContain(missing)
    }
  })
})

describe('the admin API', () => {
  it('registers a client with the profile, and lists what is missing', async () => {
    const machine = await connectMachine()
    const client_id = newId('bank')
    const fields = { client_id, redirect_uris: ['https://bank.example/callback'], profile: 'fapi2' }
    const register = (body: object) => machine.call('/clients', { method: 'POST', body })
    const jwks = { keys: [(await ProofKey.create()).jwk] }

    const incomplete = await register(fields)
    const complete = await register({ ...fields, ...FAPI2, jwks })
    const changed = await machine.call(`/clients/${client_id}`, {
      method: 'PATCH',
      body: { require_pkce: false },
    })

    const problems = (await readProblem(incomplete)).problems ?? []
    expect(problems.map(({ path }) => path[0])).toEqual(['jwks', 'id_token_signed_response_alg'])
    expect(complete.status).toBe(201)
    expect(await complete.json()).toMatchObject({ client: { profile: 'fapi2' } })
    expect(changed.status).toBe(400)
  })
})

describe('the calls to storage of a client with the profile fapi2', () => {
  it('are those of its assertion, and one each for an exchange and a refresh', async () => {
    const recorded = serviceWith({ ...settings, ...recordedBindings })
    await requestTokens(await codeForm(), { at: recorded })
    const form = await codeForm()
    calls.length = 0

    const { refresh_token } = await requestTokens(form, { at: recorded })
    expect(calls).toEqual(['GUARDS.useOnce', 'USERS.redeemCode'])
    calls.length = 0
    await requestTokens(refreshForm(refresh_token), { at: recorded })
    expect(calls).toEqual(['GUARDS.useOnce', 'USERS.rotateRefreshToken'])
    calls.length = 0
    await push(new RelyingApp('signer'), {}, recorded)

    expect(calls).toEqual(['GUARDS.useOnce'])
  })
})
