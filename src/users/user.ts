/** Our record of a person. What the platform leaves out is left out, never null. */
export interface UserRecord {
  id: `usr_${string}`
  name?: string
  username?: string
  email?: string
  image?: string
  /** Their page at the platform. */
  url?: string
}

/** {@link https://openid.net/specs/openid-connect-core-1_0.html#StandardClaims} */
export interface UserClaims {
  name?: string
  preferred_username?: string
  email?: string
  /** We keep no other. */
  email_verified?: true
  picture?: string
  profile?: string
}

/** A person in the words of OpenID Connect. The subject is `id`, and stands apart. */
export function claimsOf({ name, username, email, image, url }: UserRecord): UserClaims {
  return {
    ...(name && { name }),
    ...(username && { preferred_username: username }),
    ...(email && { email, email_verified: true as const }),
    ...(image && { picture: image }),
    ...(url && { profile: url }),
  }
}
