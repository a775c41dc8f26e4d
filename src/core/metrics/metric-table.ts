import { OAUTH_ERRORS } from '../../foundation/errors/oauth-error.ts'

/** The kinds of routes whose requests are counted separately, with the beginnings of their paths. */
const ROUTES = {
  signin: '/api/auth/signin',
  callback: '/api/auth/callback',
  session: '/api/auth/session',
  authorize: '/oidc/authorize',
  token: '/oidc/token',
  discovery: '/.well-known',
  account: '/account',
  admin: '/admin',
} as const

type Route = keyof typeof ROUTES | 'other'

const ROUTE_NAMES = [...keysOf(ROUTES), 'other'] as const

/** The kind of route that a path belongs to. */
export function routeOf(path: string): Route {
  return keysOf(ROUTES).find((name) => `${path}/`.startsWith(`${ROUTES[name]}/`)) ?? 'other'
}

/**
 * What isolates count, with every value that a label can have: never an id or an address, so that
 * nobody can add series by sending requests.
 */
export type Counters = Readonly<
  Record<string, { help?: string; labels: Readonly<Record<string, readonly string[]>> }>
>

/** What is read when the metrics are requested. */
export interface Gauges {
  /** By name. */
  help: Readonly<Record<string, string>>
  /** The samples of each, by name. */
  read(env: Env): Promise<Readonly<Record<string, readonly Sample[]>>>
}

export type Sample = readonly [labels: Readonly<Record<string, string>>, value: number]

/** What the core counts. Features declare others, and pass their type. */
export const COUNTERS = {
  vestibule_failed_requests_total: {
    help: 'Requests that failed with a status of 500 or more.',
    labels: { route: ROUTE_NAMES, status: ['500', '502', '503', 'other'] },
  },
  vestibule_tokens_issued_total: {
    help: 'Successful token requests; refreshes have grant_type="refresh_token".',
    labels: {
      grant_type: ['authorization_code', 'refresh_token', 'client_credentials'],
    },
  },
  vestibule_token_errors_total: {
    help: 'Token requests that failed, by the error in the response.',
    labels: { error: keysOf(OAUTH_ERRORS) },
  },
  vestibule_unknown_clients_total: {
    help: 'Requests of a client that is not registered or is disabled.',
    labels: { endpoint: ['authorize', 'token'] },
  },
  vestibule_limited_requests_total: {
    help: 'Requests that a limit rejected with status 429.',
    labels: {
      limit: ['USER_RATE_LIMIT', 'CLIENT_RATE_LIMIT', 'client_secret'],
    },
  },
  vestibule_rate_limit_failures_total: {
    help: 'Requests that a rate limit could not count, and that were therefore allowed.',
    labels: { limit: ['USER_RATE_LIMIT', 'CLIENT_RATE_LIMIT'] },
  },
  vestibule_logout_notices_total: {
    help: 'Attempts to notify an app of a logout: acknowledged, repeated later, or given up.',
    labels: { outcome: ['delivered', 'delayed', 'given_up'] },
  },
} as const satisfies Counters

/** Counted like the others: one series per bucket, the sum and the count. */
export const DURATION = {
  name: 'vestibule_request_duration_seconds',
  help: 'How long requests waited for storage, providers and email services.',
  labels: { route: ROUTE_NAMES },
  buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10], // seconds
} as const

/** The name of a counter of this table, and its labels, each with one of its values. */
export type Counted<Table extends Counters> = {
  [Name in keyof Table & string]: [
    name: Name,
    labels: {
      readonly [Label in keyof Table[Name]['labels'] & string]: Values<Table[Name]['labels'][Label]>
    },
  ]
}[keyof Table & string]

type Values<List> = List extends readonly (infer Value extends string)[] ? Value : never

function keysOf<T extends object>(object: T): (keyof T & string)[] {
  return Object.keys(object) as (keyof T & string)[]
}
