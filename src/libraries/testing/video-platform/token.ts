import { Hono } from 'hono'
import { type ClientForm, malformedRequest, readClientForm } from './client-form.ts'
import { OAuthError } from './errors.ts'
import { findCode, type IssuedTokens, redeemCode, redeemRefreshToken } from './grants.ts'
import { deriveOpenId, hexChallenge, newToken } from './identifiers.ts'
import type { Code, Platform, StandInEnv } from './platform.ts'

/** Seconds: two hours. */
const CLIENT_TOKEN_LIFETIME = 7200

export const token = new Hono<StandInEnv>().post('/v2/oauth/token/', async (c) => {
  const platform = c.get('platform')
  const form = await readClientForm(c)

  switch (form.fields.get('grant_type')) {
    case undefined:
    case '':
      throw malformedRequest()
    case 'authorization_code':
      return c.json(await tokenResponse(platform, await exchangeCode(platform, form)))
    case 'refresh_token':
      return c.json(await tokenResponse(platform, refreshTokens(platform, form)))
    case 'client_credentials':
      return c.json({
        access_token: newToken('clt'),
        expires_in: CLIENT_TOKEN_LIFETIME,
        token_type: 'Bearer',
      })
    default:
      throw new OAuthError('unsupported_grant_type', 'The grant type is not supported.')
  }
})

/**
 * After a failed attempt the code stays valid; whether the real platform does the same is not
 * documented.
 */
async function exchangeCode(
  platform: Platform,
  { app, fields }: ClientForm,
): Promise<IssuedTokens> {
  const value = fields.get('code')
  const redirectUri = fields.get('redirect_uri')
  const verifier = fields.get('code_verifier')
  if (!value || !redirectUri) throw malformedRequest()
  // Hashed before the lookup: an `await` between lookup and redemption would allow a code to be
  // used twice.
  const challenge = verifier === undefined ? undefined : await hexChallenge(verifier)

  const code = findCode(platform, app.clientKey, value)
  if (code === undefined) throw new OAuthError('invalid_grant', 'Authorization code is expired.')
  if (code.redirectUri !== redirectUri) {
    throw new OAuthError(
      'invalid_request',
      'Redirect_uri is not matched with the uri when requesting code.',
    )
  }
  verifyChallenge(code, challenge)
  return redeemCode(platform, value, code)
}

function verifyChallenge({ pkce }: Code, challenge: string | undefined): void {
  if (pkce === 'ignored') return
  if (pkce === 'rejected') {
    if (challenge !== undefined) throw malformedRequest()
    return
  }
  if (pkce.challenge !== challenge) {
    throw new OAuthError('invalid_request', 'Code verifier or code challenge is invalid.')
  }
}

function refreshTokens(platform: Platform, { app, fields }: ClientForm): IssuedTokens {
  const refreshToken = fields.get('refresh_token')
  if (!refreshToken) throw malformedRequest()

  const issued = redeemRefreshToken(platform, app.clientKey, refreshToken)
  if (issued === undefined) {
    throw new OAuthError('invalid_grant', 'Refresh token is invalid or expired.')
  }
  return issued
}

async function tokenResponse(platform: Platform, issued: IssuedTokens) {
  const { grant, accessToken, refresh, refreshExpiresIn } = issued
  return {
    access_token: accessToken,
    expires_in: platform.switches.accessTtl,
    open_id: await deriveOpenId(grant.clientKey, grant.handle),
    refresh_expires_in: refreshExpiresIn,
    refresh_token: refresh.token,
    scope: [...refresh.scopes].sort().join(','),
    token_type: 'Bearer',
  }
}
