import type { Provider } from '../../provider-interface/types.ts'
import type { DeploymentMessages } from '../messages/languages.ts'
import type { Callbacks } from './callbacks.ts'
import type { Events } from './events.ts'
import type { SessionOptions } from './session-options.ts'
import type { Theme } from './theme.ts'

/*
 * Separate from the validation, whose types need those of the Worker's bindings: this one is part
 * of the package's types.
 */

/** A feature as deployments list it, such as `auditExport()`; `src/core/config/feature.ts` has the rest. */
export interface ListedFeature {
  /** Also the name of its folder, of its document and of the folder with its tests. */
  id: string
  /** The Durable Object classes that the entry file must export for it. */
  objects?: Readonly<Record<string, ObjectClass>>
}

/** A binding of wrangler.toml. */
export interface FeatureBinding {
  name: string
  /** A method that a binding of the right type has. */
  method: string
  /** The lines of wrangler.toml that add it. */
  toml: string
}

/** A Durable Object class. Deployments generate the types of its context and bindings. */
// biome-ignore lint/suspicious/noExplicitAny: see above.
export type ObjectClass = new (ctx: any, env: any) => object

/**
 * How a deployment differs from others in behaviour. Addresses, secrets and clients are settings.
 */
export interface VestibuleOptions<
  Features extends readonly ListedFeature[] = readonly ListedFeature[],
> {
  /** The services users sign in through, in the order of the sign-in page. */
  providers: readonly Provider[]
  /** What the deployment adds to the core. */
  features?: Features
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
