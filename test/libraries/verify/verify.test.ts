import { env, exports } from 'cloudflare:workers'
import { Hono } from 'hono'
import {
  base64url,
  decodeJwt,
  exportJWK,
  generateKeyPair,
  type JSONWebKeySet,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from 'jose'
import { describe, expect, expectTypeOf, it, vi } from 'vitest'
import { clientStore } from '../../../src/administration/registrations/client-store.ts'
import {
  createVerifier,
  type DpopOptions,
  TokenError,
  type VerifiedToken,
  type VerifierOptions,
} from '../../../src/verify.ts'
import { Browser, LOGIN, logLines, serviceWith } from '../../browser.ts'
import { advanceClock, HOUR, MINUTE, setClock, stopClock } from '../../clock.ts'
import { issueToken } from '../../core/oidc/machines.ts'
import { formRequest, OFFLINE_ACCESS, RelyingApp } from '../../core/oidc/relying-app.ts'
import { unsignedJwt } from '../../core/oidc/unsigned-jwt.ts'
import { approveConsent } from '../../core/oidc/user-steps.ts'
import { config, ORIGIN } from '../../core/registrations/stored-clients.ts'
import { signInNewUser } from '../../new-user.ts'
import { redirectUrl } from '../../redirect.ts'
import { clientsWith } from '../../registered-clients.ts'

const API = 'https://orders.example'

type Fetch = NonNullable<VerifierOptions['fetch']>

const fetchLogin: Fetch = (url, init) => exports.default.fetch(new Request(url, init))

/** Passes requests on to the login service, with other responses for some of them. */
function loginWith(change: (path: string, response: () => Promise<Response>) => Promise<Response>) {
  const requests: string[] = []
  const fetch: Fetch = (url, init) => {
    requests.push(url.replace(`${LOGIN}/.well-known/`, ''))
    return change(new URL(url).pathname, () => fetchLogin(url, init))
  }
  return { fetch, requests }
}

const create = (options: Partial<VerifierOptions> = {}) =>
  createVerifier({ issuer: LOGIN, audience: API, fetch: fetchLogin, ...options })

/** The error of a token that is not accepted. */
async function errorOf(result: Promise<unknown>): Promise<TokenError> {
  const error = await result.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(TokenError)
  return error as TokenError
}

/** A new user with an access token for the API. */
async function newUser() {
  const user = await signInNewUser()
  const tokens = await new RelyingApp().tokens(user.browser, { ...OFFLINE_ACCESS, resource: API })
  const session = (await user.browser.session())?.token ?? ''
  return { ...user, tokens, token: tokens.access_token, session }
}

/** A new user who has consented to an app of another company, with its token for the API. */
async function newUserOfOtherCompany() {
  const service = serviceWith({ CLIENTS: clientsWith({ native: { resources: [API] } }) })
  const { browser } = await signInNewUser(new Browser(service))
  const app = new RelyingApp('native')
  const page = await browser.get(await app.authorizationUrl({ resource: API }))
  const callback = redirectUrl(await approveConsent(browser, page))
  const form = { client_id: 'native', ...app.codeExchangeForm(callback) }
  const response = await service(formRequest('/oidc/token', form))
  const { access_token: token } = await response.json<{ access_token: string }>()
  return { browser, token }
}

/** A login service of our own, which signs anything. */
async function newIssuer(alg = 'ES256') {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  const kid = crypto.randomUUID()
  const jwks: JSONWebKeySet = {
    keys: [{ ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } as JSONWebKeySet['keys'][0]],
  }
  const sign = (claims: JWTPayload, header: Partial<JWTHeaderParameters> = {}) =>
    new SignJWT(claims).setProtectedHeader({ alg, kid, ...header }).sign(privateKey)
  return { jwks, sign, kid }
}

function seconds(): number {
  return Math.floor(Date.now() / 1000)
}

/** The claims of a list of revocations. */
function listClaims(changes: Record<string, unknown> = {}): JWTPayload {
  const iat = seconds()
  return { iss: LOGIN, iat, exp: iat + 60, since: 0, revoked: '', revoked_before: {}, ...changes }
}

/** The claims of an access token. */
function tokenClaims(changes: Record<string, unknown> = {}): JWTPayload {
  const iat = seconds()
  const ids = { sub: 'usr_1', sid: 'ses_1', jti: 'gnt_1.tok_1', client_id: 'web' }
  return { iss: LOGIN, aud: API, iat, exp: iat + 600, scope: 'openid', ...ids, ...changes }
}

/** A verifier of an issuer of our own. `feed` returns its list. */
async function ownIssuer({
  feed = async () => listClaims(),
  header = {},
  ...options
}: Partial<VerifierOptions> & {
  feed?: () => Promise<JWTPayload>
  header?: Partial<JWTHeaderParameters>
} = {}) {
  const issuer = await newIssuer()
  const fetch: Fetch = async (url) =>
    url.includes('jwks')
      ? Response.json(issuer.jwks)
      : new Response(await issuer.sign(await feed(), { typ: 'revocations+jwt', ...header }))
  const token = (claims?: Record<string, unknown>, changes = {}) =>
    issuer.sign(tokenClaims(claims), { typ: 'at+jwt', ...changes })
  return { ...issuer, token, verifier: create({ fetch, ...options }) }
}

describe('createVerifier', () => {
  it('accepts an access token of a request or as text, and returns its claims', async () => {
    const { token, userId } = await newUser()
    const verifier = createVerifier<{ tenant?: string }>({
      issuer: `${LOGIN}/`,
      audience: API,
      fetch: fetchLogin,
    })
    const headers = { Authorization: `bearer ${token}` }

    const verified = await verifier.verify(new Request(API, { headers }))

    expect(verified).toMatchObject({
      userId,
      clientId: 'web',
      scopes: ['openid', 'profile', 'offline_access'],
    })
    expect(verified.claims).toEqual(decodeJwt(token))
    expectTypeOf(verified.claims.tenant).toEqualTypeOf<string | undefined>()
    expect(await verifier.verify(token)).toEqual(verified)
    expect(await verifier.verify({ headers: { authorization: headers.Authorization } })).toEqual(
      verified,
    )
  })

  it('accepts the token of a machine, which has no user', async () => {
    const { token, api, machine } = await issueToken()
    const verifier = create({ audience: api.identifier })

    expect(await verifier.verify(token)).toMatchObject({
      userId: undefined,
      clientId: machine.clientId,
    })
  })

  it('[F5] accepts session tokens if they are what it expects, and nothing else', async () => {
    const { browser, session, token, tokens } = await newUser()
    const path = '/api/auth/session?client_id=shop'
    const { token: forShop } = await browser.json<{ token: string }>(path)
    const verifier = create({ audience: 'shop', token: 'session' })

    expect((await verifier.verify(forShop)).claims['token_use']).toBe('session')
    for (const rejected of [session, token, tokens.id_token ?? '']) {
      expect(await errorOf(verifier.verify(rejected))).toMatchObject({ code: 'invalid_token' })
    }
    expect((await errorOf(create({ audience: 'shop' }).verify(forShop))).message).toBe(
      'The token is no access token.',
    )
  })

  it('[F5] accepts access tokens and session tokens if both are listed, and no ID tokens', async () => {
    const { browser, token, tokens } = await newUser()
    const path = '/api/auth/session?client_id=shop'
    const { token: session } = await browser.json<{ token: string }>(path)
    const verifier = create({ audience: [API, 'shop'], token: ['access', 'session'] })

    expect((await verifier.verify(token)).clientId).toBe('web')
    expect((await verifier.verify(session)).claims['token_use']).toBe('session')
    expect((await errorOf(verifier.verify(tokens.id_token ?? ''))).code).toBe('invalid_token')
    const others = create({ audience: [API, 'web'], token: ['access', 'session'] })
    expect((await errorOf(others.verify(session))).message).toBe('The token is not for this API.')
    expect((await errorOf(others.verify(tokens.id_token ?? ''))).code).toBe('invalid_token')
  })

  it('[E1] accepts each kind of token only with its own algorithm', async () => {
    const rsa = await newIssuer('RS256')
    const ec = await newIssuer()
    const verifier = create({
      audience: API,
      token: ['access', 'session'],
      algorithm: 'RS256',
      fetch: async (url) =>
        url.includes('jwks')
          ? Response.json({ keys: [...rsa.jwks.keys, ...ec.jwks.keys] })
          : Response.error(),
    })
    const session = tokenClaims({ token_use: 'session' })

    expect(await verifier.verify(await rsa.sign(tokenClaims(), { typ: 'at+jwt' }))).toBeDefined()
    expect(await verifier.verify(await ec.sign(session, { typ: 'JWT' }))).toBeDefined()
    for (const token of [
      await ec.sign(tokenClaims(), { typ: 'at+jwt' }),
      await rsa.sign(session, { typ: 'JWT' }),
    ]) {
      expect((await errorOf(verifier.verify(token))).message).toBe(
        'The token is no access or session token.',
      )
    }
  })

  it.each(['', LOGIN, [], undefined as never])('rejects the audience %o', (audience) => {
    expect(() => create({ audience })).toThrow('audience must be this API')
  })

  it.each([
    undefined as never,
    '',
    'login.example',
    'localhost:8787',
    `${LOGIN}/.well-known/openid-configuration`,
  ])('rejects the issuer %o, and says what it must be', (issuer) => {
    expect(() => create({ issuer })).toThrow(
      `issuer must be the AUTH_URL of the login service, such as https://login.example.com. It is ${issuer}.`,
    )
  })

  it.each(['http://login.example', 'http://10.0.0.3:8787', 'http://localhost.example'])(
    'rejects the issuer %s, because only that of this computer may be without https [T1]',
    (issuer) => {
      expect(() => create({ issuer })).toThrow(
        `issuer must begin with https://, except on localhost. It is ${issuer}.`,
      )
    },
  )

  it.each(['http://localhost:8787', 'http://login.localhost:8787', 'http://127.0.0.1:8787'])(
    'accepts the issuer %s of this computer',
    (issuer) => {
      expect(create({ issuer }).metadata.authorization_servers).toEqual([issuer])
    },
  )

  it.each<[string, () => Promise<string>]>([
    ['[F5] an ID token', async () => (await newUser()).tokens.id_token ?? ''],
    ['[E3] a session token', async () => (await newUser()).session],
    [
      '[F6] a token for another API',
      async () => {
        const { browser } = await signInNewUser()
        const resource = 'https://stock.example'
        return (await new RelyingApp().tokens(browser, { resource })).access_token
      },
    ],
    [
      '[E3] the list of revocations',
      // The newest entries only: the whole list may be longer than any token.
      async () => {
        const since = Math.floor(Date.now() / 1000)
        return (await fetchLogin(`${LOGIN}/.well-known/revocations?since=${since}`, {})).text()
      },
    ],
  ])('rejects %s', async (_, issue) => {
    const error = await errorOf(create().verify(await issue()))

    expect(error).toMatchObject({ status: 401, code: 'invalid_token' })
    expect(error.headers['WWW-Authenticate']).toMatch(
      /^Bearer error="invalid_token", error_description="[^"]+"$/,
    )
  })

  it.each<[string, Record<string, unknown>, object]>([
    ['[F6] of another issuer', { iss: 'https://evil.example' }, {}],
    ['[F6] whose audience only begins like this API', { aud: `${API}/admin` }, {}],
    ['[F6] with an empty list of audiences', { aud: [] }, {}],
    ['[F6] that has expired', { exp: 1 }, {}],
    ['without exp', { exp: undefined }, {}],
    ['without iat', { iat: undefined }, {}],
    ['[E9] whose iat is a text', { iat: '1' }, {}],
    ['that is not valid yet', { nbf: 9_999_999_999 }, {}],
    ['[E3][F5] of the type JWT without token_use', {}, { typ: 'JWT' }],
    ['[E3] of the type revocations+jwt', {}, { typ: 'revocations+jwt' }],
    ['[E3] of the type logout+jwt', { token_use: 'access' }, { typ: 'logout+jwt' }],
    ['[E3] without a type', { token_use: 'access' }, { typ: undefined }],
    ['that does not name its key', {}, { kid: undefined }],
    ['[E2] with a key of its own', {}, { kid: 'other', jwk: { kty: 'EC' } }],
  ])('rejects a token %s', async (_, claims, header) => {
    const { verifier, token } = await ownIssuer()
    expect(await verifier.verify(await token())).toBeDefined()

    expect(await errorOf(verifier.verify(await token(claims, header)))).toMatchObject({
      code: 'invalid_token',
    })
  })

  it.each([
    [4, true],
    [5, false],
  ])('tolerates clocks that differ by less than five seconds: %i s', async (age, isAccepted) => {
    stopClock()
    const { verifier, token } = await ownIssuer()
    const result = verifier.verify(await token({ exp: seconds() - age }))

    if (isAccepted) expect(await result).toBeDefined()
    else expect((await errorOf(result)).message).toBe('The token has expired.')
  })

  it('logs the issuer of a token of another login service, once a minute', async () => {
    stopClock()
    const { verifier } = await ownIssuer()
    const foreign = await newIssuer()
    const reject = async (iss: unknown) =>
      errorOf(verifier.verify(await foreign.sign(tokenClaims({ iss }), { typ: 'at+jwt' })))
    const line = (iss: string) =>
      `vestibule-auth: a token was rejected, because its issuer is ${iss}, not ${LOGIN}`
    const logged = logLines.length

    const error = await reject('https://other.example')
    await reject('https://third.example')
    advanceClock(MINUTE)
    await reject(`\n${'x'.repeat(5000)}`)
    advanceClock(MINUTE)
    await reject(LOGIN)

    expect(error.message).toBe('The token is not from the login service of this API.')
    expect(JSON.stringify([error.body, error.headers])).not.toContain('other.example')
    expect(logLines.slice(logged)).toEqual([
      line('"https://other.example"'),
      line(`"\\n${'x'.repeat(197)}`),
    ])
  })

  const REQUEST =
    'To get one for this API, add it to resources of the client, and to audiences of createClient or createServer, or to the request as resource.'

  it.each<[string, Record<string, unknown>, string, string | undefined, string]>([
    [
      'an access token for another API',
      { aud: ['https://stock.example', 'ISSUER'] },
      'at+jwt',
      'The token is not for this API.',
      `It is the access token for https://stock.example, and this API accepts access tokens for ${API}. To accept it, set token: 'access', audience: 'https://stock.example'. ${REQUEST}`,
    ],
    [
      'an access token for no API',
      { aud: 'ISSUER' },
      'at+jwt',
      'The token is not for this API.',
      `It is the access token for ISSUER, and this API accepts access tokens for ${API}. ${REQUEST}`,
    ],
    [
      'a session token',
      { aud: 'shop', token_use: 'session' },
      'JWT',
      'The token is not for this API.',
      `It is the session token for shop, and this API accepts access tokens for ${API}. To accept it, set token: 'session', audience: 'shop'.`,
    ],
    [
      'a session token for the audience of the API',
      { token_use: 'session' },
      'JWT',
      'The token is no access token.',
      `It is the session token for ${API}, and this API accepts access tokens for ${API}. To accept it, set token: 'session', audience: '${API}'.`,
    ],
    [
      'an ID token',
      {},
      'JWT',
      'The token is no access token.',
      'It is an ID token, or another one that is not for APIs: send an access token.',
    ],
    [
      'a token that has expired by the clock of the API',
      { exp: 1_000_000_000 },
      'at+jwt',
      undefined,
      'It expired at 2001-09-09T01:46:40.000Z, and this computer has NOW.',
    ],
  ])(
    'logs why it rejects %s, once a minute, in development with the values and the remedy',
    async (_token, claims, typ, production, development) => {
      stopClock()
      const linesOf = async (issuer: string) => {
        const feed = async () => listClaims({ iss: issuer })
        const { verifier, token } = await ownIssuer({ issuer, feed })
        const text = JSON.stringify({ iss: issuer, ...claims }).replaceAll('ISSUER', issuer)
        const rejected = await token(JSON.parse(text), { typ })
        const logged = logLines.length
        const { message } = await errorOf(verifier.verify(rejected))
        await errorOf(verifier.verify(rejected))
        return { message, lines: logLines.slice(logged) }
      }
      const prefix = 'vestibule-auth: a token was rejected: '
      const local = await linesOf('http://localhost:8787')
      const detail = development
        .replaceAll('ISSUER', 'http://localhost:8787')
        .replace('NOW', new Date().toISOString())

      expect(local.lines).toEqual([`${prefix}${local.message} ${detail}`])
      expect((await linesOf(LOGIN)).lines).toEqual(production ? [prefix + production] : [])
    },
  )

  it.each(['undefined', 'null', '[object Object]', '[object Promise]'])(
    'says that an app has sent %s instead of a token',
    async (text) => {
      const headers = { Authorization: `Bearer ${text}` }

      expect(await errorOf(create().verify(new Request(API, { headers })))).toMatchObject({
        status: 401,
        message: `The app has sent ${text} instead of a token: it has none, or did not await it.`,
      })
    },
  )

  it('rejects an option or a requirement that it does not know', async () => {
    const misspelled = { require: true } as DpopOptions
    expect(() => create({ dpop: misspelled })).toThrow('There is no option require.')
    const { token } = await newUser()
    const requirements = { scope: ['orders:write'] } as object
    await expect(create().verify(token, requirements)).rejects.toThrow('There is no option scope.')
    expect(() => create({ audiences: [API] } as Partial<VerifierOptions>)).toThrow(
      'There is no option audiences. The options are issuer, audience, token, algorithm, scopes, revocations, metadata, dpop, interval, fetch.',
    )
  })

  it('[E1] rejects another algorithm than its own: none, HS256 with the public key, RS256', async () => {
    const { verifier, jwks, kid } = await ownIssuer()
    const secret = new TextEncoder().encode(JSON.stringify(jwks.keys[0]))
    const header = { alg: 'HS256', typ: 'at+jwt', kid }
    const symmetric = await new SignJWT(tokenClaims()).setProtectedHeader(header).sign(secret)
    const rsa = await newIssuer('RS256')
    jwks.keys.push(...rsa.jwks.keys)

    for (const token of [
      unsignedJwt(tokenClaims(), { alg: 'none', typ: 'at+jwt', kid }),
      symmetric,
      await rsa.sign(tokenClaims(), { typ: 'at+jwt' }),
    ]) {
      expect(await errorOf(verifier.verify(token))).toMatchObject({ code: 'invalid_token' })
    }
    const accepting = create({
      algorithm: 'RS256',
      fetch: async (url) => (url.includes('jwks') ? Response.json(rsa.jwks) : Response.error()),
    })
    expect(await accepting.verify(await rsa.sign(tokenClaims(), { typ: 'at+jwt' }))).toBeDefined()
  })

  it('accepts a list of audiences that contains this API, and the type application/at+jwt', async () => {
    const { verifier, token } = await ownIssuer()

    expect(await verifier.verify(await token({ aud: [LOGIN, API] }))).toBeDefined()
    expect(await verifier.verify(await token({}, { typ: 'application/at+jwt' }))).toBeDefined()
  })

  it.each([
    [undefined, 401, 'Bearer'],
    ['Basic d2ViOnNlY3JldA==', 401, 'Bearer'],
    ['Bearer', 401, 'Bearer'],
    [
      'Bearer two tokens',
      400,
      'Bearer error="invalid_request", error_description="The token is malformed."',
    ],
    [
      `Bearer ${'a'.repeat(8193)}`,
      400,
      'Bearer error="invalid_request", error_description="The token is malformed."',
    ],
    [
      'Bearer a.b.c',
      401,
      'Bearer error="invalid_token", error_description="The token is invalid."',
    ],
  ])(
    'responds to the header %s with %i (RFC 6750 §3)',
    async (authorization, status, challenge) => {
      const { verifier } = await ownIssuer()

      const error = await errorOf(verifier.verify({ headers: { authorization } }))

      expect(error.status).toBe(status)
      expect(error.headers).toEqual({ 'WWW-Authenticate': challenge })
    },
  )

  it('requires scopes, of all tokens and of a route', async () => {
    const { verifier, token } = await ownIssuer({ scopes: ['openid'] })
    const orders = await token({ scope: 'openid orders:read' })

    expect(await verifier.verify(orders, { scopes: ['orders:read'] })).toBeDefined()
    const error = await errorOf(verifier.verify(orders, { scopes: ['orders:write'] }))
    expect(error.status).toBe(403)
    expect(error.headers['WWW-Authenticate']).toBe(
      'Bearer error="insufficient_scope", error_description="The token does not have the required scopes.", scope="openid orders:write"',
    )
    expect(await errorOf(verifier.verify(await token({ scope: 'open' })))).toMatchObject({
      status: 403,
    })
  })

  it.each<[JWTPayload, boolean]>([
    [{ acr: 'phr', auth_time: seconds() }, true],
    [{ acr: 'federated', auth_time: seconds() }, false],
    [{ acr: 'phr', auth_time: seconds() - 400 }, false],
    [{ auth_time: seconds() }, false],
    [{ acr: 'phr' }, false],
  ])('requires a recent sign-in with a passkey (RFC 9470): %o', async (claims, isAccepted) => {
    const { verifier, token } = await ownIssuer()
    const result = verifier.verify(await token(claims), { acr: ['phr'], maxAge: 300 })

    if (isAccepted) return expect(await result).toBeDefined()
    expect((await errorOf(result)).headers['WWW-Authenticate']).toBe(
      'Bearer error="insufficient_user_authentication", error_description="The user must sign in again.", acr_values="phr", max_age="300"',
    )
  })

  it.each([
    [305, true],
    [306, false],
  ])('tolerates clocks that differ by five seconds in maxAge: %i s', async (age, isAccepted) => {
    stopClock()
    const { verifier, token } = await ownIssuer()
    const result = verifier.verify(await token({ auth_time: seconds() - age }), { maxAge: 300 })

    if (isAccepted) expect(await result).toBeDefined()
    else expect((await errorOf(result)).code).toBe('insufficient_user_authentication')
  })

  it.each<[Record<string, unknown>, boolean]>([
    [{ tenant: 'acme', roles: ['reader', 'editor'] }, true],
    [{ tenant: 'acme', roles: 'editor' }, true],
    [{ tenant: 'acme', roles: ['editors'] }, false],
    [{ tenant: 'acme', roles: [['editor']] }, false],
    [{ tenant: 'other', roles: ['editor'] }, false],
    [{ roles: ['editor'] }, false],
  ])('requires claims: %o', async (claims, isAccepted) => {
    const { verifier, token } = await ownIssuer()
    const required = { tenant: 'acme', roles: 'editor' }
    const result = verifier.verify(await token(claims), { claims: required })

    if (isAccepted) return expect(await result).toBeDefined()
    const error = await errorOf(result)
    expect(error).toMatchObject({ status: 403, code: 'forbidden', headers: {} })
    expect(error.message).toMatch(
      /^The token does not have the required value of (tenant|roles)\.$/,
    )
  })

  it('accepts no token if the value of a required claim is undefined', async () => {
    const { verifier, token } = await ownIssuer()
    // As in JavaScript, where nothing reports that a setting is missing.
    const settings: Record<string, string> = {}
    const required = { tenant: settings['TENANT'] as string }

    const error = await errorOf(verifier.verify(await token(), { claims: required }))

    expect(error).toMatchObject({ status: 403, code: 'forbidden' })
  })

  it('names the required scopes and the metadata of the API in every challenge (RFC 6750 §3, RFC 9728 §5.1)', async () => {
    const audience = `${API}/v1/`
    const { verifier } = await ownIssuer({
      audience,
      scopes: ['orders:read'],
      metadata: { resource_name: 'Orders' },
    })
    const url = `${API}/.well-known/oauth-protected-resource/v1`

    expect((await errorOf(verifier.verify('a.b.c'))).headers['WWW-Authenticate']).toContain(
      `, scope="orders:read", resource_metadata="${url}"`,
    )
    const requirements = { scopes: ['orders:write'] }
    const missing = await errorOf(verifier.verify({ headers: {} }, requirements))
    expect(missing.headers['WWW-Authenticate']).toBe(
      `Bearer scope="orders:read orders:write", resource_metadata="${url}"`,
    )
    expect(verifier.metadataPath).toBe('/.well-known/oauth-protected-resource/v1')
    expect(verifier.metadata).toEqual({
      resource: audience,
      authorization_servers: [LOGIN],
      bearer_methods_supported: ['header'],
      scopes_supported: ['orders:read'],
      resource_name: 'Orders',
    })
  })
})

