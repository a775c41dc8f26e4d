import { type Browser, serviceWith } from '../../browser.ts'
import { basic, SECRETS } from '../../core/oidc/relying-app.ts'
import { clientsWith } from '../../registered-clients.ts'

export const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token'

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'

/** A deployment that keeps the platform's tokens and hands them to the client `web`. */
export const keepingTokens = serviceWith({
  AUTH_TIKTOK_TOKENS: 'keep',
  CLIENTS: clientsWith({ web: { upstream_tokens: ['tiktok'] } }),
})

interface TokenResponse {
  status: number
  access_token?: string
  expires_in?: number
  scope?: string
  issued_token_type?: string
  error?: string
  error_description?: string
}

/**
 * Exchanges one of our access tokens for the platform's access token of the same user (RFC 8693).
 */
export async function exchangeToken(
  browser: Browser,
  accessToken: string,
  changes: Record<string, string> = {},
  headers: Record<string, string> = basic('web', SECRETS['web'] ?? ''),
): Promise<TokenResponse> {
  const form = {
    grant_type: TOKEN_EXCHANGE,
    subject_token: accessToken,
    subject_token_type: ACCESS_TOKEN_TYPE,
    audience: 'tiktok',
    ...changes,
  }
  const response = await browser.fetch('/oidc/token', { form, headers })
  return { ...(await response.json<object>()), status: response.status }
}
