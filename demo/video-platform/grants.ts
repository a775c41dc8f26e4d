import { newCode, newToken } from './identifiers.ts'
import type { Code, Grant, Platform, RefreshToken } from './platform.ts'

/** Not documented; reports say "minutes". */
const CODE_TTL = 300

/** 365 days from the first issue. */
const REFRESH_TTL = 31_536_000

/** What an exchange or a refresh hands out. */
export interface IssuedTokens {
  grant: Grant
  accessToken: string
  refresh: RefreshToken
  refreshExpiresIn: number
}

export function findGrant(platform: Platform, clientKey: string, handle: string) {
  return platform.grants.get(keyOf(clientKey, handle))
}

/** Everything one person has allowed. */
export function grantsOf(platform: Platform, handle: string): Grant[] {
  return [...platform.grants.values()].filter((grant) => grant.handle === handle)
}

/** Remembers what a person allowed; allowing again replaces the scopes and keeps the tokens. */
export function recordGrant(platform: Platform, allowed: Omit<Grant, 'refresh'>): Grant {
  const key = keyOf(allowed.clientKey, allowed.handle)
  const grant = platform.grants.get(key) ?? { ...allowed }
  grant.scopes = allowed.scopes
  platform.grants.set(key, grant)
  return grant
}

/** Ends a grant and everything that came from it: codes, access tokens, the refresh token. */
export function endGrant(platform: Platform, grant: Grant): void {
  platform.grants.delete(keyOf(grant.clientKey, grant.handle))
  for (const [code, { grant: owner }] of platform.codes) {
    if (owner === grant) platform.codes.delete(code)
  }
  for (const [token, { grant: owner }] of platform.accessTokens) {
    if (owner === grant) platform.accessTokens.delete(token)
  }
}

export function issueCode(platform: Platform, code: Omit<Code, 'expiresAt'>): string {
  const value = newCode() + (platform.switches.codes === 'usual' ? '' : '%2B')
  platform.codes.set(value, { ...code, expiresAt: platform.now() + CODE_TTL })
  return value
}

/** A code that still works, for the app it was made for. */
export function findCode(platform: Platform, clientKey: string, value: string): Code | undefined {
  const code = platform.codes.get(value)
  if (code?.grant.clientKey !== clientKey) return undefined
  return code.expiresAt > platform.now() ? code : undefined
}

/** Spends a code for the first tokens of a sign-in. */
export function redeemCode(platform: Platform, value: string, code: Code): IssuedTokens {
  platform.codes.delete(value)
  const firstIssuedAt = platform.now()
  code.grant.refresh = { token: newToken('rft'), scopes: code.scopes, firstIssuedAt }
  return issueAccessToken(platform, code.grant, code.grant.refresh)
}

/** Spends a refresh token: only the live one of its grant, within a year of the first issue. */
export function redeemRefreshToken(
  platform: Platform,
  clientKey: string,
  shown: string,
): IssuedTokens | undefined {
  for (const grant of platform.grants.values()) {
    const { refresh } = grant
    if (grant.clientKey !== clientKey || refresh?.token !== shown) continue
    if (refresh.firstIssuedAt + REFRESH_TTL <= platform.now()) return undefined

    const rotates = platform.switches.rotation === 'always'
    grant.refresh = rotates ? { ...refresh, token: newToken('rft') } : refresh
    return issueAccessToken(platform, grant, grant.refresh)
  }
  return undefined
}

/** An access token that still works. */
export function findAccessToken(platform: Platform, shown: string) {
  const token = platform.accessTokens.get(shown)
  return token !== undefined && token.expiresAt > platform.now() ? token : undefined
}

function issueAccessToken(platform: Platform, grant: Grant, refresh: RefreshToken): IssuedTokens {
  const accessToken = newToken('act')
  platform.accessTokens.set(accessToken, {
    grant,
    scopes: refresh.scopes,
    expiresAt: platform.now() + platform.switches.accessTtl,
  })
  const refreshExpiresIn = refresh.firstIssuedAt + REFRESH_TTL - platform.now()
  return { grant, accessToken, refresh, refreshExpiresIn }
}

function keyOf(clientKey: string, handle: string): string {
  return `${clientKey} ${handle}`
}
