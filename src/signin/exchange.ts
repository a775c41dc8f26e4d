import * as oauth from 'oauth4webapi'
import { SignInError } from '../errors.ts'
import { boundedFetch, patientFetch } from '../providers/bounded-fetch.ts'
import type { TokenSet, User } from '../providers/oauth-types.ts'
import type { ResolvedProvider } from '../providers/resolve.ts'
import type { Attempt } from './attempt.ts'
import { refusal } from './refusal.ts'

/** Whom the provider has let through. */
export interface Identified {
  accountId: string
  scope: string | undefined
  /** Absent when the provider named the person but could not show their profile just now. */
  user: User | undefined
}

/** Checks the callback, redeems its code once, and asks who that is. */
export async function identify(
  provider: ResolvedProvider,
  attempt: Attempt,
  callback: URLSearchParams,
): Promise<Identified> {
  const tokens = await exchangeCode(provider, attempt, callback)
  const accountId = provider.identity?.(tokens)
  if (provider.identity && !accountId) throw new SignInError('provider_invalid')
  try {
    const user = await readProfile(provider, tokens)
    if (accountId !== undefined && accountId !== user.id) throw new SignInError('provider_invalid')
    return { accountId: user.id, scope: tokens.scope, user }
  } catch (error) {
    if (!isPassingTrouble(error) || accountId === undefined) throw error
    return { accountId, scope: tokens.scope, user: undefined }
  }
}

async function exchangeCode(
  provider: ResolvedProvider,
  attempt: Attempt,
  callback: URLSearchParams,
): Promise<TokenSet> {
  const { server, client } = provider
  try {
    const params = oauth.validateAuthResponse(server, client, callback, attempt.state)
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      secretInBody(provider),
      params,
      provider.callbackUrl,
      provider.codeChallenge === 'none' ? oauth.nopkce : attempt.codeVerifier,
      {
        [oauth.customFetch]: tokenFetch(provider),
        [oauth.allowInsecureRequests]: provider.isLoopback,
      },
    )
    return await oauth.processAuthorizationCodeResponse(server, client, response)
  } catch (cause) {
    throw refusal(cause)
  }
}

/** `client_secret_post`, under the platform's own name for the client id. */
function secretInBody({ clientIdParameter, clientSecret }: ResolvedProvider): oauth.ClientAuth {
  return (_server, client, body) => {
    body.set(clientIdParameter, client.client_id)
    body.set('client_secret', clientSecret)
  }
}

/** Sends the content type bare: a charset means nothing there (RFC 6749 appendix B), and the video platform refuses it. */
function tokenFetch({ token }: ResolvedProvider) {
  return async (
    url: string,
    { method, headers, body }: oauth.CustomFetchOptions<string, unknown>,
  ) => {
    const response = await boundedFetch(url, {
      method,
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      body: String(body),
    })
    return (await token.conform?.(response)) ?? response
  }
}

async function readProfile(provider: ResolvedProvider, tokens: TokenSet): Promise<User> {
  const { url, params = {}, request = requestProfile } = provider.userinfo
  try {
    const profile = await request({ url, params, tokens, fetch: patientFetch })
    const user = await provider.profile(profile, tokens)
    if (!user.id) throw new SignInError('provider_invalid')
    return user
  } catch (cause) {
    throw cause instanceof SignInError ? cause : refusal(cause)
  }
}

/** The generic userinfo request (RFC 6750 §2.1). */
async function requestProfile(context: {
  url: string
  params: Record<string, string>
  tokens: TokenSet
  fetch: typeof patientFetch
}): Promise<unknown> {
  const url = new URL(context.url)
  for (const [name, value] of Object.entries(context.params)) url.searchParams.set(name, value)
  const response = await context.fetch(url.href, {
    headers: { Accept: 'application/json', Authorization: `Bearer ${context.tokens.access_token}` },
  })
  if (!response.ok) throw refusal(response)
  return response.json()
}

function isPassingTrouble(error: unknown): boolean {
  return error instanceof SignInError && error.code === 'provider_unavailable'
}
