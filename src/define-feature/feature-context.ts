import { announceChange } from '../core/account/announce-change.ts'
import type { AuditOrigin } from '../core/audit/audit-entry.ts'
import { recordAuditEntry } from '../core/audit/audit-log.ts'
import { type CallbackUser, toCallbackClient } from '../core/config/callbacks.ts'
import type { Config } from '../core/config/config.ts'
import type { Feature } from '../core/config/feature.ts'
import { afterResponse } from '../core/http/after-response.ts'
import type { AppContext } from '../core/http/app-env.ts'
import { auditOrigin } from '../core/http/audit.ts'
import { clientCountry, clientNetwork, countedNetwork } from '../core/http/client-ip.ts'
import type { UseLimit } from '../core/limits/limit-table.ts'
import { chooseLanguage } from '../core/messages/choose.ts'
import type { Messages } from '../core/messages/messages.ts'
import { messagesFor } from '../core/pages/page-response.tsx'
import { describeOrigin } from '../core/session/device.ts'
import type { StepRequest } from '../core/session/feature-members.ts'
import { isAdministrator } from '../core/users/administrators.ts'
import type { RecordChange, RecordResult } from '../core/users/feature-records.ts'
import { callUserObject } from '../core/users/user-object.ts'
import { openUnexpired, sealUntil } from '../foundation/crypto/expiring-seal.ts'
import { SignInError } from '../foundation/errors/sign-in-error.ts'
import { nowInSeconds } from '../foundation/values/clock.ts'
import { countedFor, countUse, forgetInGuards, guardCounter } from './count-in-guards.ts'
import type { FeatureContext, Records, RequestContext } from './own-feature.ts'

/** The words of the feature that its context is about. */
export type FeatureWords = Pick<Feature, 'id' | 'limits' | 'seals' | 'audit'>

/** A request that a feature takes part in. */
export interface ContextOfRequest {
  env: Env
  config: Config
  user: CallbackUser
  /** Who does what the audit log records. */
  origin: AuditOrigin
  /** The network of the request, if it is known, for limits. */
  network: string | undefined
  /** The browser and the place of the request, in messages to the user. */
  place: string
  loadMessages(): Promise<Messages>
  /** The key of the session in which something is changed. */
  session?: string | undefined
  /** Work that the response does not wait for. */
  defer(work: Promise<unknown>): void
}

/** The context of a request of a user who signs in, or who is signed in. */
export function requestContext(
  c: AppContext,
  feature: FeatureWords,
  request: Pick<StepRequest, 'user' | 'signIn' | 'client'> & Pick<ContextOfRequest, 'session'>,
): RequestContext {
  const { signIn, client } = request
  return {
    ...userContext(c, feature, request),
    signIn,
    client: client && toCallbackClient(client),
    network: clientNetwork(c),
    country: clientCountry(c),
  }
}

/** The context of what concerns a user. The request may be one of an app. */
export function userContext(
  c: AppContext,
  feature: FeatureWords,
  { user, session }: Pick<ContextOfRequest, 'user' | 'session'>,
): FeatureContext {
  return featureContext(feature, {
    env: c.env,
    config: c.get('config'),
    user,
    session,
    origin: auditOrigin(c, user.id),
    network: countedNetwork(c)?.name,
    place: describeOrigin(c),
    loadMessages: () => messagesFor(c),
    defer: (work) => afterResponse(c, work),
  })
}

/** What the language of a user is, is not known in a request of somebody else. */
export function defaultMessages({ languages }: Config): Promise<Messages> {
  return chooseLanguage(languages).loadMessages()
}

export function featureContext(
  { id, limits = {}, seals = [], audit = {} }: FeatureWords,
  request: ContextOfRequest,
): FeatureContext {
  const { env, config, user, origin, network, defer } = request
  const namedLimit = (name: string) => ({ name, limits: { [name]: useLimits(limits, name) } })
  return {
    user,
    serviceName: config.serviceName,
    records: recordsOf(request, id),
    async seal(purpose, text, { lifetime } = { lifetime: Number.POSITIVE_INFINITY }) {
      requireDeclared('seals', seals, purpose)
      return sealUntil<string>(config.seal, endOf(lifetime), { purpose, context: user.id, text })
    },
    async open(purpose, sealed, { isStored } = { isStored: false }) {
      requireDeclared('seals', seals, purpose)
      return openUnexpired<string>(config.seal, sealed, { purpose, context: user.id, isStored })
    },
    count: async (name, { perNetwork } = { perNetwork: false }) =>
      countUse(env, namedLimit(name), perNetwork ? `${user.id} at ${network}` : user.id),
    async forget(name) {
      const counters = countedFor(name, user.id).map((counted) =>
        guardCounter(counted, useLimits(limits, name)),
      )
      await forgetInGuards(env, counters, '')
    },
    audit(event, detail) {
      requireDeclared('audit', Object.keys(audit), event)
      defer(recordAuditEntry<string>(env, config, { ...origin, subject: user.id, event, detail }))
    },
    async announce({ kind, title }) {
      const change = { kind, provider: id, title }
      await callUserObject(env, user.id, (object) =>
        object.addMethodChange({ ...change, ...(request.session && { session: request.session }) }),
      )
      const messages = await request.loadMessages()
      const { id: userId, email } = user
      const announcement = { messages, userId, email, change, origin: request.place }
      defer(announceChange({ env, config }, announcement))
    },
    isAdministrator: () => isAdministrator(env, config, user.id),
    async endSessions() {
      await callUserObject(env, user.id, (object) => object.endAllSessions())
    },
  }
}

/** Ten thousand years are as good as for ever, and have a number of digits that does not change. */
const NEVER = 253_402_300_799

function endOf(lifetime: number): number {
  return Math.min(nowInSeconds() + lifetime, NEVER)
}

function useLimits(limits: NonNullable<Feature['limits']>, name: string): readonly UseLimit[] {
  const limit = limits[name]
  if (!Array.isArray(limit)) throw new Error(`${name} is not in limits of the feature.`)
  return limit
}

/** A name that is not declared could be that of the core or of another feature. */
function requireDeclared(member: string, declared: readonly string[], name: string): void {
  if (!declared.includes(name)) throw new Error(`${name} is not in ${member} of the feature.`)
}

/** More than requests that change the same record at the same time. */
const MAX_ATTEMPTS = 10

function recordsOf({ env, user, session }: ContextOfRequest, feature: string): Records {
  const read = (key: string) =>
    callUserObject(env, user.id, (object) => object.readRecord(feature, key))
  const change = (values: Omit<RecordChange, 'feature' | 'session'>) =>
    callUserObject(env, user.id, (object) => object.changeRecord({ feature, session, ...values }))
  return {
    async get<Value>(key: string) {
      const found = await read(key)
      return found && (JSON.parse(found.value) as Value)
    },
    async update(key, decide, options) {
      const expiresAt = options?.lifetime && endOf(options.lifetime)
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const found = await read(key)
        const decision = await decide(found && JSON.parse(found.value))
        if (!decision) return undefined
        const value = toJson(decision.value)
        if (await isMade(change({ key, value, version: found?.version, expiresAt }))) {
          return decision.result
        }
      }
      throw new Error(`The record ${key} of ${feature} is changed by too many requests.`)
    },
  }
}

/** Whether a change was made, unless the session has ended. */
async function isMade(change: Promise<RecordResult>): Promise<boolean> {
  const outcome = await change
  if (outcome === 'ended') throw new SignInError('sign_in_again')
  return outcome === 'stored'
}

function toJson(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value)
}
