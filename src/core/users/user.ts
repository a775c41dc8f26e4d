import type { CallbackUser } from '../config/callbacks.ts'

/** Our record of a user. What features add, such as roles, the directory does not store with it. */
export interface UserRecord extends CallbackUser {
  id: `usr_${string}`
}

/** {@link https://openid.net/specs/openid-connect-core-1_0.html#StandardClaims} */
type UserClaims = {
  name?: string
  preferred_username?: string
  email?: string
  /** Only verified addresses are stored. */
  email_verified?: true
  picture?: string
  profile?: string
}

/** The user's standard claims, without `sub`. */
export function toClaims({ name, username, email, image, url }: UserRecord): UserClaims {
  return {
    ...(name && { name }),
    ...(username && { preferred_username: username }),
    ...(email && { email, email_verified: true as const }),
    ...(image && { picture: image }),
    ...(url && { profile: url }),
  }
}

/**
 * The user as claims describe them, of which a deployment may have replaced some. An email address
 * counts only if it is verified.
 */
export function applyClaims<User extends UserRecord>(
  { name: _, username: __, email: ___, image: ____, url: _____, ...user }: User,
  claims: Readonly<Record<string, unknown>>,
) {
  const described = {
    name: claims['name'],
    username: claims['preferred_username'],
    email: claims['email_verified'] === true ? claims['email'] : undefined,
    image: claims['picture'],
    url: claims['profile'],
  }
  const texts = Object.entries(described).filter(([, value]) => typeof value === 'string')
  return { ...user, ...Object.fromEntries(texts) }
}