describe('the middleware of a verifier', () => {
  it('for Hono passes the token on, or responds with the error', async () => {
    const { verifier, token } = await ownIssuer()
    const app = new Hono()
      .get('/', verifier.hono(), (c) => c.json(verifier.tokenOf(c).userId))
      .get('/stock', verifier.hono({ scopes: ['stock:read'] }), (c) => c.text('not reached'))
      .get('/tenant', verifier.hono({ claims: { tenant: 'acme' } }), (c) => c.text('not reached'))
      .get('/unchecked', (c) => c.json(verifier.tokenOf(c).userId))
    const headers = { Authorization: `Bearer ${await token()}` }

    expect(await (await app.request('/', { headers })).json()).toBe('usr_1')
    expect((await app.request('/tenant', { headers })).status).toBe(403)
    expect((await app.request('/unchecked', { headers })).status).toBe(500)
    const rejected = await app.request('/stock', { headers })
    expect(rejected.status).toBe(403)
    expect(rejected.headers.get('WWW-Authenticate')).toContain('scope="stock:read"')
    expect(await rejected.json()).toEqual({
      error: 'insufficient_scope',
      error_description: 'The token does not have the required scopes.',
    })
  })

  it('for Hono keeps the token if other middleware replaces the request', async () => {
    const { verifier, token } = await ownIssuer()
    const app = new Hono<{ Variables: { token: VerifiedToken } }>()
      .use(verifier.hono())
      .use((c, next) => {
        c.req.raw = new Request(c.req.raw)
        return next()
      })
      .get('/', (c) => c.json([verifier.tokenOf(c).userId, c.get('token').userId]))
    const headers = { Authorization: `Bearer ${await token()}` }

    expect(await (await app.request('/', { headers })).json()).toEqual(['usr_1', 'usr_1'])
  })

  it('for fetch handlers passes the token and further arguments on, or responds with the error', async () => {
    const { verifier, token } = await ownIssuer()
    const handle = verifier.handler(
      (_request, { userId }, greeting: string) => new Response(`${greeting} ${userId}`),
      { scopes: ['openid'] },
    )
    const headers = { Authorization: `Bearer ${await token()}` }

    expect(await (await handle(new Request(API, { headers }), 'Hello')).text()).toBe('Hello usr_1')
    expect((await handle(new Request(API), 'Hello')).status).toBe(401)
  })

  it('for Express and Fastify passes the token on, without a response', async () => {
    const { verifier, token } = await ownIssuer()
    const newRequest = async () => ({ headers: { authorization: `Bearer ${await token()}` } })
    const [ofExpress, ofFastify] = [await newRequest(), await newRequest()]
    const respond = () => expect.fail('responded')

    const error = await new Promise((next) =>
      verifier.express({ scopes: ['openid'] })(ofExpress, { status: respond }, next),
    )
    const result = await verifier.fastify({ scopes: ['openid'] })(ofFastify, { code: respond })

    expect([error, result]).toEqual([undefined, undefined])
    for (const request of [ofExpress, ofFastify]) {
      expect(verifier.tokenOf(request).userId).toBe('usr_1')
    }
  })

  it('has no token of a request that it did not check', async () => {
    const { verifier } = await ownIssuer()

    expect(() => verifier.tokenOf(new Request(API))).toThrow('was not verified')
  })
})

