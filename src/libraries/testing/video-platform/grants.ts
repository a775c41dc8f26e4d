import { newCode, newToken } from './identifiers.ts'
import type { Code, Grant, Platform, RefreshToken } from './platform.ts'

/** Seconds. Not documented; developers report "minutes". */
const CODE_LIFETIME = 300

/** Seconds: 365 days from the first issue. */
const REFRESH_TOKEN_LIFETIME = 31_536_000

/** The result of a code exchange or a refresh. */
export interface IssuedTokens {
  grant: Grant
  accessToken: string
  refresh: RefreshToken
  refreshExpiresIn: number
}

export function findGrant(platform: Platform, clientKey: string, handle: string) {
  return platform.grants.get(grantKey(clientKey, handle))
}

/** All grants of one user. */
export function listGrants(platform: Platform, handle: string): Grant[] {
  return [...platform.grants.values()].filter((grant) => grant.handle === handle)
}

/** Stores a grant. Granting again replaces the scopes and keeps the tokens. */
export function recordGrant(platform: Platform, granted: Omit<Grant, 'refresh'>): Grant {
  const key = grantKey(granted.clientKey, granted.handle)
  const grant = platform.grants.get(key) ?? { ...granted }
  grant.scopes = granted.scopes
  platform.grants.set(key, grant)
  return grant
}

/** Ends a grant, its codes, its access tokens and its refresh token. */
export function endGrant(platform: Platform, grant: Grant): void {
  platform.grants.delete(grantKey(grant.clientKey, grant.handle))
  for (const [code, { grant: owner }] of platform.codes) {
    if (owner === grant) platform.codes.delete(code)
  }
  for (const [token, { grant: owner }] of platform.accessTokens) {
    if (owner === grant) platform.accessTokens.delete(token)
  }
}

export function issueCode(platform: Platform, code: Omit<Code, 'expiresAt'>): string {
  const value = newCode() + (platform.switches.codes === 'usual' ? '' : '%2B')
  platform.codes.set(value, { ...code, expiresAt: platform.now() + CODE_LIFETIME })
  return value
}

/** Finds a code that has not expired and was issued to this app. */
export function findCode(platform: Platform, clientKey: string, value: string): Code | undefined {
  const code = platform.codes.get(value)
  if (code?.grant.clientKey !== clientKey) return undefined
  return code.expiresAt > platform.now() ? code : undefined
}

/** Exchanges a code for the first tokens of a sign-in. */
export function redeemCode(platform: Platform, value: string, code: Code): IssuedTokens {
  platform.codes.delete(value)
  const firstIssuedAt = platform.now()
  code.grant.refresh = { token: newToken('rft'), scopes: code.scopes, firstIssuedAt }
  return issueAccessToken(platform, code.grant, code.grant.refresh)
}

/**
 * Exchanges a refresh token: only the current one of its grant, within a year of the first issue.
 */
export function redeemRefreshToken(
  platform: Platform,
  clientKey: string,
  refreshToken: string,
): IssuedTokens | undefined {
  for (const grant of platform.grants.values()) {
    const { refresh } = grant
    if (grant.clientKey !== clientKey || refresh?.token !== refreshToken) continue
    if (refresh.firstIssuedAt + REFRESH_TOKEN_LIFETIME <= platform.now()) return undefined

    const rotates = platform.switches.rotation === 'always'
    grant.refresh = rotates ? { ...refresh, token: newToken('rft') } : refresh
    return issueAccessToken(platform, grant, grant.refresh)
  }
  return undefined
}

/** Finds an access token that has not expired. */
export function findAccessToken(platform: Platform, accessToken: string) {
  const token = platform.accessTokens.get(accessToken)
  return token !== undefined && token.expiresAt > platform.now() ? token : undefined
}

function issueAccessToken(platform: Platform, grant: Grant, refresh: RefreshToken): IssuedTokens {
  const accessToken = newToken('act')
  platform.accessTokens.set(accessToken, {
    grant,
    scopes: refresh.scopes,
    expiresAt: platform.now() + platform.switches.accessTtl,
  })
  const refreshExpiresIn = refresh.firstIssuedAt + REFRESH_TOKEN_LIFETIME - platform.now()
  return { grant, accessToken, refresh, refreshExpiresIn }
}

function grantKey(clientKey: string, handle: string): string {
  return `${clientKey} ${handle}`
}
