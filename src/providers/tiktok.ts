import * as z from 'zod/mini'
import { flag, number } from '../config/schemas.ts'
import { reported, SignInError } from '../errors.ts'
import { parseJson } from '../json.ts'
import { isPassing } from '../upstream/bounded-fetch.ts'
import { configure } from './configure.ts'
import type { BoundedFetch, OAuth2Config, TokenSet } from './oauth-types.ts'
import type { OAuthUserConfig } from './types.ts'

/** What the platform's user info endpoint answers. `error` is there on success too, with the code "ok". */
// biome-ignore lint/suspicious/noExplicitAny: the interface says so.
export interface TiktokProfile extends Record<string, any> {
  data: {
    user: {
      /** The person's name in this app; another app of the same developer sees another one. */
      open_id: string
      /** The person's name in all apps of one developer. Not always sent. */
      union_id?: string
      display_name: string
      username: string
      /** Signed, and gone after some days. */
      avatar_url: string
      avatar_url_100?: string
      /** Has to be asked for by its own name. */
      avatar_large_url?: string
      bio_description?: string
      profile_deep_link?: string
      is_verified?: boolean
      follower_count?: number
      following_count?: number
      likes_count?: number
      video_count?: number
      /** The platform has none, ever. */
      email?: string
    }
  }
  error: { code: string; message: string; log_id: string }
}

const text = z.optional(z.string())
const count = z.optional(number)

/**
 * What each scope lets us ask. One field outside the granted ones fails the whole request; and every field but the
 * identity may be missing, whatever the documented types say.
 */
const BASIC = {
  open_id: z.string().check(z.refine((id) => id !== '')),
  union_id: text,
  avatar_url: text,
  avatar_url_100: text,
  avatar_large_url: text,
  display_name: text,
}
const PROFILE = {
  username: text,
  bio_description: text,
  profile_deep_link: text,
  is_verified: z.optional(flag),
}
const STATS = {
  follower_count: count,
  following_count: count,
  likes_count: count,
  video_count: count,
}

/**
 * Sign-in through the short-video platform. `clientId` is the app's Client Key.
 *
 * The platform speaks a dialect of OAuth 2: the client id has another name, scopes are joined by
 * commas, errors arrive with status 200, a loopback callback needs a hex challenge, and there is no
 * email address. All of it is told here, and the generic exchange stays strict.
 */
export function TikTok<P extends TiktokProfile>(options: OAuthUserConfig<P> = {}): OAuth2Config<P> {
  const defaults: OAuth2Config<P> = {
    id: 'tiktok',
    name: 'TikTok',
    type: 'oauth',
    issuer: 'https://www.tiktok.com',
    jwks_endpoint: undefined,
    clientIdParameter: 'client_key',
    codeChallenge: 'hex',
    checks: ['state', 'pkce'],
    authorization: {
      url: 'https://www.tiktok.com/v2/auth/authorize/',
      params: { scope: 'user.info.basic' },
    },
    reconsider: { disable_auto_auth: '1' },
    token: 'https://open.tiktokapis.com/v2/oauth/token/',
    userinfo: {
      url: 'https://open.tiktokapis.com/v2/user/info/',
      request: ({ url, tokens, fetch }) => requestProfile(url, tokens, fetch) as Promise<P>,
    },
    revocation: 'https://open.tiktokapis.com/v2/oauth/revoke/',
    scopeSeparator: ',',
    identity: ({ open_id }) =>
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
        extras: Object.fromEntries(EXTRAS.map((name) => [name, user[name]])),
      }
    },
    style: { brandColor: '#000000', logo: NOTE },
  }
  return configure(defaults, options)
}

/** What only this platform knows of people. */
const EXTRAS = Object.keys({ ...PROFILE, ...STATS }) as (
  | keyof typeof PROFILE
  | keyof typeof STATS
)[]

const envelope = z.object({
  data: z.optional(z.object({ user: z.optional(z.object({ ...BASIC, ...PROFILE, ...STATS })) })),
  error: z.optional(z.object({ code: z.string(), log_id: text, message: text })),
})

async function requestProfile(
  url: string,
  tokens: TokenSet,
  fetch: BoundedFetch,
): Promise<unknown> {
  const request = new URL(url)
  request.searchParams.set('fields', fieldsFor(tokens).join(','))
  const response = await fetch(request.href, {
    headers: { Authorization: `Bearer ${tokens.access_token}` },
  })
  const answer = envelope.safeParse(parseJson(await response.text()))

  const error = answer.data?.error
  const detail = {
    upstreamStatus: response.status,
    ...reported({ upstreamError: error?.code, logId: error?.log_id }),
  }
  if (isPassing(response.status)) throw new SignInError('provider_unavailable', { detail })
  if (!response.ok || (error && error.code !== 'ok'))
    throw new SignInError('provider_refused', { detail })
  if (!answer.data?.data?.user) {
    throw new SignInError('provider_invalid', { detail, cause: answer.error })
  }
  return answer.data
}

/** The token response tells what was granted; it may be less than what was asked. */
function fieldsFor({ scope = '' }: TokenSet): string[] {
  const granted = scope.split(/[,\s]+/)
  if (!granted.includes('user.info.basic')) throw new SignInError('scope_missing')
  return Object.keys({
    ...BASIC,
    ...(granted.includes('user.info.profile') && PROFILE),
    ...(granted.includes('user.info.stats') && STATS),
  })
}

/** A note of music, drawn by us: a page that asks nobody for its pictures. */
const NOTE =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%23fff' stroke-width='2.5' stroke-linecap='round'%3E%3Ccircle cx='9' cy='17' r='4'/%3E%3Cpath d='M13 17V3c0 3 2.500 5.500 6 6'/%3E%3C/svg%3E"
