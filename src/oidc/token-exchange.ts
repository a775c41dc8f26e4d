import { seconds } from '../clock.ts'
import type { Client } from '../config/clients.ts'
import { OAuthError } from '../errors.ts'
import type { AppContext } from '../http/app-env.ts'
import { note } from '../http/request-log.ts'
import { verifyAccessToken } from '../tokens/verify.ts'
import { userObject } from '../users/user-object.ts'
import { decide } from './decide.ts'

export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'

const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'

/**
 * {@link https://www.rfc-editor.org/rfc/rfc8693}: a client shows an access token of ours and gets the platform's
 * own for the same person. Only who is registered for it and keeps secrets may, and never a browser.
 */
export async function exchangeToken(c: AppContext, client: Client, form: URLSearchParams) {
  const provider = form.get('audience') ?? ''
  if (c.req.header('Origin') !== undefined || !client.upstream_tokens.includes(provider))
    throw new OAuthError('invalid_target', "This client may not have that platform's tokens.")
  if (form.get('subject_token_type') !== ACCESS_TOKEN)
    throw new OAuthError('invalid_request', `subject_token_type must be ${ACCESS_TOKEN}.`)
  const shown = await verifyAccessToken(c.env, c.get('config'), form.get('subject_token') ?? '')
  if (shown?.clientId !== client.client_id)
    throw new OAuthError('invalid_grant', 'subject_token is not an access token of this client.')
  const token = await decide(async () =>
    userObject(c.env, shown.userId).platformToken(shown.grantId, provider),
  )
  if ('refused' in token) throw REFUSALS[token.refused]()
  note(c, { event: 'platform_token', userId: shown.userId, provider })
  return {
    access_token: token.accessToken,
    issued_token_type: ACCESS_TOKEN,
    token_type: 'Bearer',
    ...(token.expiresAt !== undefined && { expires_in: token.expiresAt - seconds() }),
    scope: token.scope.join(' '),
  }
}

const REFUSALS = {
  grant: () => new OAuthError('invalid_grant', 'The grant has ended.'),
  gone: () => new OAuthError('invalid_grant', 'There is no platform token: sign in again.'),
  unavailable: () => new OAuthError('temporarily_unavailable', 'The platform does not answer.'),
}
