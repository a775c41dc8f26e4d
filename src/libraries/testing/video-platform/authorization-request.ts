import type { App } from './apps.ts'

/** An authorization request with valid parameters. */
export interface AuthorizationRequest {
  app: App
  redirectUri: string
  scopes: string[]
  state: string | undefined
  pkce: Pkce
  /** `disable_auto_auth=1`: show the consent page even if an earlier grant covers all scopes. */
  alwaysShowsConsent: boolean
}

/**
 * How the exchange treats a verifier: compares it with the challenge, ignores it, or rejects it.
 */
export type Pkce = { challenge: string } | 'ignored' | 'rejected'
