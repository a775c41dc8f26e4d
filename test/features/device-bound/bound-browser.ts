import { env } from 'cloudflare:workers'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { Browser, issuedSecrets, serviceOf } from '../../browser.ts'
import { createPlatformUser } from '../../new-user.ts'
import { bound } from './bound-deployment.ts'

const REGISTRATION = '/api/auth/device-bound/registration'
const REFRESH = '/api/auth/device-bound/refresh'

/** The cookie that expires. */
export const PROOF_COOKIE = '__Host-vestibule.device'
export const SESSION_COOKIE = '__Host-vestibule.session'

export function boundService(changes: Record<string, unknown> = {}, deployment = bound) {
  return serviceOf(deployment, { USERS: env.TEST_BOUND_USERS, ...changes })
}

/** A key of a device, which does not leave it. */
export interface DeviceKey {
  alg: string
  privateKey: CryptoKey
  jwk: JWK
}

export async function createKey(alg = 'ES256'): Promise<DeviceKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg)
  return { alg, privateKey, jwk: await exportJWK(publicKey) }
}

/** The JWT that a browser sends. `header` and `payload` replace what it would contain. */
export function sign(
  { alg, privateKey, jwk }: DeviceKey,
  challenge: string,
  { header = {}, payload = {} }: { header?: object; payload?: object } = {},
): Promise<string> {
  return new SignJWT({ jti: challenge, ...payload })
    .setProtectedHeader({ alg, typ: 'dbsc+jwt', jwk, ...header })
    .sign(privateKey)
}

/** The challenge in the header of a response that opens a session. */
export function offeredChallenge(response: Response): string | undefined {
  const header = response.headers.get('Secure-Session-Registration') ?? ''
  const [, challenge] = /;challenge="([^"]+)"/.exec(header) ?? []
  if (challenge) issuedSecrets.add(challenge)
  return challenge
}

export interface Instructions {
  session_identifier: string
  refresh_url: string
  allowed_refresh_initiators: string[]
  continue?: boolean
}

/** A user who has just signed in, with what their browser needs to bind the session. */
export async function signIn(browser = new Browser(boundService()), handle?: string) {
  const persona = handle ?? (await createPlatformUser())
  const response = await browser.signIn(persona, { prompt: 'login' })
  return { browser, handle: persona, response, challenge: offeredChallenge(response) ?? '' }
}

/** Sends the JWT of a registration, as the browser does. */
export function register(
  browser: Browser,
  token: string,
  others: Record<string, string> = {},
): Promise<Response> {
  const headers = { 'Secure-Session-Response': token, ...others }
  return browser.fetch(REGISTRATION, { method: 'POST', headers })
}

/** A browser with a session that is bound, but has not shown its cookie yet. */
export async function bindSession(browser?: Browser, handle?: string) {
  const signedIn = await signIn(browser, handle)
  const key = await createKey()
  const response = await register(signedIn.browser, await sign(key, signedIn.challenge))
  const { session_identifier: id } = await response.json<Instructions>()
  issuedSecrets.add(id)
  return { ...signedIn, key, id, response }
}

/** The same, after the first request with it. */
export async function bindAndUse(browser?: Browser, handle?: string) {
  const boundSession = await bindSession(browser, handle)
  const session = await boundSession.browser.session()
  return { ...boundSession, userId: session?.user.id ?? '' }
}

/** Asks for a challenge, or answers one. */
export function refresh(
  browser: Browser,
  id: string,
  token?: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return browser.fetch(REFRESH, {
    method: 'POST',
    headers: {
      'Sec-Secure-Session-Id': id,
      ...(token !== undefined && { 'Secure-Session-Response': token }),
      ...headers,
    },
  })
}

/** The challenge of a response to a refresh. */
export function refreshChallenge(response: Response): string {
  const [, challenge = ''] =
    /^"([^"]+)";id="[^"]+"$/.exec(response.headers.get('Secure-Session-Challenge') ?? '') ?? []
  if (challenge) issuedSecrets.add(challenge)
  return challenge
}

/** A complete renewal of the bound cookie. */
export async function renew(
  browser: Browser,
  { id, key }: { id: string; key: DeviceKey },
): Promise<Response> {
  const challenge = refreshChallenge(await refresh(browser, id))
  return refresh(browser, id, await sign(key, challenge))
}

/** A browser of somebody who has copied these cookies of another one, by default all. */
export function copyOf(
  browser: Browser,
  names: readonly string[] = [...browser.cookies.keys()],
  service = boundService(),
) {
  const thief = new Browser(service)
  for (const name of names) {
    const value = browser.cookies.get(name)
    if (value !== undefined) thief.cookies.set(name, value)
  }
  return thief
}
