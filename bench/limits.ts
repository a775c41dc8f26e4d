/*
 * Alarms, not targets. A feature may move one, by a decision that says what it costs; code is not
 * bent to stay below them.
 */

/**
 * The most CPU a job may use, as a multiple of what the floor uses for the same job. These three are
 * about an eighth more than in November 2026.
 */
export const CPU_RATIO = 2.2

/** The same for a full sign-in, of which requests to the platform are a large part. */
export const CPU_RATIO_OF_SIGN_INS = 2.4

/**
 * The same for the start of a sign-in, which seals two cookies where the floor signs one (decision
 * 65).
 */
export const CPU_RATIO_OF_SIGN_IN_STARTS = 3.1

/** The most CPU a job may use, as a multiple of what the last release used for it. */
export const CPU_OVER_RELEASE = 1.15

/**
 * Milliseconds of CPU, beyond what an empty worker with the same bindings and texts costs: an eighth
 * more than in November 2026. Compiling code is a large part of it, so the size of the code has no
 * limit of its own.
 */
export const COLD_START = { core: 60, template: 75, everything: 90 }

/** KiB that passkeys and email may add to it together. */
export const LOCAL_PROVIDERS_SIZE = 30
