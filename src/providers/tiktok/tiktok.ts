import type { ClientAuth } from 'oauth4webapi'
import { upstreamErrorDetail } from '../../foundation/errors/failure-detail.ts'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { isObject, parseJsonObject } from '../../foundation/values/json.ts'
import { configure } from '../../provider-interface/configure.ts'
import type { BoundedFetch, OAuth2Config, TokenSet } from '../../provider-interface/oauth-types.ts'
import { requireSameAccount, withQuery } from '../../provider-interface/quirks.ts'
import { isTransientStatus } from '../../provider-interface/transient-status.ts'
import type { OAuthUserConfig } from '../../provider-interface/types.ts'
import { logo } from '../logo.ts'
import { readNotification } from './notifications.ts'
import { TIKTOK_SETTINGS } from './settings.ts'

/**
 * The response of TikTok's user info endpoint. `error` is present on success too, with the code
 * "ok".
 */
// biome-ignore lint/suspicious/noExplicitAny: the interface defines it so.
export interface TiktokProfile extends Record<string, any> {
  data: {
    user: {
      /** The user's id in this app; every app has a different one. */
      open_id: string
      /** The user's id in all apps of one developer. Not always sent. */
      union_id?: string
      display_name: string
      username: string
      /** A signed URL that expires after some days. */
      avatar_url: string
      avatar_url_100?: string
      /** Sent only if it is requested by this name. */
      avatar_large_url?: string
      bio_description?: string
      profile_deep_link?: string
      is_verified?: boolean
      follower_count?: number
      following_count?: number
      likes_count?: number
      video_count?: number
      /** TikTok never sends one. */
      email?: string
    }
  }
  error: { code: string; message: string; log_id: string }
}

/*
 * The fields each scope allows. Requesting one field outside the granted scopes fails the whole
 * request, and every field except the id may be missing, whatever the documented types say.
 */
const BASIC_FIELDS = [
  'open_id',
  'union_id',
  'avatar_url',
  'avatar_url_100',
  'avatar_large_url',
  'display_name',
] as const
const PROFILE_FIELDS = ['username', 'bio_description', 'profile_deep_link', 'is_verified'] as const
const STATS_FIELDS = ['follower_count', 'following_count', 'likes_count', 'video_count'] as const

/** The scopes that TikTok documents; those that end with a dot have many variants. */
const KNOWN_SCOPES = [
  'user.info.basic',
  'user.info.profile',
  'user.info.stats',
  'video.list',
  'video.publish',
  'video.upload',
  'portability.',
  'research.',
  'artist.certification.',
  'local.',
]

/** The fields that become the claim `platform`. */
const EXTRA_FIELDS = [...PROFILE_FIELDS, ...STATS_FIELDS]

/**
 * TikTok deviates from OAuth 2 in several ways: the client id is called `client_key`, scopes are
 * separated by commas, a charset in the content type is rejected, and the code challenge is hex.
 * TikTok sends no email address. `AUTH_TIKTOK_SCOPE` is `user.info.basic` by default.
 *
 * {@link https://developers.tiktok.com/doc/login-kit-web}
 */
export function TikTok<P extends TiktokProfile>(options: OAuthUserConfig<P> = {}): OAuth2Config<P> {
  const defaults: OAuth2Config<P> = {
    id: 'tiktok',
    name: 'TikTok',
    type: 'oauth',
    issuer: 'https://www.tiktok.com',
    jwks_endpoint: undefined,
    clientIdParameter: 'client_key',
    clientAuth: ClientKeyPost,
    customFetch: withoutCharset,
    codeChallengeEncoding: 'hex',
    checks: ['state', 'pkce'],
    authorization: {
      url: 'https://www.tiktok.com/v2/auth/authorize/',
      params: { scope: 'user.info.basic' },
    },
    promptParams: { disable_auto_auth: '1' },
    token: 'https://open.tiktokapis.com/v2/oauth/token/',
    userinfo: {
      url: 'https://open.tiktokapis.com/v2/user/info/',
      request: ({ url, params, tokens, fetch }) =>
        requestProfile({ url, params }, tokens, fetch) as Promise<P>,
    },
    revocation: 'https://open.tiktokapis.com/v2/oauth/revoke/',
    scopeSeparator: ',',
    knownScopes: KNOWN_SCOPES,
    knownFields: [...BASIC_FIELDS, ...EXTRA_FIELDS],
    accountIdFromTokens: ({ open_id }) =>
      typeof open_id === 'string' && open_id !== '' ? open_id : undefined,
    profile({ data: { user } }) {
      return {
        id: user.open_id,
        name: user.display_name || user.username,
        email: null,
        image: user.avatar_large_url || user.avatar_url,
        username: user.username,
        url: user.profile_deep_link,
        unionId: user.union_id,
        extras: Object.fromEntries(EXTRA_FIELDS.map((name) => [name, user[name]])),
      }
    },
    settings: TIKTOK_SETTINGS,
    readNotification,
    registration: { url: 'https://developers.tiktok.com/apps', idName: 'Client key' },
    style: { brandColor: '#000000', logo: logo('white', LOGO) },
  }
  return configure(defaults, options)
}

