import { createHash } from 'node:crypto'
import {
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  type JSONWebKeySet,
  jwtVerify,
  SignJWT,
} from 'jose'
import { type Connection, type HttpResponse, ORIGIN } from './connection.ts'
import { CPU_RATIO, CPU_RATIO_OF_SIGN_IN_STARTS, CPU_RATIO_OF_SIGN_INS } from './limits.ts'

/**
 * A worker to send requests to, and what it has issued so far: each job uses what earlier jobs
 * received.
 */
export interface Target {
  connection: Connection
  /** The codes with which the platform identified the users that signed in. */
  users: string[]
  /** Cookie headers of signed-in browsers. */
  sessions: string[]
  codes: string[]
  refreshTokens: string[]
  /** Those that are bound to a key. */
  boundRefreshTokens: string[]
  requestUris: string[]
  lastIdToken: string
}

export interface Job {
  name: string
  /**
   * The most CPU the service may use, as a multiple of the floor; undefined if the ratio is only
   * reported.
   */
  limit: number | undefined
  /**
   * How many repetitions are measured together. Short jobs need more, or the measurement is too
   * coarse.
   */
  repetitions: number
  /** Creates what the job needs. Not measured. */
  prepare?(target: Target, repetitions: number): Promise<void>
  run(target: Target, index: number): Promise<unknown>
}

const SLICE = 40

export const FIRST_SIGN_IN: Job = {
  name: 'full sign-in, new user',
  limit: CPU_RATIO_OF_SIGN_INS,
  repetitions: SLICE,
  run: (target) => signInNewUser(target),
}

/** In an order in which each job finds what it needs. */
export const JOBS: readonly Job[] = [
  { name: 'JWKS', limit: CPU_RATIO, repetitions: 4 * SLICE, run: fetchJwks },
  {
    name: 'discovery',
    limit: CPU_RATIO,
    repetitions: 4 * SLICE,
    run: fetchDiscovery,
  },
  {
    name: 'sign-in start',
    limit: CPU_RATIO_OF_SIGN_IN_STARTS,
    repetitions: 2 * SLICE,
    run: startSignIn,
  },
  FIRST_SIGN_IN,
  {
    name: 'full sign-in, returning user',
    limit: CPU_RATIO_OF_SIGN_INS,
    repetitions: SLICE,
    run: signInReturningUser,
  },
  { name: 'session', limit: CPU_RATIO, repetitions: 2 * SLICE, run: fetchSession },
  { name: 'session with JWT', limit: CPU_RATIO, repetitions: SLICE, run: fetchSessionWithToken },
  {
    name: 'authorize, signed in',
    limit: CPU_RATIO,
    repetitions: SLICE,
    run: (target, index) => authorize(target, index),
  },
  {
    name: 'code exchange',
    limit: CPU_RATIO,
    repetitions: SLICE,
    run: (target) => exchangeCode(target),
  },
  { name: 'refresh', limit: CPU_RATIO, repetitions: SLICE, run: refreshTokens },
  {
    // Dominated by the RSA signature, which is the same on both sides, so the ratio says little.
    name: 'code exchange, RS256',
    limit: undefined,
    repetitions: SLICE / 5,
    async prepare(target, repetitions) {
      for (let index = 0; index < repetitions; index++) await authorize(target, index, 'app-rs256')
    },
    run: (target) => exchangeCode(target, 'app-rs256'),
  },
  {
    name: 'code exchange with a proof',
    limit: CPU_RATIO,
    repetitions: SLICE,
    async prepare(target, repetitions) {
      for (let index = 0; index < repetitions; index++) await authorize(target, index)
    },
    run: exchangeCodeWithProof,
  },
  { name: 'refresh with a proof', limit: CPU_RATIO, repetitions: SLICE, run: refreshWithProof },
  // The floor neither validates these requests completely nor ensures that they are used once.
  { name: 'pushed request', limit: undefined, repetitions: SLICE, run: pushRequest },
  {
    name: 'authorize a pushed request',
    limit: undefined,
    repetitions: SLICE,
    run: authorizePushed,
  },
]

