import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { FIXTURES } from '../providers/fixtures/all.ts'
import { AUTH_JS_ENDPOINTS } from '../providers/fixtures/auth-js.ts'
import {
  ACCESS_TOKEN,
  ATTEMPT_SECRETS,
  AUTH_JS_CODE,
  AUTH_JS_TOKEN,
  CODE,
  CREDENTIALS,
  EMAIL,
  FAILING_CODE,
  type Fixture,
  type OAuth2Fixture,
  type OidcFixture,
} from '../providers/fixtures/fixture.ts'

type Handler = (request: Request) => Response | Promise<Response>

/** Returns the response of a provider of the catalogue, or nothing if none has this address. */
export type Catalogue = (request: Request) => Response | Promise<Response> | undefined

const { publicKey, privateKey } = await generateKeyPair('RS256')
const JWKS = {
  keys: [{ ...(await exportJWK(publicKey)), kid: 'the-key', alg: 'RS256', use: 'sig' }],
}

/**
 * The endpoints of all providers of the catalogue, with the responses of their fixtures. Requests
 * that deviate from what the fixture describes are rejected, with the reason for the log.
 */
export function createCatalogue(): Catalogue {
  const handlers = new Map(
    Object.entries(FIXTURES).flatMap(([id, fixture]) => [
      ...(fixture.type === 'oauth' ? oauth2Handlers(id, fixture) : oidcHandlers(id, fixture)),
      ...authJsHandlers(id, fixture),
    ]),
  )
  return (request) => {
    const url = new URL(request.url)
    const handler = handlers.get(request.url) ?? handlers.get(url.origin + url.pathname)
    return handler?.(request)
  }
}

function oauth2Handlers(id: string, fixture: OAuth2Fixture): [string, Handler][] {
  const { token, profile } = fixture
  const requests = Object.entries(profile).map(([url, expected]): [string, Handler] => [
    url,
    async (request) => {
      if (await isOfAuthJs(request)) return Response.json(expected.response)
      const {
        method = 'GET',
        headers = { Authorization: `Bearer ${ACCESS_TOKEN}` },
        body = '',
        response,
      } = expected
      const wrong = Object.entries(headers).find(
        ([name, value]) => request.headers.get(name) !== value,
      )
      if (request.method !== method) return rejected(`The method is ${request.method}.`)
      if (wrong) return rejected(`The header ${wrong[0]} is ${request.headers.get(wrong[0])}.`)
      if ((await request.text()) !== body) return rejected('The content is another one.')
      return Response.json(response)
    },
  ])
  return [[token, (request) => issueTokens(id, fixture, request)], ...requests]
}

function oidcHandlers(id: string, fixture: OidcFixture): [string, Handler][] {
  const { issuer, auth = 'client_secret_post', userinfo } = fixture
  const base = issuer.replace(/\/$/, '')
  const { wellKnown = `${base}/.well-known/openid-configuration` } = fixture
  const metadata = {
    issuer,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    userinfo_endpoint: `${base}/userinfo`,
    jwks_uri: `${base}/keys`,
    token_endpoint_auth_methods_supported: [auth],
  }
  return [
    [wellKnown, () => Response.json(metadata)],
    [metadata.jwks_uri, () => Response.json(JWKS)],
    [metadata.token_endpoint, (request) => issueTokens(id, fixture, request)],
    [
      metadata.userinfo_endpoint,
      ({ headers }) => {
        const authorization = headers.get('Authorization')
        if (authorization === `Bearer ${AUTH_JS_TOKEN}`) return authJsUserinfo(fixture)
        return userinfo && authorization === `Bearer ${ACCESS_TOKEN}`
          ? Response.json(userinfo)
          : rejected('The userinfo endpoint is not used, or has no token.')
      },
    ],
  ]
}

/** The endpoints that Auth.js uses instead of ours. */
function authJsHandlers(id: string, fixture: Fixture): [string, Handler][] {
  const { metadata, token, profile } = AUTH_JS_ENDPOINTS[id] ?? {}
  const handlers: [string | undefined, Handler][] = [
    [
      metadata && `${metadata.issuer}/.well-known/openid-configuration`,
      () => Response.json(metadata),
    ],
    [token, (request) => issueTokens(id, fixture, request)],
    [profile?.url, () => Response.json(profile?.response ?? recordedProfile(fixture))],
  ]
  return handlers.flatMap(([url, handler]) => (url ? [[url, handler]] : []))
}

function recordedProfile(fixture: Fixture): unknown {
  if (fixture.type === 'oidc') return fixture.userinfo
  return Object.values(fixture.profile)[0]?.response
}

/** Requests of Auth.js send the token in the same place, but other headers or parameters. */
async function isOfAuthJs(request: Request): Promise<boolean> {
  const places = [request.headers.get('Authorization'), request.url, await request.clone().text()]
  return places.some((place) => place?.includes(AUTH_JS_TOKEN))
}

