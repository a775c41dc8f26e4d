import { type Context, Hono } from 'hono'
import { ApiError } from './errors.ts'
import { findAccessToken } from './grants.ts'
import type { AccessToken, Platform, StandInEnv } from './platform.ts'
import { FIELD_SCOPES, type UserFields, userFields } from './user-fields.ts'

export const userInfo = new Hono<StandInEnv>().get('/v2/user/info/', async (c) => {
  const platform = c.get('platform')
  const token = requireToken(c)
  const app = platform.apps.get(token.grant.clientKey)
  const persona = platform.personas.get(token.grant.handle)
  if (app === undefined || persona === undefined) throw invalidToken()
  const asked = requireFields(platform, token, c.req.query('fields') ?? '')
  countCall(platform, app.clientKey)

  const { origin } = new URL(c.req.url)
  const known = await userFields(app, persona, { origin, now: platform.now() })
  const user = Object.fromEntries(asked.sort().map((field) => [field, known[field]]))
  return answer(c, user)
})

function requireToken(c: Context<StandInEnv>): AccessToken {
  const header = c.req.header('Authorization')
  if (header === undefined) throw invalidToken()
  const [, shown] = /^Bearer (\S+)$/.exec(header) ?? []
  if (shown === undefined) {
    throw invalidParams('Invalid authorization header. Please check the format.')
  }
  const token = findAccessToken(c.get('platform'), shown)
  if (token === undefined) throw invalidToken()
  return token
}

/** One field outside the granted scopes fails the whole call. */
function requireFields(platform: Platform, token: AccessToken, joined: string): string[] {
  const asked = [...new Set(joined.split(',').filter((field) => field !== ''))]
  if (asked.length === 0) throw invalidParams('Fields is required.')

  const known = asked.filter((field) => FIELD_SCOPES.has(field))
  if (!known.every((field) => token.scopes.includes(FIELD_SCOPES.get(field) ?? ''))) {
    throw scopeError(platform)
  }
  if (known.length < asked.length && platform.switches.unknownField === 'refuse') {
    throw invalidParams('Fields contains an unknown field.')
  }
  return known
}

/** {@link Platform.switches} say how many calls of an app fit into a sliding minute. */
function countCall(platform: Platform, clientKey: string): void {
  const now = platform.now()
  const recent = (platform.calls.get(clientKey) ?? []).filter((at) => at > now - 60)
  platform.calls.set(clientKey, recent)
  if (recent.length >= platform.switches.callsPerMinute) {
    throw new ApiError(429, 'rate_limit_exceeded', 'The API rate limit was exceeded.')
  }
  recent.push(now)
}

/** `error` is there on success too; like the platform's, the JSON escapes `&`, `<` and `>`. */
function answer(c: Context<StandInEnv>, user: UserFields): Response {
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
