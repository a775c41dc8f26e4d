/** How long a user may take to sign in at a provider: time to find a phone and a password. */
export const ATTEMPT_LIFETIME = 600 // seconds
