import type { AppContext } from '../../core/http/app-env.ts'
import { addToLog } from '../../core/http/request-log.ts'
import { isIssuedTo } from '../../core/oidc/bearer.ts'
import { quoteParameter } from '../../core/oidc/invalid-target.ts'
import type { Client } from '../../core/registration-schemas/clients.ts'
import { verifyAccessToken } from '../../core/tokens/verify.ts'
import { OAuthError } from '../../foundation/errors/oauth-error.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import { readProviderToken } from './kept-tokens.ts'
import type { ProviderTokenRejection } from './provider-token.ts'
import { readClientFields } from './registration-fields.ts'

export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'

export const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'

/**
 * {@link https://www.rfc-editor.org/rfc/rfc8693}: exchanges an access token of ours for the
 * provider's own access token of the same user. Only for confidential clients that are registered
 * for it, and never from a browser.
 */
export async function exchangeToken(c: AppContext, client: Client, form: URLSearchParams) {
  const provider = form.get('audience') ?? ''
  if (c.req.header('Origin') !== undefined) {
    throw new OAuthError('invalid_target', "A browser may not request a provider's tokens.")
  }
  if (!readClientFields(client).upstream_tokens.includes(provider)) {
    const text = `audience is ${quoteParameter(provider) || 'missing'}. It must be the id of a provider in upstream_tokens of the client.`
    throw new OAuthError('invalid_target', text)
  }
  if (form.get('subject_token_type') !== ACCESS_TOKEN) {
    throw new OAuthError('invalid_request', `subject_token_type must be ${ACCESS_TOKEN}.`)
  }
  const subject = await verifyAccessToken(c.env, c.get('config'), form.get('subject_token') ?? '')
  if (!subject || !isIssuedTo(client, subject)) {
    throw new OAuthError('invalid_grant', 'subject_token is not an access token of this client.')
  }
  const token = await readProviderToken(c.env, subject, provider)
  if ('rejected' in token) {
    const isProvidersFault = token.rejected === 'invalid'
    addToLog<string>(c, {
      provider,
      ...token.detail,
      ...(isProvidersFault && { event: 'provider_invalid' }),
    })
    throw rejection(token)
  }
  addToLog<'platform_token'>(c, { event: 'platform_token', userId: subject.userId, provider })
  return {
    access_token: token.accessToken,
    issued_token_type: ACCESS_TOKEN,
    token_type: 'Bearer',
    ...(token.expiresAt !== undefined && { expires_in: token.expiresAt - nowInSeconds() }),
    scope: token.scope.join(' '),
  }
}

function rejection({ rejected }: ProviderTokenRejection): OAuthError {
  switch (rejected) {
    case 'grant_ended':
      return new OAuthError('invalid_grant', 'The grant has ended.')
    case 'gone':
      return new OAuthError('invalid_grant', 'No provider token is stored: sign in again.')
    case 'invalid':
      return new OAuthError('invalid_grant', "The provider's response is invalid: sign in again.")
    case 'unavailable':
      return new OAuthError('temporarily_unavailable', 'The provider did not respond: try again.')
  }
}
