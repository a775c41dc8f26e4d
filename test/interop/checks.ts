import { setTimeout as sleep } from 'node:timers/promises'
import { decodeJwt } from 'jose'
import type { Services } from '../../demo/services.ts'
import { SimulatedUser } from '../soak/simulated-user.ts'
import { checkFrontends, withChromium } from './check-frontends.ts'
import { checkServer } from './check-server.ts'
import { type InteropClient, OPERATOR, SECRET, SESSION_SECRET, TOKEN_CALLBACK } from './clients.ts'
import { SimulatedBrowser } from './simulated-browser.ts'

type Origins = Pick<Services, 'login' | 'platform'>

/** Tests a running client and returns what it did. Throws if it did anything else. */
export function checkClient(client: InteropClient, url: string, services: Origins) {
  switch (client.kind) {
    case 'app':
      return checkApp(client, url, services)
    case 'api':
      return checkApi(client, `${url}${client.path ?? '/'}`, services)
    case 'frontends':
      return withChromium(services, (page, handle) =>
        checkFrontends(page, { url, handle, pages: client.pages, login: services.login }),
      )
    case 'server':
      return withChromium(services, (page, handle) =>
        checkServer(page, {
          url,
          login: services.login,
          secret: SESSION_SECRET,
          handle,
        }),
      )
    case 'agent':
    case 'native':
    case 'tests':
    case 'types':
      throw new TypeError('A program that runs to its end has no address.')
  }
}

/** Signs a user in, and out where the app can do that. */
async function checkApp(client: InteropClient, url: string, services: Origins): Promise<string[]> {
  const browser = new SimulatedBrowser(services)
  await browser.register()
  const done = [client.showsName === false ? 'sign-in' : 'sign-in with name']

  const page = await browser.open(`${url}/`)
  const user = await browser.sessionUser()
  const shown = readJson(page.body)
  const isUser = user !== undefined && shown.sub === user.id
  if (page.status !== 200 || !page.url.href.startsWith(url) || !isUser) {
    const { origin, pathname } = page.url
    const excerpt = page.body.slice(0, 2000) // enough for an error message
    throw new Error(`not signed in: ${page.status} at ${origin}${pathname}\n${excerpt}`)
  }

  if (client.showsName !== false && shown.name !== user.name)
    throw new Error(`the name of the user is ${shown.name} instead of ${user.name}`)

  if (client.logoutUrl) {
    await browser.open(client.logoutUrl(url), { signsIn: false })
    if (await browser.sessionUser()) throw new Error('still signed in at the login service')
    const location = await browser.redirectOf(`${url}/`)
    if (!location) throw new Error('still signed in at the app')
    done.push('sign-out')
  }
  if (client.backchannelPath) done.push(await checkBackchannel(browser, url))
  return done
}

/** Milliseconds until an app must know that a session has ended. */
const BACKCHANNEL_TIMEOUT = 15_000

/** Signs a user in to the app again, and out at the login service. */
async function checkBackchannel(browser: SimulatedBrowser, url: string): Promise<string> {
  await browser.open(`${url}/`)
  if (await browser.redirectOf(`${url}/`)) throw new Error('not signed in a second time')
  await browser.signOut()
  const start = performance.now()
  while (!(await browser.redirectOf(`${url}/`))) {
    if (performance.now() - start > BACKCHANNEL_TIMEOUT)
      throw new Error('still signed in at the app after a sign-out at the login service')
    await sleep(100)
  }
  return `ended ${Math.ceil((performance.now() - start) / 1000)} s after a sign-out elsewhere`
}