describe('the keys of a verifier', () => {
  it('[E11] are looked up once a minute for unknown keys', async () => {
    const { token } = await newUser()
    const { fetch, requests } = loginWith((_, response) => response())
    const verifier = create({ fetch })
    await verifier.verify(token)
    const { token: foreign } = await ownIssuer()
    stopClock()
    const count = () => requests.filter((path) => path === 'jwks.json').length
    expect(count()).toBe(1)

    for (let index = 0; index < 20; index++) await errorOf(verifier.verify(await foreign()))
    expect(count()).toBe(2)
    advanceClock(60)
    await errorOf(verifier.verify(await foreign()))
    expect(count()).toBe(3)
  })

  it('are fetched once for requests that arrive together', async () => {
    const { token } = await newUser()
    const { fetch, requests } = loginWith((_, response) => response())
    const verifier = create({ fetch })

    await Promise.all(Array.from({ length: 20 }, () => verifier.verify(token)))

    expect(requests.sort()).toEqual(['jwks.json', 'revocations'])
  })

  it('are used for as long as the login service is unavailable', async () => {
    stopClock()
    let isDown = false
    const login = await newIssuer()
    const verifier = create({
      fetch: async (url) => {
        if (isDown) throw new TypeError('fetch failed')
        return url.includes('jwks')
          ? Response.json(login.jwks)
          : new Response(await login.sign(listClaims(), { typ: 'revocations+jwt' }))
      },
    })
    const issue = () => login.sign(tokenClaims(), { typ: 'at+jwt' })
    await verifier.verify(await issue())
    isDown = true

    for (const hours of [1, 24]) {
      advanceClock(hours * 3600)
      expect(await verifier.verify(await issue())).toBeDefined()
    }
  })

  it('are forgotten after five minutes if the login service no longer publishes them', async () => {
    stopClock()
    const [former, next] = [await newIssuer(), await newIssuer()]
    let jwks = former.jwks
    const verifier = create({
      fetch: async () => Response.json(jwks),
    })
    const token = await former.sign(
      { ...tokenClaims(), exp: Date.now() / 1000 + HOUR },
      { typ: 'at+jwt' },
    )
    await verifier.verify(token)
    jwks = next.jwks

    advanceClock(5 * MINUTE - 1)
    expect(await verifier.verify(token)).toBeDefined()
    advanceClock(1)
    expect(await errorOf(verifier.verify(token))).toMatchObject({ status: 401 })
  })

  it('that could never be fetched lead to 503, not 401', async () => {
    const { token } = await newUser()
    const verifier = create({ fetch: () => Promise.reject(new TypeError('fetch failed')) })

    const error = await errorOf(verifier.verify(token))

    expect(error).toMatchObject({ status: 503, headers: { 'Retry-After': '5' } })
    expect(error.headers['WWW-Authenticate']).toBeUndefined()
  })

  it('that could not be fetched are requested again after five seconds', async () => {
    stopClock()
    let isDown = true
    let requests = 0
    const login = await newIssuer()
    const verifier = create({
      fetch: async (url) => {
        if (!url.includes('jwks')) return Response.error()
        requests += 1
        return isDown ? Response.error() : Response.json(login.jwks)
      },
    })
    const token = await login.sign(tokenClaims(), { typ: 'at+jwt' })
    await errorOf(verifier.verify(token))
    isDown = false

    advanceClock(4)
    await errorOf(verifier.verify(token))
    expect(requests).toBe(1)
    advanceClock(1)

    expect(await verifier.verify(token)).toBeDefined()
  })

  it('that cannot be fetched are reported with their URL and the cause, once a minute', async () => {
    stopClock()
    const failure = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })
    const verifier = create({ fetch: () => Promise.reject(failure) })
    const url = `${LOGIN}/.well-known/jwks.json`
    const token = await (await newIssuer()).sign(tokenClaims(), { typ: 'at+jwt' })
    const logged = logLines.length

    const error = await errorOf(verifier.verify(token))
    advanceClock(59)
    await errorOf(verifier.verify(token))

    expect([error.status, error.cause]).toEqual([503, failure])
    expect(error.message).toBe(`The keys of the login service cannot be read at ${url}.`)
    const lines = [
      `vestibule-auth: the keys of the login service cannot be read at ${url}: fetch failed: connect ECONNREFUSED`,
      `vestibule-auth: revocations cannot be read at ${LOGIN}/.well-known/revocations: fetch failed: connect ECONNREFUSED`,
    ]
    expect(logLines.slice(logged).sort()).toEqual(lines.toSorted())
    advanceClock(6)
    await errorOf(verifier.verify(token))
    expect(logLines.slice(logged)).toHaveLength(4)
  })
})

