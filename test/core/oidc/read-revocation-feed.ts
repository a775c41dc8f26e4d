import {
  base64url,
  createLocalJWKSet,
  decodeJwt,
  type JSONWebKeySet,
  type JWTPayload,
  jwtVerify,
} from 'jose'
import { expect, vi } from 'vitest'
import { type Browser, LOGIN, serviceWith } from '../../browser.ts'
import { signInNewUser } from '../../new-user.ts'
import { redirectUrl } from '../../redirect.ts'
import { OFFLINE_ACCESS, RelyingApp } from './relying-app.ts'
import { approveConsent } from './user-steps.ts'

interface Feed extends JWTPayload {
  since: number
  revoked: string
  revoked_before: Record<string, number>
}

/** Reads the feed with the published keys, in an isolate that has not read it before. */
export async function readFeed(since?: number, service = serviceWith({})): Promise<Feed> {
  const read = async (path: string) => service(new Request(`${LOGIN}/.well-known/${path}`))
  const jwks = await (await read('jwks.json')).json<JSONWebKeySet>()
  const response = await read(`revocations${since === undefined ? '' : `?since=${since}`}`)
  expect(response.status).toBe(200)
  const jwt = new Uint8Array(await response.arrayBuffer())
  const { payload } = await jwtVerify<Feed>(jwt, createLocalJWKSet(jwks), {
    issuer: LOGIN,
    typ: 'revocations+jwt',
    algorithms: ['ES256'],
  })
  return payload
}

/** The first eight bytes of the SHA-256 digest of an id. */
export async function digest(id: unknown): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(String(id)))
  return base64url.encode(new Uint8Array(bytes).slice(0, 8))
}

/** Whether the feed lists a token, as docs/endpoints.md describes it. */
export async function lists(feed: Feed, token: string): Promise<boolean> {
  const { sid, jti, sub, client_id, iat = 0 } = decodeJwt(token)
  const bytes = base64url.decode(feed.revoked)
  const revoked = Array.from({ length: bytes.length / 8 }, (_, index) =>
    base64url.encode(bytes.slice(index * 8, index * 8 + 8)),
  )
  const parts = jti?.split('.') ?? []
  const ended = await Promise.all([sid, ...parts].map(digest))
  const limited = await Promise.all([sub, client_id, ...parts].map(digest))
  return (
    ended.some((id) => revoked.includes(id)) ||
    limited.some((id) => iat <= (feed.revoked_before[id] ?? 0))
  )
}

/** Waits until the feed lists a token, which is published after the response. */
export async function expectListed(token: string): Promise<void> {
  await vi.waitFor(async () => expect(await lists(await readFeed(), token)).toBe(true))
}

export async function sessionToken(browser: Browser): Promise<string> {
  return (await browser.session())?.token ?? ''
}

/** A user with a session token, an access token and a refresh token. */
export async function newUserWithTokens(clientId = 'web') {
  const user = await signInNewUser()
  const app = new RelyingApp(clientId)
  const resource = clientId === 'web' ? 'https://orders.example' : undefined
  const url = await app.authorizationUrl({ ...OFFLINE_ACCESS, resource })
  const response = await user.browser.get(url)
  const callback = response.status === 200 ? await approveConsent(user.browser, response) : response
  const tokens = await app.exchange(redirectUrl(callback))
  return { ...user, app, tokens, session: await sessionToken(user.browser) }
}

export type UserWithTokens = Awaited<ReturnType<typeof newUserWithTokens>>
