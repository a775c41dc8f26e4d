import * as oauth from 'oauth4webapi'
import { seconds } from '../clock.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { clientAuthentication } from './client-authentication.ts'
import { isInsecure, serverOf } from './discovery.ts'
import type { TokenSet } from './oauth-types.ts'
import type { ResolvedProvider } from './resolve.ts'

/** Asks with our secret, and with the other one who did not know the first: while it is replaced, one of two is good. */
export async function withSecret(
  { clientSecrets: [first = '', other] }: ResolvedProvider,
  ask: (secret: string) => Promise<Response>,
): Promise<Response> {
  const response = await ask(first)
  if (other === undefined || response.ok) return response
  const refused = parseObject(await response.clone().text())
  return refused?.['error'] === 'invalid_client' ? ask(other) : response
}

/** How a token endpoint is called. */
export function tokenOptions(provider: ResolvedProvider, server: oauth.AuthorizationServer) {
  return {
    [oauth.customFetch]: tokenFetch(provider),
    [oauth.allowInsecureRequests]: isInsecure(server),
  }
}

/** New tokens for a refresh token (RFC 6749 §6), which may be spent by it. */
export async function refreshTokens(
  provider: ResolvedProvider,
  refreshToken: string,
): Promise<TokenSet> {
  const server = await serverOf(provider)
  const { client } = provider
  const response = await withSecret(provider, async (secret) =>
    oauth.refreshTokenGrantRequest(
      server,
      client,
      await clientAuthentication(provider, server, secret),
      refreshToken,
      tokenOptions(provider, server),
    ),
  )
  return withExpiry(await oauth.processRefreshTokenResponse(server, client, response))
}

/** Gives the platform back what it granted (RFC 7009). Says whether it has: not every platform can be told. */
export async function revokeTokens(provider: ResolvedProvider, token: string): Promise<boolean> {
  const server = await serverOf(provider)
  const url = provider.revocation ?? server.revocation_endpoint
  if (!url) return false
  const response = await withSecret(provider, async (secret) => {
    const [body, headers] = [new URLSearchParams({ token }), new Headers()]
    const authenticate = await clientAuthentication(provider, server, secret)
    await authenticate(server, provider.client, body, headers)
    headers.set('Content-Type', FORM)
    return straighten(await boundedFetch(url, { method: 'POST', headers, body: body.toString() }))
  })
  return response.ok
}

const FORM = 'application/x-www-form-urlencoded'

/** Sends the content type bare: a charset means nothing there (RFC 6749 appendix B), and the video platform refuses it. */
function tokenFetch({ token }: ResolvedProvider) {
  return async (
    url: string,
    { method, headers, body }: oauth.CustomFetchOptions<string, unknown>,
  ) => {
    const response = await boundedFetch(url, {
      method,
      headers: { ...headers, 'content-type': FORM },
      body: String(body),
    })
    return straighten((await token.conform?.(response)) ?? response)
  }
}

/** What many platforms get wrong, put right: errors with status 200, and challenges that hide the error. */
async function straighten(response: Response): Promise<Response> {
  const text = await response.text()
  const body = parseObject(text)
  if (!body) return new Response(text, response)
  const isError = typeof body['error'] === 'string' && body['error'] !== ''
  const status = isError && response.status < 400 ? 400 : response.status
  return Response.json(body, { status })
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return value && typeof value === 'object' && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** When the access token ends, where the answer says. */
export function withExpiry(tokens: oauth.TokenEndpointResponse): TokenSet {
  const { expires_in } = tokens
  if (typeof expires_in !== 'number' || expires_in <= 0) return tokens
  return { ...tokens, expires_at: seconds() + expires_in }
}