describe('a login service that does not respond', () => {
  /** An issuer that stops responding when `hang` is called. */
  async function hangingIssuer(options: Partial<VerifierOptions> = {}) {
    const issuer = await newIssuer()
    let isHanging = false
    const fetch: Fetch = async (url, { signal } = {}) => {
      if (isHanging) {
        await new Promise((_, reject) =>
          signal?.addEventListener('abort', () => reject(signal.reason)),
        )
      }
      return url.includes('jwks')
        ? Response.json(issuer.jwks)
        : new Response(await issuer.sign(listClaims(), { typ: 'revocations+jwt' }))
    }
    const hang = () => {
      isHanging = true
    }
    return { ...issuer, hang, verifier: create({ fetch, ...options }) }
  }

  async function secondsFor(act: () => Promise<unknown>): Promise<number> {
    const start = performance.now()
    await act()
    return (performance.now() - start) / 1000
  }

  it('costs an API without keys one timeout of three seconds, and then none for a while', async () => {
    const { verifier, sign, hang } = await hangingIssuer()
    const token = await sign(tokenClaims(), { typ: 'at+jwt' })
    hang()
    const verify = async () =>
      expect(await errorOf(verifier.verify(token))).toMatchObject({ status: 503 })

    expect(await secondsFor(() => Promise.all([verify(), verify()]))).toBeLessThan(4)
    expect(await secondsFor(verify)).toBeLessThan(1)
  })

  it('[Q6] delays requests only once if the request that waited for it was cancelled', async () => {
    stopClock()
    const issuer = await newIssuer()
    let isCancelled = true
    // In a Worker, nothing that a cancelled request has started ever ends.
    const fetch: Fetch = (url) => {
      if (isCancelled) return new Promise(() => {})
      return Promise.resolve(url.includes('jwks') ? Response.json(issuer.jwks) : Response.error())
    }
    const verifier = create({ fetch })
    const token = await issuer.sign(tokenClaims(), { typ: 'at+jwt' })
    await errorOf(verifier.verify(token))
    isCancelled = false

    advanceClock(10)

    expect(await verifier.verify(token)).toBeDefined()
  })

  it('costs a token with an unknown key one timeout', async () => {
    const { verifier, sign, hang } = await hangingIssuer({ interval: 1 })
    await verifier.verify(await sign(tokenClaims(), { typ: 'at+jwt' }))
    const foreign = await (await newIssuer()).sign(tokenClaims(), { typ: 'at+jwt' })
    hang()
    await new Promise((resolve) => setTimeout(resolve, 1_000)) // The list is read again.

    expect(await secondsFor(() => errorOf(verifier.verify(foreign)))).toBeLessThan(4)
  })
})

