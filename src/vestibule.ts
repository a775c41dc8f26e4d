import type { DurableObject } from 'cloudflare:workers'
import { createApp } from './app.ts'
import { ClientMetadataObject } from './client-metadata/client-metadata-object.ts'
import { createConfigReader } from './config/config.ts'
import { ConfigurationError } from './config/configuration-error.ts'
import { validateOptions } from './config/options.ts'
import type { VestibuleOptions } from './config/vestibule-options.ts'
import { GuardObject } from './limits/guard-object.ts'
import { MetricsObject } from './metrics/metrics-object.ts'
import { RevocationsObject } from './revocations/revocations-object.ts'
import { runSchedule } from './schedule.ts'
import { KeyringObject } from './tokens/keyring-object.ts'
import { UserObject } from './users/user-object.ts'

export type {
  CallbackAccount,
  CallbackClient,
  Callbacks,
  CallbackTools,
  CallbackUser,
  ClaimsCallbackInput,
  ClaimsKind,
  RedirectCallbackInput,
  SignInCallbackInput,
  SignInUser,
} from './config/callbacks.ts'
export type {
  EventAccount,
  EventInput,
  EventName,
  EventPayloads,
  Events,
  EventUser,
} from './config/events.ts'
export type { SessionOptions } from './config/session-options.ts'
export type { Theme, ThemeColors, ThemeLogo } from './config/theme.ts'
export type { VestibuleOptions } from './config/vestibule-options.ts'
export { en } from './messages/en.ts'
export type { DeploymentMessages } from './messages/languages.ts'
export type { Catalogue } from './messages/messages.ts'

/** A Durable Object class, as the runtime creates its instances. */
// biome-ignore lint/suspicious/noExplicitAny: each deployment generates the type of its bindings.
type ObjectClass = new (ctx: DurableObjectState, env: any) => DurableObject<any>

/**
 * A login service: the Worker, and the Durable Object classes that its entry file must export.
 */
export interface Vestibule {
  worker: {
    fetch(request: Request, env: object, ctx: ExecutionContext): Response | Promise<Response>
    /** For a Cron Trigger every minute, which sends events to webhooks and exports the audit log. */
    scheduled(controller: ScheduledController, env: object): Promise<void>
  }
  objects: {
    UserObject: ObjectClass
    KeyringObject: ObjectClass
    GuardObject: ObjectClass
    RevocationsObject: ObjectClass
    MetricsObject: ObjectClass
    ClientMetadataObject: ObjectClass
  }
}

/** Creates a login service. Throws one error that lists everything wrong with the options. */
export function createVestibule(options: VestibuleOptions): Vestibule {
  const { problems, declared } = validateOptions(options)
  if (problems.length > 0) throw new ConfigurationError(problems)
  const readConfig = createConfigReader(declared)
  return {
    worker: {
      ...createApp(readConfig, declared.localProviders),
      scheduled: (_controller, env) => runSchedule(env as Env, readConfig),
    },
    objects: {
      UserObject: class extends UserObject {
        constructor(ctx: DurableObjectState, env: Env) {
          super(ctx, env, readConfig)
        }
      },
      KeyringObject: class extends KeyringObject {
        constructor(ctx: DurableObjectState, env: Env) {
          super(ctx, env, readConfig)
        }
      },
      GuardObject,
      RevocationsObject,
      MetricsObject,
      ClientMetadataObject,
    },
  }
}