/** `client_secret_post` with TikTok's name for the client id. */
function ClientKeyPost(clientSecret: string): ClientAuth {
  return (_server, client, body) => {
    body.set('client_key', client.client_id)
    body.set('client_secret', clientSecret)
  }
}

/**
 * TikTok rejects a content type with a charset, which means nothing there (RFC 6749 appendix B).
 */
function withoutCharset(fetch: BoundedFetch): BoundedFetch {
  return (url, init) => {
    if (init?.method !== 'POST') return fetch(url, init)
    const headers = new Headers(init.headers)
    headers.set('Content-Type', 'application/x-www-form-urlencoded')
    return fetch(url, { ...init, headers })
  }
}

async function requestProfile(
  { url, params }: { url: string; params: Record<string, string> },
  tokens: TokenSet,
  fetch: BoundedFetch,
): Promise<unknown> {
  const fields = requestedFields(params, tokens).join(',')
  const response = await fetch(withQuery(url, { ...params, fields }).href, {
    headers: { Authorization: `Bearer ${tokens.access_token}` },
  })
  const result = parseJsonObject(await response.text())
  const error = result?.['error'] ?? undefined
  const { code, log_id: logId } = asObject(error)
  const detail = {
    upstreamStatus: response.status,
    ...upstreamErrorDetail({ error: typeof code === 'string' ? code : undefined, logId }),
  }
  if (isTransientStatus(response.status)) throw new SignInError('provider_unavailable', { detail })
  if (!response.ok || (error !== undefined && code !== 'ok')) {
    throw new SignInError('provider_refused', { detail })
  }
  const { open_id } = asObject(asObject(result?.['data'])['user'])
  if (typeof open_id !== 'string' || open_id === '') {
    throw new SignInError('provider_invalid', { detail })
  }
  requireSameAccount(open_id, tokens['open_id'])
  return result
}

function asObject(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}

/** Of the fields that a deployment wants, those that were granted. Users need an id. */
function requestedFields({ fields }: Record<string, string>, tokens: TokenSet): string[] {
  const granted = grantedFields(tokens)
  if (fields === undefined) return granted
  const wanted = ['open_id', ...fields.split(/[,\s]+/)]
  return granted.filter((field) => wanted.includes(field))
}

/** The token response names the granted scopes, which may be fewer than requested. */
function grantedFields({ scope = '' }: TokenSet): string[] {
  const granted = scope.split(/[,\s]+/)
  if (!granted.includes('user.info.basic')) throw new SignInError('scope_missing')
  return [
    ...BASIC_FIELDS,
    ...(granted.includes('user.info.profile') ? PROFILE_FIELDS : []),
    ...(granted.includes('user.info.stats') ? STATS_FIELDS : []),
  ]
}

const LOGO =
  'M12.525.02c1.31-.02 2.61-.01 3.91-.02.08 1.53.63 3.09 1.75 4.17 1.12 1.11 2.7 1.62 4.24 1.79v4.03c-1.44-.05-2.89-.35-4.2-.97-.57-.26-1.1-.59-1.62-.93-.01 2.92.01 5.84-.02 8.75-.08 1.4-.54 2.79-1.35 3.94-1.31 1.92-3.58 3.17-5.91 3.21-1.43.08-2.86-.31-4.08-1.03-2.02-1.19-3.44-3.37-3.65-5.71-.02-.5-.03-1-.01-1.49.18-1.9 1.12-3.72 2.58-4.96 1.66-1.44 3.98-2.13 6.15-1.72.02 1.48-.04 2.96-.04 4.44-.99-.32-2.15-.23-3.02.37-.63.41-1.11 1.04-1.36 1.75-.21.51-.15 1.07-.14 1.61.24 1.64 1.82 3.02 3.5 2.87 1.12-.01 2.19-.66 2.77-1.61.19-.33.4-.67.41-1.06.1-1.79.06-3.57.07-5.36.01-4.03-.01-8.05.02-12.07z'