export function newTarget(connection: Connection): Target {
  return {
    connection,
    users: [],
    sessions: [],
    codes: [],
    refreshTokens: [],
    boundRefreshTokens: [],
    requestUris: [],
    lastIdToken: '',
  }
}

/** Every round starts without anything left over from the previous one. */
export function resetTarget(target: Target): void {
  target.users = []
  target.sessions = []
  target.codes = []
  target.refreshTokens = []
  target.boundRefreshTokens = []
  target.requestUris = []
}

/**
 * Verifies the last ID token against the JWKS of its issuer. A figure for a wrong response is
 * worthless.
 */
export async function verifyLastIdToken({ connection, lastIdToken }: Target): Promise<void> {
  const { body } = await connection.get('/.well-known/jwks.json')
  await jwtVerify(lastIdToken, createLocalJWKSet(JSON.parse(body) as JSONWebKeySet), {
    issuer: ORIGIN,
    audience: ['app', 'app-rs256'],
    // The last one that a release can issue may be that of the other client.
    algorithms: ['ES256', 'RS256'],
  })
}

/** The headers of a desktop browser that follows a link. */
const NAVIGATION = {
  Accept: 'text/html,application/xhtml+xml',
  'Accept-Language': 'en-GB,en;q=0.9',
  'Sec-Fetch-Mode': 'navigate',
  'Sec-Fetch-Site': 'same-origin',
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
}
const REDIRECT_URI = 'https://app.example/callback'
const VERIFIER = 'a-verifier-that-is-long-enough-to-be-taken-for-one'
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')

async function fetchJwks({ connection }: Target): Promise<void> {
  expectResponse(await connection.get('/.well-known/jwks.json'), 200, '"ES256"')
}

async function fetchDiscovery({ connection }: Target): Promise<void> {
  expectResponse(await connection.get('/.well-known/openid-configuration'), 200, '"issuer"')
}

/** The first request of a sign-in. */
export async function startSignIn({
  connection,
}: Target): Promise<{ cookie: string; state: string }> {
  const path = '/api/auth/signin/tiktok?callbackUrl=https%3A%2F%2Fapp.example%2Fcart'
  const response = await connection.get(path, NAVIGATION)
  expectResponse(response, 302)
  const state = new URL(locationHeader(response)).searchParams.get('state') ?? ''
  return { cookie: cookieHeader(response), state }
}

let usersCreated = 0

async function signInNewUser(target: Target): Promise<void> {
  const user = `code-of-user-${++usersCreated}`
  target.sessions.push(await signIn(target, user))
  target.users.push(user)
}

async function signInReturningUser(target: Target, index: number): Promise<void> {
  await signIn(target, target.users[index % target.users.length] ?? '')
}

/** From the button to the session, both requests together. Returns the session's cookie header. */
async function signIn(target: Target, user: string): Promise<string> {
  const { cookie, state } = await startSignIn(target)
  const query = new URLSearchParams({ code: user, state })
  const path = `/api/auth/callback/tiktok?${query}`
  const response = await target.connection.get(path, { ...NAVIGATION, Cookie: cookie })
  expectResponse(response, 302)
  return cookieHeader(response)
}

async function fetchSession(target: Target, index: number): Promise<void> {
  const response = await getSignedIn(target, '/api/auth/session?token=false', index)
  expectResponse(response, 200, '"user"')
}

async function fetchSessionWithToken(target: Target, index: number): Promise<void> {
  const response = await getSignedIn(target, '/api/auth/session', index)
  expectResponse(response, 200, '"token":"ey')
}

function getSignedIn(target: Target, path: string, index: number): Promise<HttpResponse> {
  const Cookie = target.sessions[index % target.sessions.length] ?? ''
  return target.connection.get(path, { ...NAVIGATION, Cookie })
}

const AUTHORIZATION_REQUEST = {
  redirect_uri: REDIRECT_URI,
  response_type: 'code',
  scope: 'openid profile offline_access',
  state: 'af0ifjsldkj',
  nonce: 'n-0S6_WzA2Mj',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
}

