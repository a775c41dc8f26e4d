import type { App } from './apps.ts'
import { createAvatarUrl } from './avatars.ts'
import { deriveOpenId, deriveUnionId } from './identifiers.ts'
import type { Persona } from './personas.ts'
import { BASIC } from './scopes.ts'

/** The scope that each user info field requires. */
export const FIELD_SCOPES: ReadonlyMap<string, string> = new Map([
  ['open_id', BASIC],
  ['union_id', BASIC],
  ['avatar_url', BASIC],
  ['avatar_url_100', BASIC],
  ['avatar_large_url', BASIC],
  ['display_name', BASIC],
  ['username', 'user.info.profile'],
  ['bio_description', 'user.info.profile'],
  ['profile_deep_link', 'user.info.profile'],
  ['is_verified', 'user.info.profile'],
  ['follower_count', 'user.info.stats'],
  ['following_count', 'user.info.stats'],
  ['likes_count', 'user.info.stats'],
  ['video_count', 'user.info.stats'],
])

export type UserFields = Record<string, string | number | boolean | undefined>

/** All user info fields of one user in one app. Missing ones are undefined. */
export async function getUserFields(
  app: App,
  persona: Persona,
  request: { origin: string; now: number },
): Promise<UserFields> {
  const { handle, hasAvatar, hasUnionId } = persona
  const avatar = (pixels: number) =>
    hasAvatar ? createAvatarUrl({ ...request, handle, pixels }) : Promise.resolve(undefined)
  return {
    open_id: await deriveOpenId(app.clientKey, handle),
    union_id: hasUnionId ? await deriveUnionId(app.developer, handle) : undefined,
    avatar_url: await avatar(168),
    avatar_url_100: await avatar(100),
    avatar_large_url: await avatar(1080),
    display_name: persona.displayName,
    username: persona.username,
    bio_description: persona.bio,
    profile_deep_link: `https://vm.tiktok.com/${handle}/`,
    is_verified: persona.verified,
    follower_count: persona.followers,
    following_count: persona.following,
    likes_count: persona.likes,
    video_count: persona.videos,
  }
}
