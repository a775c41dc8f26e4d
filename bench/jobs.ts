import { createHash } from 'node:crypto'
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import type { Answer, Connection } from './connection.ts'

/** A worker under load, and what it has handed out: each job uses what those before it got. */
export interface Side {
  name: 'floor' | 'service'
  pid: number
  connection: Connection
  /** Cookie headers of browsers that are signed in. */
  sessions: string[]
  codes: string[]
  refreshTokens: string[]
  lastIdToken: string
}

export interface Job {
  name: string
  /** What the service may cost, as a multiple of the floor; none where the figure is only told. */
  bound: number | undefined
  /** How many make a slice: more of what is quick, so that it can be told apart at all. */
  times: number
  /** What has to be there first, and is not measured. */
  prepare?(side: Side, times: number): Promise<void>
  run(side: Side, index: number): Promise<unknown>
}

const SLICE = 40

/** In an order in which each finds what it needs. */
export const JOBS: readonly Job[] = [
  { name: 'JWKS', bound: 1.5, times: 4 * SLICE, run: readJwks },
  { name: 'discovery', bound: 1.5, times: 4 * SLICE, run: readDiscovery },
  { name: 'sign-in start', bound: 1.5, times: 2 * SLICE, run: startSignIn },
  { name: 'full sign-in', bound: 2, times: SLICE, run: signIn },
  { name: 'session', bound: 1.5, times: 2 * SLICE, run: readSession },
  { name: 'session with JWT', bound: 1.5, times: SLICE, run: readSessionWithToken },
  { name: 'authorize, signed in', bound: 1.5, times: SLICE, run: (side, i) => authorize(side, i) },
  { name: 'code exchange', bound: 1.5, times: SLICE, run: (side) => exchange(side) },
  { name: 'refresh', bound: 1.5, times: SLICE, run: refresh },
  {
    name: 'code exchange, RS256',
    bound: undefined,
    times: SLICE / 5,
    async prepare(side, times) {
      for (let index = 0; index < times; index++) await authorize(side, index, 'app-rs256')
    },
    run: (side) => exchange(side, 'app-rs256'),
  },
]

/** A round begins with nothing left over from the one before. */
export function forget(side: Side): void {
  side.sessions = []
  side.codes = []
  side.refreshTokens = []
}

/** The ID token that a side issued last, held against its keys: figures for wrong answers are worth nothing. */
export async function verifyLastIdToken({ connection, lastIdToken }: Side): Promise<void> {
  const { body } = await connection.get('/.well-known/jwks.json')
  await jwtVerify(lastIdToken, createLocalJWKSet(JSON.parse(body) as JSONWebKeySet), {
    issuer: 'https://login.example',
    audience: 'app-rs256',
    algorithms: ['RS256'],
  })
}

/** A browser on a desk, going from one page to the next. */
const PAGE = {
  Accept: 'text/html,application/xhtml+xml',
  'Accept-Language': 'en-GB,en;q=0.9',
  'Sec-Fetch-Mode': 'navigate',
  'Sec-Fetch-Site': 'same-origin',
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
}
const REDIRECT_URI = 'https://app.example/callback'
const VERIFIER = 'a-verifier-that-is-long-enough-to-be-taken-for-one'
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')

async function readJwks({ connection }: Side): Promise<void> {
  expect(await connection.get('/.well-known/jwks.json'), 200, '"ES256"')
}

async function readDiscovery({ connection }: Side): Promise<void> {
  expect(await connection.get('/.well-known/openid-configuration'), 200, '"issuer"')
}

async function startSignIn({ connection }: Side): Promise<{ cookie: string; state: string }> {
  const path = '/api/auth/signin/tiktok?callbackUrl=https%3A%2F%2Fapp.example%2Fcart'
  const answer = await connection.get(path, PAGE)
  expect(answer, 302)
  const state = new URL(locationOf(answer)).searchParams.get('state') ?? ''
  return { cookie: cookieOf(answer), state }
}

/** Each is somebody who has never been here. */
let people = 0

/** From the button to the session, both requests together. */
async function signIn(side: Side): Promise<void> {
  const { cookie, state } = await startSignIn(side)
  const query = new URLSearchParams({ code: `code-of-person-${++people}`, state })
  const path = `/api/auth/callback/tiktok?${query}`
  const answer = await side.connection.get(path, { ...PAGE, Cookie: cookie })
  expect(answer, 302)
  side.sessions.push(cookieOf(answer))
}

async function readSession(side: Side, index: number): Promise<void> {
  expect(await askSignedIn(side, '/api/auth/session?token=false', index), 200, '"user"')
}

async function readSessionWithToken(side: Side, index: number): Promise<void> {
  expect(await askSignedIn(side, '/api/auth/session', index), 200, '"token":"ey')
}

function askSignedIn(side: Side, path: string, index: number): Promise<Answer> {
  const Cookie = side.sessions[index % side.sessions.length] ?? ''
  return side.connection.get(path, { ...PAGE, Cookie })
}

async function authorize(side: Side, index: number, clientId = 'app'): Promise<void> {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: 'openid profile offline_access',
    state: 'af0ifjsldkj',
    nonce: 'n-0S6_WzA2Mj',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  })
  const answer = await askSignedIn(side, `/oidc/authorize?${query}`, index)
  expect(answer, 303)
  side.codes.push(new URL(locationOf(answer)).searchParams.get('code') ?? '')
}

async function exchange(side: Side, clientId = 'app'): Promise<void> {
  const answer = await side.connection.post('/oidc/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    code: side.codes.pop() ?? '',
    redirect_uri: REDIRECT_URI,
    code_verifier: VERIFIER,
  })
  keepTokens(side, answer)
}

async function refresh(side: Side): Promise<void> {
  const answer = await side.connection.post('/oidc/token', {
    grant_type: 'refresh_token',
    client_id: 'app',
    refresh_token: side.refreshTokens.shift() ?? '',
  })
  keepTokens(side, answer)
}

function keepTokens(side: Side, answer: Answer): void {
  expect(answer, 200, '"access_token":"ey')
  const { id_token, refresh_token } = JSON.parse(answer.body) as Record<string, string>
  side.lastIdToken = id_token ?? ''
  side.refreshTokens.push(refresh_token ?? '')
}

function expect({ status, body, headers }: Answer, wanted: number, text = ''): void {
  if (status === wanted && body.includes(text)) return
  throw new Error(`Answered ${status}, not ${wanted}: ${headers['location'] ?? body.slice(0, 500)}`)
}

function locationOf({ headers }: Answer): string {
  return String(headers['location'])
}

function cookieOf({ headers }: Answer): string {
  const set = [headers['set-cookie'] ?? []].flat().filter((cookie) => !/Max-Age=0/i.test(cookie))
  return set.map((cookie) => cookie.split(';')[0]).join('; ')
}