async function authJsUserinfo(fixture: OidcFixture): Promise<Response> {
  const claims = fixture.userinfo ?? fixture.idToken
  if (!fixture.issuer.includes('bankid')) return Response.json(claims)
  // BankID signs it.
  const jwt = await signIdToken({ ...fixture, idToken: claims })
  return new Response(jwt, { headers: { 'Content-Type': 'application/jwt' } })
}

/** The token endpoint (RFC 6749 §4.1.3). */
async function issueTokens(id: string, fixture: Fixture, request: Request): Promise<Response> {
  const params =
    request.method === 'GET'
      ? new URL(request.url).searchParams
      : new URLSearchParams(await request.text())
  if (fixture.type === 'oauth' && params.get('code') === FAILING_CODE && fixture.error) {
    return Response.json(fixture.error.body, { status: fixture.error.status })
  }
  if (params.get('code')?.startsWith(AUTH_JS_CODE)) {
    return issueTokensToAuthJs(id, fixture, request, params)
  }
  const expected = expectedParams(id, fixture)
  const names = new Set([...params.keys(), ...Object.keys(expected)])
  const wrong = Array.from(names).find((name) => params.get(name) !== (expected[name] ?? null))
  if (wrong) return rejected(`The parameter ${wrong} is ${params.get(wrong)}.`)
  const authorization = request.headers.get('Authorization')
  if (authorization !== expectedAuthorization(fixture)) {
    return rejected(`The client authenticates by ${authorization}.`)
  }
  return respondWithTokens(fixture)
}

/** Auth.js authenticates the client by other methods, and sends some parameters in the URL. */
async function issueTokensToAuthJs(
  id: string,
  fixture: Fixture,
  request: Request,
  params: URLSearchParams,
): Promise<Response> {
  const { metadata } = AUTH_JS_ENDPOINTS[id] ?? {}
  const sent = [...params.values(), ...new URL(request.url).searchParams.values()]
  const clientSecret = fixture.options?.clientSecret ?? CREDENTIALS.clientSecret
  const basic = request.headers.get('Authorization')?.replace('Basic ', '') ?? ''
  if (!sent.includes(clientSecret) && atob(basic) !== `${CREDENTIALS.clientId}:${clientSecret}`) {
    return rejected('The client does not authenticate.')
  }
  if (fixture.type === 'oidc') {
    const sendsNonce = params.get('code') !== AUTH_JS_CODE
    return respondWithTokens({ ...fixture, sendsNonce }, AUTH_JS_TOKEN)
  }
  if (!metadata) return respondWithTokens(fixture, AUTH_JS_TOKEN)
  // Signed with the client secret (OpenID Connect Core §10.1).
  const claims = { ...(recordedProfile(fixture) as object), email: EMAIL }
  const id_token = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(metadata.issuer)
    .setAudience(CREDENTIALS.clientId)
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(new TextEncoder().encode(clientSecret))
  return respondWithTokens({ ...fixture, tokens: { id_token } }, AUTH_JS_TOKEN)
}

async function respondWithTokens(fixture: Fixture, access_token = ACCESS_TOKEN): Promise<Response> {
  const lacking = fixture.type === 'oauth' ? (fixture.tokensLack ?? []) : []
  const tokens = Object.entries({
    access_token,
    token_type: 'Bearer',
    expires_in: 3600,
    refresh_token: 'the-refresh-token',
    ...(fixture.type === 'oidc' && { id_token: await signIdToken(fixture) }),
    ...fixture.tokens,
  })
  return Response.json(Object.fromEntries(tokens.filter(([name]) => !lacking.includes(name))))
}

function expectedParams(id: string, fixture: Fixture): Record<string, string> {
  const { usesPkce, auth, options } = fixture
  const { clientSecret = CREDENTIALS.clientSecret } = options ?? {}
  const [idName, secretName] = (fixture.type === 'oauth' && fixture.credentialNames) || [
    'client_id',
    'client_secret',
  ]
  const { device_id } = (fixture.type === 'oauth' && fixture.callback) || {}
  return {
    grant_type: 'authorization_code',
    code: CODE,
    redirect_uri: `https://login.example/api/auth/callback/${id}`,
    ...(usesPkce && { code_verifier: ATTEMPT_SECRETS.codeVerifier }),
    ...(auth === undefined && { [idName]: CREDENTIALS.clientId, [secretName]: clientSecret }),
    ...(device_id && { device_id, state: ATTEMPT_SECRETS.state }),
  }
}

function expectedAuthorization({ auth }: Fixture): string | null {
  if (auth === undefined) return null
  // Not encoded, for providers that do not decode it.
  return `Basic ${btoa(`${CREDENTIALS.clientId}:${CREDENTIALS.clientSecret}`)}`
}

function signIdToken({ issuer, idToken, sendsNonce }: OidcFixture): Promise<string> {
  return new SignJWT({ ...idToken, ...(sendsNonce && { nonce: ATTEMPT_SECRETS.nonce }) })
    .setProtectedHeader({ alg: 'RS256', kid: 'the-key' })
    .setIssuer(issuer)
    .setAudience(CREDENTIALS.clientId)
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(privateKey)
}

function rejected(error_description: string): Response {
  return Response.json({ error: 'invalid_request', error_description }, { status: 400 })
}
