import { type Context, Hono } from 'hono'
import { ApiError } from './errors.ts'
import { findAccessToken } from './grants.ts'
import type { AccessToken, Platform, StandInEnv } from './platform.ts'
import { FIELD_SCOPES, getUserFields, type UserFields } from './user-fields.ts'

export const userInfo = new Hono<StandInEnv>().get('/v2/user/info/', async (c) => {
  const platform = c.get('platform')
  const token = requireToken(c)
  const app = platform.apps.get(token.grant.clientKey)
  const persona = platform.personas.get(token.grant.handle)
  if (app === undefined || persona === undefined) throw invalidToken()
  const requested = requireFields(platform, token, c.req.query('fields') ?? '')
  countCall(platform, app.clientKey)

  const { origin } = new URL(c.req.url)
  const fields = await getUserFields(app, persona, { origin, now: platform.now() })
  const user = Object.fromEntries(requested.sort().map((field) => [field, fields[field]]))
  return respondWithUser(c, user)
})

function requireToken(c: Context<StandInEnv>): AccessToken {
  const header = c.req.header('Authorization')
  if (header === undefined) throw invalidToken()
  const [, accessToken] = /^Bearer (\S+)$/.exec(header) ?? []
  if (accessToken === undefined) {
    throw invalidParams('Invalid authorization header. Please check the format.')
  }
  const token = findAccessToken(c.get('platform'), accessToken)
  if (token === undefined) throw invalidToken()
  return token
}

/** A single field outside the granted scopes makes the whole request fail. */
function requireFields(platform: Platform, token: AccessToken, joined: string): string[] {
  const requested = [...new Set(joined.split(',').filter((field) => field !== ''))]
  if (requested.length === 0) throw invalidParams('Fields is required.')

  const existing = requested.filter((field) => FIELD_SCOPES.has(field))
  if (!existing.every((field) => token.scopes.includes(FIELD_SCOPES.get(field) ?? ''))) {
    throw scopeError(platform)
  }
  if (existing.length < requested.length && platform.switches.unknownField === 'refuse') {
    throw invalidParams('Fields contains an unknown field.')
  }
  return existing
}

/** Rejects the call if the app has used up its calls in a sliding minute. */
function countCall(platform: Platform, clientKey: string): void {
  const now = platform.now()
  const recent = (platform.calls.get(clientKey) ?? []).filter((calledAt) => calledAt > now - 60)
  platform.calls.set(clientKey, recent)
  if (recent.length >= platform.switches.callsPerMinute) {
    throw new ApiError(429, 'rate_limit_exceeded', 'The API rate limit was exceeded.')
  }
  recent.push(now)
}

/**
 * A successful response has an `error` too. Like the platform's, the JSON escapes `&`, `<` and `>`.
 */
function respondWithUser(c: Context<StandInEnv>, user: UserFields): Response {
  const envelope = { data: { user }, error: { code: 'ok', message: '', log_id: c.get('logId') } }
  const json = JSON.stringify(envelope).replace(
    /[&<>]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  )
  return c.body(json, 200, { 'Content-Type': 'application/json' })
}

function scopeError({ switches }: Platform): ApiError {
  const status = switches.scopeErrorAs === 'scope_not_authorized' ? 401 : 400
  const message = 'The user did not authorize the scope required for completing this request.'
  return new ApiError(status, switches.scopeErrorAs, message)
}

function invalidToken(): ApiError {
  const message = 'The access token is invalid or not found in the request.'
  return new ApiError(401, 'access_token_invalid', message)
}

function invalidParams(message: string): ApiError {
  return new ApiError(400, 'invalid_params', message)
}
