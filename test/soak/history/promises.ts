/*
 * What the documentation promises (docs/endpoints.md, docs/operations.md): for how long something may
 * be accepted after its end was acknowledged, in milliseconds. Whatever reads the user's object
 * rejects it at once. The service is not asked: these are its promises, not its constants.
 */

const SECOND = 1000

/** At APIs that read the revocation feed. */
export const FEED = 15 * SECOND

/** At `/api/auth/session?token=false`, which reads a copy. */
export const DISPLAY = 3600 * SECOND

/** At the service's own endpoints, after keys were revoked or a client was changed. */
export const REGISTRATIONS = 60 * SECOND

/** In the JWKS, after keys were revoked. */
export const PUBLISHED_KEYS = 5 * SECOND

/** Requests with the same refresh token get the same successor for this long. */
export const GRACE_PERIOD = 20 * SECOND

/** How long a code is valid. */
export const CODE_LIFETIME = 60 * SECOND

/** A user's object publishes again after this time what it could not publish. */
export const RETRY_DELAY = 10 * SECOND

/** By how much the clocks of two processes of the service may differ. */
export const CLOCK_SLACK = 5 * SECOND

/** By how much the clock of an API may differ besides. */
export const CLOCK_TOLERANCE = 5 * SECOND

/**
 * For how long after a change of the keys a verifier may not know the new ones, and after a change of
 * a client tokens may be revoked that were issued meanwhile.
 */
export const CHANGE_SPREADS = 90 * SECOND
