import type { AppContext } from './config/app-env.ts'
import type { Client } from './config/clients.ts'
import type { Config } from './config/config.ts'
import type { ListedFeature } from './config/vestibule-options.ts'
import type { Messages } from './messages/messages.ts'
import type { AuthorizationError } from './oidc/authorization-error.ts'
import type { ConsentPart, ConsentRequest } from './oidc/consent-part.ts'
import type { Requirement } from './readiness/requirement.ts'
import type { ClientRequest } from './registrations/client-request.ts'

/*
 * What a feature can add to the core. It has types only, so that every folder can import it. There
 * is no extension point that none of our own features uses.
 */

/**
 * Something that a deployment can do without. A folder `src/features/<id>/` has all of its code,
 * and `feature.ts` there returns this description; the core does not import it, and features do
 * not import each other. A feature may refuse what the core would allow, never the opposite.
 */
export interface Feature extends ListedFeature {
  /** The bindings that it needs in wrangler.toml. */
  bindings?: readonly FeatureBinding[]
  /** What the Cron Trigger starts every minute, by name. The log names a job that fails. */
  schedule?: Readonly<Record<string, (env: Env, config: Config) => Promise<void>>>
  /** What `/readyz` checks, besides the bindings. */
  readiness?(env: Env, config: Config): readonly Requirement[]
  /** Finds a client by an id that no registration can have. */
  findClient?(env: Env, config: Config, request: ClientRequest): Promise<Client | undefined>
  /** What the consent page says about an app. */
  consentPart?(messages: Messages, request: ConsentRequest): ConsentPart | undefined
  /** Runs before a user's consent is stored. Throws a SignInError if it is not accepted. */
  beforeConsent?(c: AppContext, request: { client: Client; userId: string }): Promise<void>
  /** A page for the user, instead of an error for the client. */
  errorPage?(c: AppContext, error: AuthorizationError): Promise<Response | undefined>
}

/** A binding of wrangler.toml. */
export interface FeatureBinding {
  name: string
  /** A method that a binding of the right type has. */
  method: string
  /** The lines of wrangler.toml that add it. */
  toml: string
}