/** Calls an API with a token that was issued for it, and with tokens that it must reject. */
async function checkApi(client: InteropClient, url: string, services: Origins): Promise<string[]> {
  const tokenClient = client.isLegacy ? 'interop-tokens-for-a-legacy-api' : 'interop-tokens'
  const user = await signIn(tokenClient, services)
  const { access_token = '', id_token = '' } = user.tokens
  const others = await requestTokens('interop-tokens-for-another-api', services)
  const [header = '', payload = '', signature = ''] = access_token.split('.')
  const forged = withClaims(payload, { sub: 'usr_another' })

  const accepted = await call(url, access_token)
  if (accepted.status !== 200 || readUser(accepted.body) !== decodeJwt(access_token).sub)
    throw new Error(`rejected a valid token: ${accepted.status} ${accepted.body}`)

  const invalid = {
    'no token': undefined,
    'a token for another API': others.access_token,
    'an ID token': id_token,
    'a token with another payload': `${header}.${forged}.${signature}`,
    'a token with another signature': `${header}.${payload}.${[...signature].reverse().join('')}`,
    'an unsigned token': `${withClaims(header, { alg: 'none' })}.${forged}.`,
  }
  for (const [description, token] of Object.entries(invalid)) {
    const { status } = await call(url, token)
    if (status !== 401) throw new Error(`responded ${status} to ${description}`)
  }
  const done = ['accepts our access token', `rejects ${Object.keys(invalid).length} others`]
  if (!client.readsRevocations) return done
  await user.signOut()
  return [...done, await waitForRejection(url, access_token)]
}

/** Milliseconds until an API that reads revocations every ten seconds rejects a token. */
const REVOCATION_TIMEOUT = 15_000

/** Waits until an API rejects the token of a user who has signed out. */
async function waitForRejection(url: string, token: string): Promise<string> {
  const start = performance.now()
  while ((await call(url, token)).status !== 401) {
    if (performance.now() - start > REVOCATION_TIMEOUT)
      throw new Error('accepts the token of a user who has signed out')
    await sleep(100)
  }
  return `rejects it ${Math.ceil((performance.now() - start) / 1000)} s after the sign-out`
}

/** Revokes the signing keys as an operator does. Returns a token that was valid until then. */
export async function revokeKeys(services: Origins): Promise<string> {
  const { access_token = '' } = await requestTokens('interop-tokens', services)
  const api = `${services.login}/admin/api`
  const credentials = await postJson(`${services.login}/oidc/token`, {
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: OPERATOR.client_id,
      client_secret: SECRET,
      resource: api,
      scope: 'admin:write',
    }),
  })
  await postJson(`${api}/keys/revoke`, {
    headers: { Authorization: `Bearer ${credentials['access_token']}` },
  })
  return access_token
}

async function postJson(url: string, init: RequestInit): Promise<Record<string, unknown>> {
  const response = await fetch(url, { method: 'POST', ...init })
  const body = await response.text()
  if (!response.ok) throw new Error(`${url} returned ${response.status} ${body}`)
  return JSON.parse(body)
}

/**
 * Calls an API that has fetched the JWKS after a revocation with a token of a former key, and with
 * a new one.
 */
export async function checkRevocation(
  url: string,
  formerToken: string,
  services: Origins,
): Promise<string> {
  const { access_token } = await requestTokens('interop-tokens', services)
  const accepted = await call(url, access_token)
  if (accepted.status !== 200)
    throw new Error(`rejected a token of the new key: ${accepted.status} ${accepted.body}`)
  const { status } = await call(url, formerToken)
  if (status !== 401) throw new Error(`responded ${status} to a token of a revoked key`)
  return 'rejects a token of a revoked key'
}

async function requestTokens(client_id: string, services: Origins) {
  return (await signIn(client_id, services)).tokens
}

/** A new user with tokens of a client. */
export async function signIn(client_id: string, services: Origins): Promise<SimulatedUser> {
  const client = { client_id, redirect_uri: TOKEN_CALLBACK, scope: 'openid' }
  const user = new SimulatedUser({ services, client })
  await user.register()
  await user.signIn()
  return user
}

async function call(url: string, token: string | undefined) {
  const headers = new Headers(token === undefined ? {} : { Authorization: `Bearer ${token}` })
  const response = await fetch(url, { headers, redirect: 'manual' })
  return { status: response.status, body: await response.text() }
}

/** What a client reports about the user, or nothing if its response is not JSON. */
function readJson(body: string): { sub?: string; customer?: string; name?: string } {
  try {
    return JSON.parse(body)
  } catch {
    return {}
  }
}

/** The user that an API has read from a token. */
function readUser(body: string): string | undefined {
  const { sub, customer } = readJson(body)
  return sub ?? customer
}

/** The header or payload of a JWT with some of its members changed. */
function withClaims(part: string, changes: Record<string, unknown>): string {
  const claims = JSON.parse(Buffer.from(part, 'base64url').toString())
  return Buffer.from(JSON.stringify({ ...claims, ...changes })).toString('base64url')
}
