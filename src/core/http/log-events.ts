/** The events of the core that the log line of a request can have. Features declare others. */
export const LOG_EVENTS = [
  'signin',
  'signin_pending',
  'signin_repeated',
  'signin_failed',
  'signout',
  'account_linked',
  'account_unlinked',
  'account_confirmed',
  'granted',
  'consent',
  'grant_replayed',
  'machine_token',
  'platform_removed',
  'provider_invalid',
  'account_deleted',
  'revoked',
  'callback_failed',
] as const

export type LogEvent = (typeof LOG_EVENTS)[number]
