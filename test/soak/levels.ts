/**
 * How much the tests repeat. `npm test` proves that a race or forgery is handled at all; `npm run
 * soak` repeats it until a fault that shows once in hundreds of rounds is likely to be seen, and
 * `--short` does so within a minute. Without `perSecond`, the load is half of what this machine can
 * do.
 */
export const LEVELS = {
  test: {
    races: 12,
    block: 3,
    forgeries: 200,
    model: { runs: 200, serviceRuns: 10, maxSeconds: 4 },
    crash: { rounds: 1, users: 20 },
  },
  short: {
    races: 40,
    block: 10,
    forgeries: 1000,
    model: { runs: 500, serviceRuns: 25, maxSeconds: 30 },
    crash: { rounds: 1, users: 50 },
    load: { perSecond: 5, seconds: 10 },
  },
  full: {
    races: 340,
    block: 150,
    forgeries: 10_000,
    model: { runs: 10_000, serviceRuns: 500, maxSeconds: 400 },
    crash: { rounds: 3, users: 200 },
    load: { perSecond: undefined, seconds: 480 },
  },
} as const

export type Level = keyof typeof LEVELS

export function isLevel(name: string): name is Level {
  return Object.hasOwn(LEVELS, name)
}
