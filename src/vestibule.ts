import { createApp } from './app.ts'
import { ConfigurationError } from './config/configuration-error.ts'
import { validateOptions } from './config/options.ts'
import { createConfigReader } from './config/read-config.ts'
import type { ListedFeature, ObjectClass, VestibuleOptions } from './config/vestibule-options.ts'
import { extendClasses } from './extend-classes.ts'
import { findSharedWords } from './feature-words.ts'
import { readEnglish } from './messages/english.ts'
import { RevocationsObject } from './revocations/revocations-object.ts'
import { runSchedule } from './schedule.ts'
import { KeyringObject } from './tokens/keyring-object.ts'

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
export type { ListedFeature, VestibuleOptions } from './config/vestibule-options.ts'
export { en } from './messages/en.ts'
export type { DeploymentMessages } from './messages/languages.ts'
export type { Catalogue } from './messages/messages.ts'

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
