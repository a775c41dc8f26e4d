import * as oauth from 'oauth4webapi'
import { seconds } from '../clock.ts'
import { parseObject } from '../json.ts'
import type { TokenSet } from '../providers/oauth-types.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { serverOf } from './discovery.ts'
import type { ResolvedProvider } from './resolve.ts'

/** Asks a token endpoint for what this grant is worth (RFC 6749 §4.1.3 and §6). */
export function requestTokens(
  provider: ResolvedProvider,
  server: oauth.AuthorizationServer,
  grant: Record<string, string>,
): Promise<Response> {
  const { token_endpoint: url = '' } = server
  return postWithSecret(provider, server, url, grant, provider.token.conform)
}

/** New tokens for a refresh token, which may be spent by it. */
export async function refreshTokens(
  provider: ResolvedProvider,
  refreshToken: string,
): Promise<TokenSet> {
  const server = await serverOf(provider)
  const grant = { grant_type: 'refresh_token', refresh_token: refreshToken }
  const response = await requestTokens(provider, server, grant)
  return withExpiry(await oauth.processRefreshTokenResponse(server, provider.client, response))
}

/** Gives the platform back what it granted (RFC 7009). Says whether it has: not every platform can be told. */
export async function revokeTokens(provider: ResolvedProvider, token: string): Promise<boolean> {
  const server = await serverOf(provider)
  const url = provider.revocation ?? server.revocation_endpoint
  return url !== undefined && (await postWithSecret(provider, server, url, { token })).ok
}

/** Tries the other secret with who does not know the first: while it is replaced, one of two is good. */
async function postWithSecret(
  provider: ResolvedProvider,
  server: oauth.AuthorizationServer,
  url: string,
  form: Record<string, string>,
  conform?: ResolvedProvider['token']['conform'],
): Promise<Response> {
  const [first = '', other] = provider.clientSecrets
  const post = async (secret: string) => {
    const request = await authenticated(provider, server, secret, form)
    const response = await boundedFetch(url, { method: 'POST', ...request })
    return straighten((await conform?.(response)) ?? response)
  }
  const response = await post(first)
  if (other === undefined || response.ok) return response
  const refused = parseObject(await response.clone().text())
  return refused?.['error'] === 'invalid_client' ? post(other) : response
}

/** A form with our secret where this provider wants to see it: as configured, else in the body, else as it says it can. */
async function authenticated(
  provider: ResolvedProvider,
  { token_endpoint_auth_methods_supported: supported }: oauth.AuthorizationServer,
  clientSecret: string,
  form: Record<string, string>,
) {
  const { client, clientId, clientIdParameter } = provider
  const method =
    client['token_endpoint_auth_method'] ??
    (supported?.includes('client_secret_post') === false ? 'client_secret_basic' : '')
  const secret = method === 'none' ? '' : await provider.secret(clientSecret, clientId)
  const isBasic = method === 'client_secret_basic'
  const body = new URLSearchParams({
    ...form,
    ...(!isBasic && { [clientIdParameter]: clientId }),
    ...(!isBasic && secret && { client_secret: secret }),
  })
  return {
    body: body.toString(),
    headers: {
      Accept: 'application/json',
      // Bare: a charset means nothing there (RFC 6749 appendix B), and the video platform refuses it.
      'Content-Type': 'application/x-www-form-urlencoded',
      'User-Agent': 'vestibule',
      ...(isBasic && { Authorization: `Basic ${btoa(`${encode(clientId)}:${encode(secret)}`)}` }),
    },
  }
}

/** RFC 6749 §2.3.1. */
function encode(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1)
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

/** When the access token ends, where the answer says. */
export function withExpiry(tokens: oauth.TokenEndpointResponse): TokenSet {
  const { expires_in } = tokens
  if (typeof expires_in !== 'number' || expires_in <= 0) return tokens
  return { ...tokens, expires_at: seconds() + expires_in }
}
