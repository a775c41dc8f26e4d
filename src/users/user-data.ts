import type { ConsentDecision, Consents } from '../grants/consents.ts'
import type { GrantSummary, Grants } from '../grants/grants.ts'
import type { LogoutNotice, LogoutOutbox } from './logout-outbox.ts'
import type { Passkey, Passkeys } from './passkeys.ts'
import type { SessionSummary } from './session.ts'
import type { Sessions } from './sessions.ts'
import type { UpstreamAccount, UpstreamAccounts } from './upstream-account.ts'

/** A session, and the clients that take part in it. */
type SessionWithClients = SessionSummary & { clientIds: string[] }

/** The user's sessions and consents as the account page shows them. */
export interface AccountOverview {
  sessions: (SessionWithClients & { isCurrent: boolean })[]
  /** Whether an app can still act for the user without a session in this browser. */
  hasOtherGrants: boolean
  consents: (ConsentDecision & { clientId: string })[]
}

/** Everything that a user's object stores about the user, without tokens and digests of secrets. */
export interface UserData {
  blockedAt: number | undefined
  sessions: SessionWithClients[]
  consents: (ConsentDecision & { clientId: string })[]
  grants: GrantSummary[]
  accounts: (Omit<UpstreamAccount, 'sealedTokens'> & { hasProviderTokens: boolean })[]
  logoutNotices: LogoutNotice[]
  passkeys: Omit<Passkey, 'publicKey'>[]
}

interface StoredData {
  sessions: Sessions
  grants: Grants
  outbox: LogoutOutbox
  consents: Consents
  upstream: UpstreamAccounts
  passkeys: Passkeys
}

export function readAccountOverview(
  stored: StoredData,
  currentSid: string | undefined,
): AccountOverview {
  return {
    sessions: listSessions(stored).map((session) => ({
      ...session,
      isCurrent: session.sid === currentSid,
    })),
    hasOtherGrants: stored.grants.sids().some((sid) => sid !== currentSid),
    consents: stored.consents.list(),
  }
}

export function readUserData(stored: StoredData, blockedAt: number | undefined): UserData {
  return {
    blockedAt,
    sessions: listSessions(stored),
    consents: stored.consents.list(),
    grants: stored.grants.list(),
    accounts: stored.upstream.list().map(({ sealedTokens, ...account }) => ({
      ...account,
      hasProviderTokens: sealedTokens !== undefined,
    })),
    logoutNotices: stored.outbox.notices(),
    passkeys: stored.passkeys.list().map(({ publicKey: _, ...passkey }) => passkey),
  }
}

function listSessions({ sessions, outbox }: StoredData): SessionWithClients[] {
  const participants = outbox.participants()
  return sessions.list().map((session) => ({
    ...session,
    clientIds: participants
      .filter(({ sid }) => sid === session.sid)
      .map(({ clientId }) => clientId),
  }))
}
