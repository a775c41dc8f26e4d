/** The stand-in, called as a function or over the network. */
export interface StandIn {
  request: (url: string, init?: RequestInit) => Response | Promise<Response>
}

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
export const WEBHOOK_URL = 'https://login.example/api/auth/webhook/tiktok'

/** {@link https://www.rfc-editor.org/rfc/rfc7636#appendix-B} */
export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
export const HEX_CHALLENGE = '13d31e961a1ad8ec2f16b10c4c982e0876a878ad6df144566ee1894acb70f9c3'
export const BASE64URL_CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

export const BASIC = 'user.info.basic'
export const PROFILE = 'user.info.profile'
export const STATS = 'user.info.stats'

/** The platform's two hosts: the pages and the API. */
export const WEB = 'https://www.tiktok.com'
export const API = 'https://open.tiktokapis.com'

/**
 * A valid request of the sandbox app with its web redirect URI, with changes. `undefined` removes a
 * parameter.
 */
export function authorizeUrl(changes: Parameters = {}): string {
  const query = toSearchParams({
    client_key: SANDBOX.client_key,
    response_type: 'code',
    scope: BASIC,
    redirect_uri: WEB_CALLBACK,
    state: 'a-state',
    ...changes,
  })
  return `${WEB}/v2/auth/authorize/?${query}`
}

/** The parameters of a request with a loopback redirect URI, which requires PKCE. */
export const LOOPBACK = {
  redirect_uri: LOOPBACK_CALLBACK,
  code_challenge: HEX_CHALLENGE,
  code_challenge_method: 'S256',
}

/** Sends a GET request and returns the URL it redirects to. */
export async function fetchLocation(standIn: StandIn, url: string): Promise<URL> {
  return readLocation(await standIn.request(url))
}

/** The URL a response redirects to. */
export function readLocation(response: Response): URL {
  return new URL(response.headers.get('Location') ?? 'about:blank', WEB)
}

/**
 * Logs in without a browser, by default as Mia, and allows all scopes. Returns the callback URL.
 */
export function logIn(standIn: StandIn, changes: Parameters = {}): Promise<URL> {
  const allScopes = [BASIC, PROFILE, STATS].join(',')
  return fetchLocation(standIn, authorizeUrl({ __as: 'mia', __grant: allScopes, ...changes }))
}

/** Calls the API with a form, and with the bare content type the platform requires. */
export async function post(
  standIn: StandIn,
  path: string,
  fields: Parameters,
  headers: Record<string, string> = {},
): Promise<Response> {
  return standIn.request(API + path, {
    method: 'POST',
    body: toSearchParams(fields).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
  })
}

/** The cookie of a browser in which this persona is logged in. */
function personaCookie(handle: string | undefined): Record<string, string> {
  return handle === undefined ? {} : { Cookie: `video-platform-persona=${handle}` }
}

/** Opens a page of the platform, in a browser in which this persona is logged in. */
export async function openPage(standIn: StandIn, url: string | URL, persona?: string) {
  return standIn.request(new URL(url, WEB).href, { headers: personaCookie(persona) })
}

/** Submits a form of a page, in a browser in which this persona is logged in. */
export async function submitForm(
  standIn: StandIn,
  path: string,
  { fields, persona }: { fields: Parameters; persona?: string | undefined },
): Promise<Response> {
  return standIn.request(WEB + path, {
    method: 'POST',
    body: toSearchParams(fields),
    headers: personaCookie(persona),
  })
}

export function exchangeCode(
  standIn: StandIn,
  callback: URL,
  changes: Parameters = {},
): Promise<Response> {
  return post(standIn, '/v2/oauth/token/', {
    ...SANDBOX,
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code') ?? undefined,
    redirect_uri: callback.origin + callback.pathname,
    ...changes,
  })
}

export function refreshTokens(standIn: StandIn, refreshToken: string, changes: Parameters = {}) {
  return post(standIn, '/v2/oauth/token/', {
    ...SANDBOX,
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    ...changes,
  })
}

export function revokeToken(standIn: StandIn, token: string, changes: Parameters = {}) {
  return post(standIn, '/v2/oauth/revoke/', { ...SANDBOX, token, ...changes })
}

/** Logs in and exchanges the code. */
export async function obtainTokens(standIn: StandIn, changes: Parameters = {}): Promise<Tokens> {
  const callback = await logIn(standIn, changes)
  const client = changes['client_key'] === PRODUCTION.client_key ? PRODUCTION : SANDBOX
  const response = await exchangeCode(standIn, callback, client)
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

/** A user info response that contains all fields the test requested. */
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

/** Parses a response as the type that the test then verifies. */
export async function readJson<T extends object>(
  response: Response | Promise<Response>,
): Promise<T> {
  return (await response).json()
}

export async function fetchUserInfo(
  standIn: StandIn,
  token: string,
  fields: string,
): Promise<Response> {
  return standIn.request(`${API}/v2/user/info/?fields=${fields}`, {
    headers: { Authorization: `Bearer ${token}` },
  })
}

/** Calls the control API. */
export async function control(
  standIn: StandIn,
  name: string,
  body: unknown = {},
): Promise<Response> {
  return standIn.request(`${API}/__stand-in/${name}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  })
}

/** Reads from the control API: the log, the state or the events. */
export async function readControl<T extends object>(standIn: StandIn, name: string): Promise<T> {
  return readJson<T>(standIn.request(`${API}/__stand-in/${name}`))
}

function toSearchParams(parameters: Parameters): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(name, value)
  }
  return query
}