describe('the revocations of a verifier', () => {
  it('are read every ten seconds while tokens are verified, with what is new', async () => {
    const { token } = await newUser()
    const now = stopClock()
    const requests: string[] = []
    const service = serviceWith({})
    const verifier = create({
      fetch: (url, init) => {
        requests.push(url.replace(`${LOGIN}/.well-known/`, ''))
        return service(new Request(url, init))
      },
    })
    const lists = () => requests.filter((path) => path.startsWith('revocations'))

    for (let second = 0; second <= 20; second++) {
      await verifier.verify(token)
      advanceClock(1)
    }

    expect(lists()).toEqual([
      'revocations',
      `revocations?since=${now - 15}`,
      `revocations?since=${now - 5}`,
    ])
    advanceClock(600)
    await errorOf(verifier.verify(token))
    expect(lists().at(-1)).toBe('revocations')
  })

  it('reject a token at most ten seconds after the sign-out was published', async () => {
    const { token, browser } = await newUser()
    stopClock()
    const verifier = create()
    await verifier.verify(token)
    await browser.post('/api/auth/signout', {})

    await vi.waitFor(async () => {
      advanceClock(10)
      expect(await errorOf(verifier.verify(token))).toMatchObject({
        status: 401,
        message: 'The token was revoked.',
      })
    })
  })

  it('reject tokens a few seconds after each event, by the real clock', async () => {
    const [signedOut, deleted, withdrawn, untouched] = await Promise.all([
      newUser(),
      newUser(),
      newUserOfOtherCompany(),
      newUser(),
    ])
    const { token: machineToken, api, machine } = await issueToken()
    const tokens = [signedOut.token, deleted.token, withdrawn.token, machineToken]
    const verifier = create({ audience: [API, api.identifier], interval: 3 })
    const isAccepted = (token: string) =>
      verifier.verify(token).then(
        () => true,
        ({ message }: TokenError) => message !== 'The token was revoked.',
      )
    const accepted = () => Promise.all([...tokens, untouched.token].map(isAccepted))
    expect(await accepted()).toEqual([true, true, true, true, true])
    const start = performance.now()

    await signedOut.browser.post('/api/auth/signout', {})
    await deleted.browser.post('/account/delete', {})
    await withdrawn.browser.post('/account/consents', { client_id: 'native' })
    await clientStore.setDisabled(env, config, {
      id: machine.clientId,
      isDisabled: true,
      origin: ORIGIN,
    })

    const expected = [false, false, false, false, true]
    await vi.waitFor(async () => expect(await accepted()).toEqual(expected), { timeout: 15_000 })
    expect(performance.now() - start).toBeLessThan(15_000)
  })

  const sid = async (text: string) =>
    base64url.encode(
      new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).slice(
        0,
        8,
      ),
    )

  it.each<[string, () => Promise<JWTPayload>, boolean]>([
    ['the session', async () => ({ revoked: await sid('ses_1') }), true],
    ['the grant', async () => ({ revoked: await sid('gnt_1') }), true],
    ['another session', async () => ({ revoked: await sid('ses_2') }), false],
    [
      'the user, as of now',
      async () => ({ revoked_before: { [await sid('usr_1')]: seconds() } }),
      true,
    ],
    [
      'the user, until before',
      async () => ({ revoked_before: { [await sid('usr_1')]: seconds() - 1 } }),
      false,
    ],
    ['the client', async () => ({ revoked_before: { [await sid('web')]: seconds() } }), true],
    [
      'the key of the client, as of now',
      async () => ({ revoked_before: { [await sid('key_1')]: seconds() } }),
      true,
    ],
    [
      'a client with the name of an absent claim',
      async () => ({ revoked_before: { [await sid('undefined')]: seconds() } }),
      false,
    ],
  ])('with %s: the token is revoked: %s', async (_, list, isRevoked) => {
    stopClock()
    const claims = await list()
    const { verifier, token } = await ownIssuer({ feed: async () => listClaims(claims) })
    const result = verifier.verify(await token({ jti: 'gnt_1.tok_1.key_1' }))

    if (isRevoked) expect((await errorOf(result)).message).toBe('The token was revoked.')
    else expect(await result).toBeDefined()
  })

  it.each<[string, Record<string, unknown>, object]>([
    ['of another issuer', { iss: 'https://evil.example' }, {}],
    ['that has expired', { iat: seconds() - 200, exp: seconds() - 140 }, {}],
    ['without exp', { exp: undefined }, {}],
    ['of another type', {}, { typ: 'at+jwt' }],
    ['with an unknown key', {}, { kid: 'other' }],
    ['with less than was requested', { since: 1 }, {}],
    ['without entries', { revoked: undefined }, {}],
    ['with malformed digests', { revoked_before: { x: 1 } }, {}],
  ])(
    'are unknown if the list is one %s: accepted by default, or 503',
    async (_, claims, header) => {
      const feed = async () => listClaims(claims)
      const accepting = await ownIssuer({ feed, header })
      const rejecting = await ownIssuer({ feed, header, revocations: 'reject' })

      expect(await accepting.verifier.verify(await accepting.token())).toBeDefined()
      expect(await errorOf(rejecting.verifier.verify(await rejecting.token()))).toMatchObject({
        status: 503,
        message: 'It is not known which tokens were revoked.',
      })
    },
  )

  it('that have expired by the clock of the API are reported as such', async () => {
    stopClock()
    const list = listClaims({ exp: seconds() - 31 })
    const { verifier, token } = await ownIssuer({ feed: async () => list })
    const logged = logLines.length
    await verifier.verify(await token())

    expect(logLines.slice(logged).join()).toContain(
      'The list has expired. Is the clock of this computer right?',
    )
  })

  it('are read again once the clock of the API, which was ahead, is right', async () => {
    const now = stopClock()
    const list = listClaims()
    const { verifier, token, jwks } = await ownIssuer({ feed: async () => list })
    const ofUser = await token({ exp: now + 2 * HOUR })
    advanceClock(HOUR)
    await verifier.verify(ofUser)

    setClock(now)
    list['revoked'] = await sid('ses_1')
    const revoked = await errorOf(verifier.verify(ofUser))
    jwks.keys.splice(0)
    setClock(now + 5 * MINUTE)
    const withoutKey = await errorOf(verifier.verify(await token({ sid: 'ses_2' })))

    expect(revoked.message).toContain('revoked')
    expect(withoutKey.code).toBe('invalid_token')
  })

  it.each<[string, () => Response]>([
    ['too large', () => new Response(new Uint8Array(8 * 1024 * 1024 + 1))],
    [
      'a redirect',
      () => new Response(null, { status: 302, headers: { Location: 'https://evil.example' } }),
    ],
    ['not a JWT', () => new Response('<html>')],
    ['an error', () => new Response('', { status: 503 })],
  ])('are unknown if the response is %s', async (_, respond) => {
    const { token } = await newUser()
    const { fetch } = loginWith(async (path, response) =>
      path.endsWith('revocations') ? respond() : response(),
    )

    expect(await create({ fetch }).verify(token)).toBeDefined()
    const rejecting = create({ fetch, revocations: 'reject' })
    expect(await errorOf(rejecting.verify(token))).toMatchObject({ status: 503 })
  })

  it('are still read with what is new if the complete list cannot be read again', async () => {
    stopClock()
    const issuer = await newIssuer()
    let complete = async () => new Response(await list({}))
    let added: Record<string, unknown> = {}
    const list = (changes: Record<string, unknown>) =>
      issuer.sign(listClaims(changes), { typ: 'revocations+jwt' })
    const verifier = create({
      async fetch(url) {
        if (url.includes('jwks')) return Response.json(issuer.jwks)
        const since = Number(new URL(url).searchParams.get('since'))
        return since > 0 ? new Response(await list({ since, ...added })) : complete()
      },
    })
    const token = await issuer.sign(tokenClaims({ exp: seconds() + 3600 }), { typ: 'at+jwt' })
    await verifier.verify(token)

    complete = async () => new Response(new Uint8Array(8 * 1024 * 1024 + 1))
    advanceClock(600)
    await verifier.verify(token)
    added = { revoked: await sid('ses_1') }
    advanceClock(10)

    expect((await errorOf(verifier.verify(token))).message).toBe('The token was revoked.')
  })

  it('end with the next list if a client has got a key again', async () => {
    stopClock()
    const key = await sid('key_1')
    let list = listClaims({ revoked: key })
    const { verifier, token } = await ownIssuer({ feed: async () => list })
    const jti = 'gnt_1.tok_1.key_1'
    const former = await token({ jti })
    await errorOf(verifier.verify(former))

    advanceClock(10)
    list = listClaims({ since: 1, revoked_before: { [key]: seconds() - 1 } })

    expect(await verifier.verify(await token({ jti }))).toBeDefined()
    expect((await errorOf(verifier.verify(former))).message).toBe('The token was revoked.')
  })

  it('of a key stay known if an older list says that the client has got it again', async () => {
    stopClock()
    const key = await sid('key_1')
    let list = listClaims({ revoked: key, iat: seconds() + 5 })
    const { verifier, token } = await ownIssuer({ feed: async () => list })
    const jti = 'gnt_1.tok_1.key_1'
    await errorOf(verifier.verify(await token({ jti })))

    list = listClaims({ since: 1, revoked_before: { [key]: seconds() - 1 } })
    advanceClock(10)

    expect((await errorOf(verifier.verify(await token({ jti })))).message).toBe(
      'The token was revoked.',
    )
  })

  it('stay known when the login service becomes unavailable, or an older list is sent again', async () => {
    stopClock()
    const revoked = await sid('ses_1')
    const old = listClaims()
    let list = listClaims({ revoked, iat: seconds() + 5 })
    const { verifier, token } = await ownIssuer({ feed: async () => list })
    const ended = await token()
    await errorOf(verifier.verify(ended))

    list = old
    for (const wait of [10, 20]) {
      advanceClock(wait)
      expect((await errorOf(verifier.verify(ended))).message).toBe('The token was revoked.')
    }
  })

  it('are tolerated for half a minute by an API that rejects without them', async () => {
    stopClock()
    let isDown = false
    const { verifier, token } = await ownIssuer({
      revocations: 'reject',
      feed: async () => {
        if (isDown) throw new TypeError('fetch failed')
        return listClaims()
      },
    })
    await verifier.verify(await token())
    isDown = true

    advanceClock(29)
    expect(await verifier.verify(await token())).toBeDefined()
    advanceClock(2)
    expect(await errorOf(verifier.verify(await token()))).toMatchObject({
      status: 503,
      cause: new TypeError('fetch failed'),
    })
    isDown = false
    advanceClock(5)
    expect(await verifier.verify(await token())).toBeDefined()
  })

  it('are not known to an API that gets the same list again and again', async () => {
    stopClock()
    const list = listClaims()
    const { verifier, token } = await ownIssuer({ revocations: 'reject', feed: async () => list })
    await verifier.verify(await token())

    advanceClock(20)
    expect(await verifier.verify(await token())).toBeDefined()
    advanceClock(11)
    expect(await errorOf(verifier.verify(await token()))).toMatchObject({ status: 503 })
  })

  it('of a key: the former keys are forgotten when the list is signed with a new one', async () => {
    stopClock()
    let login = await newIssuer()
    const verifier = create({
      fetch: async (url) =>
        url.includes('jwks')
          ? Response.json(login.jwks)
          : new Response(await login.sign(listClaims(), { typ: 'revocations+jwt' })),
    })
    const former = await login.sign(tokenClaims(), { typ: 'at+jwt' })
    await verifier.verify(former)
    // Unknown keys have been looked up within this minute, as an attacker can arrange.
    await errorOf(verifier.verify(await (await newIssuer()).sign(tokenClaims(), { typ: 'at+jwt' })))
    login = await newIssuer()

    advanceClock(10)

    expect(await errorOf(verifier.verify(former))).toMatchObject({ code: 'invalid_token' })
    expect(await verifier.verify(await login.sign(tokenClaims(), { typ: 'at+jwt' }))).toBeDefined()
  })

  it('of the keys of the service: its tokens are rejected after ten seconds', async () => {
    stopClock()
    const keyring = env.KEYRING.get(env.KEYRING.newUniqueId())
    const KEYRING = { idFromName: () => 'any', get: () => keyring }
    const service = serviceWith({ KEYRING })
    const { browser } = await signInNewUser(new Browser(service))
    const session = async () =>
      (await browser.json<{ token: string }>('/api/auth/session?client_id=shop')).token
    const former = await session()
    const verifier = create({
      audience: 'shop',
      token: 'session',
      fetch: (url, init) => service(new Request(url, init)),
    })
    await verifier.verify(former)

    await keyring.rotate({ isRevocation: true, origin: { actor: 'client:ops' } })
    advanceClock(10)

    expect(await errorOf(verifier.verify(former))).toMatchObject({ code: 'invalid_token' })
    advanceClock(50)
    expect(await verifier.verify(await session())).toBeDefined()
  })
})
