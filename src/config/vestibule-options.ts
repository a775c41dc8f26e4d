import type { Feature } from '../feature.ts'
import type { DeploymentMessages } from '../messages/languages.ts'
import type { Provider } from '../providers/types.ts'
import type { Callbacks } from './callbacks.ts'
import type { Events } from './events.ts'
import type { SessionOptions } from './session-options.ts'
import type { Theme } from './theme.ts'

/*
 * Separate from the validation, whose types need those of the Worker's bindings: this one is part
 * of the package's types.
 */

/**
 * How a deployment differs from others in behaviour. Addresses, secrets and clients are settings.
 */
export interface VestibuleOptions {
  /** The services users sign in through, in the order of the sign-in page. */
  providers: readonly Provider[]
  /** What the deployment adds to the core. */
  features?: readonly Feature[]
  /**
   * Leaves out providers that have no `AUTH_<ID>_…` setting. Without it, they are reported as
   * incomplete.
   */
  skipUnconfiguredProviders?: boolean
  /** How pages look. */
  theme?: Theme
  /** Where users get help: an https: or mailto: URL, to which error pages link. */
  contact?: string
  /**
   * Leads visitors of `/admin` who are not signed in to the sign-in page. Without it, `/admin` looks
   * like an unknown URL to everyone who is not an administrator.
   */
  adminSignIn?: boolean
  /**
   * HTTPS for this host. With `includeSubDomains`, browsers also refuse http for all of its
   * subdomains, which may belong to others.
   */
  hsts?: { includeSubDomains?: boolean }
  /** The texts of pages: sentences that replace ours, and additional languages. */
  messages?: DeploymentMessages
  /** Decisions about sign-ins, claims and return addresses. */
  callbacks?: Callbacks
  /** Notifications that run after the response. */
  events?: Events
  /** How long sessions and their tokens last. */
  session?: SessionOptions
  /**
   * The lifetime of access tokens in seconds. An API that verifies them offline accepts them for
   * this long after a sign-out. From 300 to 900, by default 600.
   */
  accessTokenLifetime?: number
}
