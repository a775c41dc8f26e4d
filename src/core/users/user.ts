/** Our record of a user. Values the provider did not send are absent, never null. */
export interface UserRecord {
  id: `usr_${string}`
  name?: string
  username?: string
  email?: string
  image?: string
  /** The user's page at the provider. */
  url?: string
  /** What a feature adds. The directory does not store it with the profile. */
  roles?: readonly string[]
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