function authorize(target: Target, index: number, clientId = 'app'): Promise<void> {
  return requestCode(target, index, { client_id: clientId, ...AUTHORIZATION_REQUEST })
}

async function requestCode(
  target: Target,
  index: number,
  parameters: Record<string, string>,
): Promise<void> {
  const query = new URLSearchParams(parameters)
  const response = await getSignedIn(target, `/oidc/authorize?${query}`, index)
  expectResponse(response, 303)
  target.codes.push(new URL(locationHeader(response)).searchParams.get('code') ?? '')
}

async function pushRequest({ connection, requestUris }: Target): Promise<void> {
  const form = { client_id: 'app', ...AUTHORIZATION_REQUEST }
  const response = await connection.post('/oidc/par', form)
  expectResponse(response, 201, '"request_uri":"urn:')
  requestUris.push(JSON.parse(response.body).request_uri)
}

function authorizePushed(target: Target, index: number): Promise<void> {
  const request_uri = target.requestUris.pop() ?? ''
  return requestCode(target, index, { client_id: 'app', request_uri })
}

async function exchangeCode(target: Target, clientId = 'app'): Promise<void> {
  const response = await target.connection.post('/oidc/token', codeForm(target, clientId))
  target.refreshTokens.push(readTokens(target, response))
}

async function exchangeCodeWithProof(target: Target): Promise<void> {
  const headers = await createProof()
  const response = await target.connection.post('/oidc/token', codeForm(target, 'app'), headers)
  target.boundRefreshTokens.push(readTokens(target, response, 'DPoP'))
}

function codeForm(target: Target, clientId: string): Record<string, string> {
  return {
    grant_type: 'authorization_code',
    client_id: clientId,
    code: target.codes.pop() ?? '',
    redirect_uri: REDIRECT_URI,
    code_verifier: VERIFIER,
  }
}

const proofKey = await generateKeyPair('ES256')
const proofJwk = await exportJWK(proofKey.publicKey)

/** The proof of a key for the token endpoint (RFC 9449 §4.2), as a header. */
async function createProof(): Promise<{ DPoP: string }> {
  const claims = { htm: 'POST', htu: `${ORIGIN}/oidc/token`, jti: crypto.randomUUID() }
  const jwt = new SignJWT(claims)
    .setIssuedAt()
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: proofJwk })
  return { DPoP: await jwt.sign(proofKey.privateKey) }
}

async function refreshTokens(target: Target): Promise<void> {
  const form = refreshForm(target.refreshTokens.shift())
  const response = await target.connection.post('/oidc/token', form)
  target.refreshTokens.push(readTokens(target, response))
}

async function refreshWithProof(target: Target): Promise<void> {
  const form = refreshForm(target.boundRefreshTokens.shift())
  const response = await target.connection.post('/oidc/token', form, await createProof())
  target.boundRefreshTokens.push(readTokens(target, response, 'DPoP'))
}

function refreshForm(refresh_token = ''): Record<string, string> {
  return { grant_type: 'refresh_token', client_id: 'app', refresh_token }
}

/** Returns the refresh token. */
function readTokens(target: Target, response: HttpResponse, type = 'Bearer'): string {
  expectResponse(response, 200, `"token_type":"${type}"`)
  const { id_token, refresh_token } = JSON.parse(response.body) as Record<string, string>
  target.lastIdToken = id_token ?? ''
  return refresh_token ?? ''
}

function expectResponse(
  { status, body, headers }: HttpResponse,
  expected: number,
  text = '',
): void {
  if (status === expected && body.includes(text)) return
  const details = headers['location'] ?? body.slice(0, 500)
  throw new Error(`Received status ${status} instead of ${expected}: ${details}`)
}

function locationHeader({ headers }: HttpResponse): string {
  return String(headers['location'])
}

/** The Cookie header a browser sends after this response. */
function cookieHeader({ headers }: HttpResponse): string {
  const set = [headers['set-cookie'] ?? []].flat().filter((cookie) => !/Max-Age=0/i.test(cookie))
  return set.map((cookie) => cookie.split(';')[0]).join('; ')
}
