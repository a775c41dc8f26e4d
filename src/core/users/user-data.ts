import type { ConsentDecision } from '../grants/consents.ts'
import type { GrantSummary } from '../grants/grants.ts'
import type { LogoutNotice } from './logout-outbox.ts'
import type { MethodChange } from './method-changes.ts'
import type { SessionSummary } from './session.ts'
import { digestOfKey } from './session-key.ts'
import type { UpstreamAccount } from './upstream-account.ts'
import type { UserStorage } from './user-storage.ts'

/** A session, and the clients that take part in it. */
type SessionWithClients = SessionSummary & { clientIds: string[] }

/** The user's sessions and consents as the account page shows them. */
export interface AccountOverview {
  sessions: (SessionWithClients & { isCurrent: boolean })[]
  /** Whether an app can still act for the user without a session in this browser. */
  hasOtherGrants: boolean
  consents: (ConsentDecision & { clientId: string })[]
  /** The latest changes to how the user signs in that were not made since the sign-in here. */
  methodChanges: MethodChange[]
}

/** Everything that a user's object stores about the user, without tokens and digests of secrets. */
export interface UserData {
  blockedAt: number | undefined
  sessions: SessionWithClients[]
  consents: (ConsentDecision & { clientId: string })[]
  grants: GrantSummary[]
  accounts: (Omit<UpstreamAccount, 'sealedTokens'> & { hasProviderTokens: boolean })[]
  logoutNotices: LogoutNotice[]
  methodChanges: Omit<MethodChange, 'session'>[]
  /** The fields that features add to an export, as JSON. */
  featureRecords: string
}

/** The user's sessions and consents, for the browser whose session has this key. */
export function readAccountOverview(stored: UserStorage, sessionKey: string): AccountOverview {
  const currentSid = stored.readSession(sessionKey)?.session.sid
  return {
    sessions: listSessions(stored).map((session) => ({
      ...session,
      isCurrent: session.sid === currentSid,
    })),
    hasOtherGrants: stored.grants.sids().some((sid) => sid !== currentSid),
    consents: stored.consents.list(),
    methodChanges: stored.methodChanges
      .list()
      .filter(({ session }) => session !== digestOfKey(sessionKey)),
  }
}

export function readUserData(stored: UserStorage): UserData {
  return {
    blockedAt: stored.status.blockedAt(),
    sessions: listSessions(stored),
    consents: stored.consents.list(),
    grants: stored.grants.list(),
    accounts: stored.upstream.list().map(({ sealedTokens, ...account }) => ({
      ...account,
      hasProviderTokens: sealedTokens !== undefined,
    })),
    logoutNotices: stored.outbox.list(),
    methodChanges: stored.methodChanges.list().map(({ session: _, ...change }) => change),
    featureRecords: JSON.stringify(stored.exportFeatureRecords()),
  }
}

function listSessions({ sessions, outbox }: UserStorage): SessionWithClients[] {
  const participants = outbox.participants()
  return sessions.list().map((session) => ({
    ...session,
    clientIds: participants
      .filter(({ sid }) => sid === session.sid)
      .map(({ clientId }) => clientId),
  }))
}
