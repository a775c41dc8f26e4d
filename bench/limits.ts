/** The most CPU a job may use, as a multiple of what the floor uses for the same job. */
export const CPU_RATIO = 1.8

/**
 * The same for jobs on which the floor spends almost nothing. There the fixed cost of every request (routing,
 * security headers, the log line) is most of the ratio.
 */
export const CPU_RATIO_OF_SHORT_JOBS = 2.2

/** Milliseconds of CPU, beyond what starting an empty worker costs. */
export const COLD_START = 30

/** KiB, compressed with gzip, as wrangler reports it. The size of the bundle decides half of a cold start. */
export const BUNDLE = 120
