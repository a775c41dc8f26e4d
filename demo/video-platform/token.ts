import { Hono } from 'hono'
import { type ClientForm, malformed, readClientForm } from './client-form.ts'
import { OAuthError } from './errors.ts'
import { findCode, type IssuedTokens, redeemCode, redeemRefreshToken } from './grants.ts'
import { hexChallenge, newToken, openIdOf } from './identifiers.ts'
import type { Code, Platform, StandInEnv } from './platform.ts'

/** Two hours. */
const CLIENT_TOKEN_TTL = 7200

export const token = new Hono<StandInEnv>().post('/v2/oauth/token/', async (c) => {
  const platform = c.get('platform')
  const form = await readClientForm(c)

  switch (form.fields.get('grant_type')) {
    case undefined:
    case '':
      throw malformed()
    case 'authorization_code':
      return c.json(await describeTokens(platform, await exchange(platform, form)))
    case 'refresh_token':
      return c.json(await describeTokens(platform, refresh(platform, form)))
    case 'client_credentials':
      return c.json({
        access_token: newToken('clt'),
        expires_in: CLIENT_TOKEN_TTL,
        token_type: 'Bearer',
      })
    default:
      throw new OAuthError('unsupported_grant_type', 'The grant type is not supported.')
  }
})

/** A refused attempt leaves the code alive; nobody knows whether the platform spends it. */
async function exchange(platform: Platform, { app, fields }: ClientForm): Promise<IssuedTokens> {
  const value = fields.get('code')
  const redirectUri = fields.get('redirect_uri')
  const verifier = fields.get('code_verifier')
  if (!value || !redirectUri) throw malformed()
  // Hashed ahead of the look-up: from there on nothing may wait, or a code could be spent twice.
  const challenge = verifier === undefined ? undefined : await hexChallenge(verifier)

  const code = findCode(platform, app.clientKey, value)
  if (code === undefined) throw new OAuthError('invalid_grant', 'Authorization code is expired.')
  if (code.redirectUri !== redirectUri) {
    throw new OAuthError(
      'invalid_request',
      'Redirect_uri is not matched with the uri when requesting code.',
    )
  }
  requireProof(code, challenge)
  return redeemCode(platform, value, code)
}

function requireProof({ pkce }: Code, challenge: string | undefined): void {
  if (pkce === 'ignored') return
  if (pkce === 'refused') {
    if (challenge !== undefined) throw malformed()
    return
  }
  if (pkce.challenge !== challenge) {
    throw new OAuthError('invalid_request', 'Code verifier or code challenge is invalid.')
  }
}

function refresh(platform: Platform, { app, fields }: ClientForm): IssuedTokens {
  const shown = fields.get('refresh_token')
  if (!shown) throw malformed()

  const issued = redeemRefreshToken(platform, app.clientKey, shown)
  if (issued === undefined) {
    throw new OAuthError('invalid_grant', 'Refresh token is invalid or expired.')
  }
  return issued
}

async function describeTokens(platform: Platform, issued: IssuedTokens) {
  const { grant, accessToken, refresh, refreshExpiresIn } = issued
  return {
    access_token: accessToken,
    expires_in: platform.switches.accessTtl,
    open_id: await openIdOf(grant.clientKey, grant.handle),
    refresh_expires_in: refreshExpiresIn,
    refresh_token: refresh.token,
    scope: [...refresh.scopes].sort().join(','),
    token_type: 'Bearer',
  }
}
