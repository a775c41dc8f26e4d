import { createApp } from './core/app.ts'
import { ConfigurationError } from './core/config/configuration-error.ts'
import { validateOptions } from './core/config/options.ts'
import { createConfigReader } from './core/config/read-config.ts'
import type {
  ListedFeature,
  ObjectClass,
  VestibuleOptions,
} from './core/config/vestibule-options.ts'
import { readEnglish } from './core/messages/english.ts'
import { RevocationsObject } from './core/revocations/revocations-object.ts'
import { KeyringObject } from './core/tokens/keyring-object.ts'
import { extendClasses } from './define-feature/extend-classes.ts'
import { findSharedWords } from './define-feature/feature-words.ts'
import { runSchedule } from './define-feature/schedule.ts'

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
} from './core/config/callbacks.ts'
export type {
  EventAccount,
  EventInput,
  EventName,
  EventPayloads,
  Events,
  EventUser,
} from './core/config/events.ts'
export type { SessionOptions } from './core/config/session-options.ts'
export type { Theme, ThemeColors, ThemeLogo } from './core/config/theme.ts'
export type { ListedFeature, VestibuleOptions } from './core/config/vestibule-options.ts'
export { en } from './core/messages/en.ts'
export type { DeploymentMessages } from './core/messages/languages.ts'
export type { Catalogue } from './core/messages/messages.ts'

/**
 * A login service: the Worker, and the Durable Object classes that its entry file must export.
 */
export interface Vestibule<Features extends readonly ListedFeature[] = readonly []> {
  worker: {
    fetch(request: Request, env: object, ctx: ExecutionContext): Response | Promise<Response>
    /** For a Cron Trigger every minute, which runs the jobs of features. */
    scheduled(controller: ScheduledController, env: object): Promise<void>
  }
  objects: {
    UserObject: ObjectClass
    KeyringObject: ObjectClass
    GuardObject: ObjectClass
    RevocationsObject: ObjectClass
    ClientMetadataObject: ObjectClass
  } & ObjectsOf<Features[number]>
}

/** The classes that these features add. */
type ObjectsOf<Listed extends ListedFeature> = {
  [Name in KeysOf<NonNullable<Listed['objects']>>]: ObjectClass
}

type KeysOf<Objects> = Objects extends unknown ? keyof Objects : never

/** Creates a login service. Throws one error that lists everything wrong with the options. */
export function createVestibule<const Features extends readonly ListedFeature[] = readonly []>(
  options: VestibuleOptions<Features>,
): Vestibule<Features> {
  const { problems: invalidOptions, declared } = validateOptions(options, readEnglish)
  const problems = [...invalidOptions, ...findSharedWords(declared.features)]
  if (problems.length > 0) throw new ConfigurationError(problems)
  const readConfig = createConfigReader(declared)
  const classes = extendClasses(declared.features)
  return {
    worker: {
      ...createApp(readConfig, declared),
      scheduled: (_controller, env) => runSchedule(env as Env, readConfig),
    },
    objects: {
      UserObject: class extends classes.UserObject {
        constructor(ctx: DurableObjectState, env: Env) {
          super(ctx, env, readConfig)
        }
      },
      KeyringObject: class extends KeyringObject {
        constructor(ctx: DurableObjectState, env: Env) {
          super(ctx, env, readConfig)
        }
      },
      GuardObject: classes.GuardObject,
      RevocationsObject,
      ClientMetadataObject: classes.ClientMetadataObject,
      ...Object.assign({}, ...declared.features.map(({ objects }) => objects)),
    },
  }
}
