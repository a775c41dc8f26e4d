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
