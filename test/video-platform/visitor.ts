import type { Hono } from 'hono'
import type { StandInEnv } from '../../demo/video-platform/platform.ts'

export type Stage = Hono<StandInEnv>
export type Parameters = Record<string, string | undefined>

export const SANDBOX = {
  client_key: 'sbawstandin0000001',
  client_secret: 'stand-in-secret-for-loopback-only-0001',
}
export const PRODUCTION = {
  client_key: 'awstandin00000001',
  client_secret: 'stand-in-secret-for-loopback-only-0002',
}

export const WEB_CALLBACK = 'https://login.example/api/auth/callback/tiktok'
export const LOOPBACK_CALLBACK = 'http://localhost:8787/api/auth/callback/tiktok'

/** {@link https://www.rfc-editor.org/rfc/rfc7636#appendix-B} */
export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
export const HEX_CHALLENGE = '13d31e961a1ad8ec2f16b10c4c982e0876a878ad6df144566ee1894acb70f9c3'
export const BASE64URL_CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

export const BASIC = 'user.info.basic'
export const PROFILE = 'user.info.profile'
export const STATS = 'user.info.stats'

const WEB = 'https://www.tiktok.com'
const API = 'https://open.tiktokapis.com'

/** A right request of the sandbox app on its web redirect, changed as told; undefined removes. */
export function authorizeUrl(changes: Parameters = {}): string {
  const query = toQuery({
    client_key: SANDBOX.client_key,
    response_type: 'code',
    scope: BASIC,
    redirect_uri: WEB_CALLBACK,
    state: 'a-state',
    ...changes,
  })
  return `${WEB}/v2/auth/authorize/?${query}`
}

/** What loopback redirects need besides. */
export const LOOPBACK = {
  redirect_uri: LOOPBACK_CALLBACK,
  code_challenge: HEX_CHALLENGE,
  code_challenge_method: 'S256',
}

/** Where the stand-in sends the browser. */
export async function locationOf(stage: Stage, url: string, init?: RequestInit): Promise<URL> {
  const response = await stage.request(url, init)
  return new URL(response.headers.get('Location') ?? 'about:blank', url)
}

/** Logs in without a browser, as Mia unless told otherwise, and allows everything asked for. */
export function logIn(stage: Stage, changes: Parameters = {}): Promise<URL> {
  const everything = [BASIC, PROFILE, STATS].join(',')
  return locationOf(stage, authorizeUrl({ __as: 'mia', __grant: everything, ...changes }))
}

/** Posts a form with the bare content type the platform insists on. */
export async function post(
  stage: Stage,
  path: string,
  fields: Parameters,
  headers: Record<string, string> = {},
): Promise<Response> {
  return stage.request(API + path, {
    method: 'POST',
    body: toQuery(fields).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
  })
}

export function exchange(stage: Stage, callback: URL, changes: Parameters = {}): Promise<Response> {
  return post(stage, '/v2/oauth/token/', {
    ...SANDBOX,
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code') ?? undefined,
    redirect_uri: callback.origin + callback.pathname,
    ...changes,
  })
}

export function refresh(stage: Stage, refreshToken: string, changes: Parameters = {}) {
  return post(stage, '/v2/oauth/token/', {
    ...SANDBOX,
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    ...changes,
  })
}

export function revoke(stage: Stage, token: string, changes: Parameters = {}) {
  return post(stage, '/v2/oauth/revoke/', { ...SANDBOX, token, ...changes })
}

/** The tokens of a fresh sign-in. */
export async function tokensOf(stage: Stage, changes: Parameters = {}): Promise<Tokens> {
  const callback = await logIn(stage, changes)
  const client = changes['client_key'] === PRODUCTION.client_key ? PRODUCTION : SANDBOX
  const response = await exchange(stage, callback, client)
  return response.json()
}

export interface Tokens {
  access_token: string
  expires_in: number
  open_id: string
  refresh_expires_in: number
  refresh_token: string
  scope: string
  token_type: string
}

/** A user info answer that holds whatever the test asked for. */
export interface UserInfo {
  data: { user: User }
  error: { code: string; message: string; log_id: string }
}

export interface User {
  open_id: string
  union_id: string
  avatar_url: string
  display_name: string
  bio_description: string
}

/** The JSON of an answer, in the shape the test is about to prove. */
export async function jsonOf<T extends object>(response: Response | Promise<Response>): Promise<T> {
  return (await response).json()
}

export async function userInfo(stage: Stage, token: string, fields: string): Promise<Response> {
  return stage.request(`${API}/v2/user/info/?fields=${fields}`, {
    headers: { Authorization: `Bearer ${token}` },
  })
}

/** Speaks to the control API. */
export async function control(stage: Stage, name: string, body: unknown = {}): Promise<Response> {
  return stage.request(`${API}/__stand-in/${name}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  })
}

export function toQuery(parameters: Parameters): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(name, value)
  }
  return query
}
