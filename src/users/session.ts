import type { GrantTerms } from '../grants/grant.ts'
import type { UserRecord } from './user.ts'

/** A browser signed in here. Times are seconds since 1970. */
export interface Session {
  /** Its public name, `ses_…`. The secret that opens it is in the cookie, and its digest in storage. */
  sid: string
  user: UserRecord
  authenticatedAt: number
  /** When the platform was last told to ask the person again; 0 if it may have let them through silently. */
  forcedAt: number
  /** Ends earlier when the person stays away. */
  idleExpiresAt: number
  /** Ends in any case. */
  expiresAt: number
}

/** What a new session needs. Keys are digests of secrets. */
export interface SessionOpening {
  key: string
  sid: string
  /** A digest of the attempt that led here: it opens one session and no second one. */
  attempt: string
  user: UserRecord
  /** Whether the platform was told to ask the person again. */
  isForced: boolean
  /** The session this one replaces, if it is the same person's. */
  replaces?: string
  /** What the browser calls itself, and where it is, for the person to recognise it by. */
  device?: string | null
  place?: string | null
  /** Which account it is opened with, and what its platform has told and granted. */
  account?: string | undefined
  upstream?: Upstream | undefined
}

/** What a platform has told and granted, besides who it is. */
export interface Upstream {
  provider: string
  accountId: string
  scope: readonly string[]
  readAt: number
  /** The platform's own words about the person, for clients that may have them. */
  extras: Record<string, string | number | boolean>
  /** Kept only if the deployment says so. */
  sealedTokens?: string | undefined
}

/** An account, by the platform's name for its owner. */
export type AccountName = Pick<Upstream, 'provider' | 'accountId'>

/** The same in one word, for what is kept by it. */
export function nameOfAccount({ provider, accountId }: AccountName): string {
  return `${provider} ${accountId}`
}

/** A session as its owner sees it. */
export interface SessionLine {
  sid: string
  device: string | undefined
  place: string | undefined
  authenticatedAt: number
  seenAt: number
}

/** What a person has here besides who they are. */
export interface Belongings {
  sessions: (SessionLine & { isThis: boolean; clientIds: string[] })[]
  consents: (Consent & { clientId: string })[]
}

/** What an authorization request demands of the session it is answered in. */
export interface Demand {
  /** The session must have been authenticated at this time or later. */
  authenticatedSince: number | undefined
  /** The platform must have asked the person again at this time or later. */
  forcedSince: number | undefined
  /** The person that the client expects. */
  subject: string | undefined
  /** The person is to be asked, whatever they have agreed to. */
  asksAgain: boolean
  /** What the person must have agreed to, unless the client is the operator's own. */
  consent: Consent | undefined
  /** What the client needs to have been granted by the platform. */
  upstreamScope: readonly string[]
  grantId: string
  key: string
  terms: Omit<GrantTerms, 'sid' | 'authenticatedAt' | 'account'>
}

/** What a person has agreed to, for one client. */
export interface Consent {
  scope: readonly string[]
  resources: readonly string[]
}

/** A session is the answer when its person must be asked for consent first. */
export type Granting = 'granted' | 'login' | 'more' | Session

/** A month between sign-ins on a device that is in use … */
export const ABSOLUTE_LIFETIME = 30 * 24 * 3600
/** … and a week on one that is not. */
export const IDLE_LIFETIME = 7 * 24 * 3600
