import type { DurableObject } from 'cloudflare:workers'
import service, * as exported from '../src/index.ts'
import { interceptCalls } from './intercept-calls.ts'

/*
 * The login service with storage that fails, copies in KV that are a minute old, and a clock that is
 * ahead or behind. `POST /__control` changes what fails and the clock, and `POST /__schedule` runs
 * what the Cron Trigger runs. Used by `npm run soak -- --only history`.
 */

/** How a call of a binding fails. */
interface Fault {
  binding: string
  mode: 'error' | 'error-after' | 'slow'
  /** The part of the calls that it affects. */
  share: number
}

/** What `POST /__control` receives; what is absent stays as it is. */
interface Control {
  fault?: Fault | null
  /** How far the clock is ahead, in seconds. */
  clock?: number
}

/** Longer than requests wait for an isolate's copy to be read again. */
const SLOW = 2_500 // milliseconds

/** KV returns what a location has read before for up to a minute. */
const KV_CACHE_AGE = 60_000 // milliseconds

const RealDate = Date
let offset = 0 // milliseconds
let fault: Fault | null = null
let hits = 0

/** Also for jose, which does not call `Date.now`. */
globalThis.Date = class extends RealDate {
  constructor(...input: [] | [number]) {
    super(...((input.length === 0 ? [Date.now()] : input) as [number]))
  }

  static override now(): number {
    return RealDate.now() + offset
  }
} as DateConstructor

export default {
  async fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname === '/__control') return control(await request.json())
    if (pathname === '/__schedule') {
      await service.scheduled({ cron: '', scheduledTime: 0, noRetry() {} }, faulty(env))
      return new Response()
    }
    return service.fetch(request, faulty(env), ctx)
  },
}

function control({ fault: next, clock }: Control): Response {
  const response = Response.json({ hits })
  if (clock !== undefined) offset = Math.round(clock * 1000)
  if (next !== undefined) {
    fault = next
    hits = 0
  }
  return response
}

const wrapped = new WeakMap<object, Env>()

/** The bindings of one isolate or object, which are wrapped once, because copies belong to them. */
function faulty(env: Env): Env {
  const known = wrapped.get(env)
  if (known) return known
  const { SESSIONS, DIRECTORY, USERS, KEYRING, GUARDS, REVOCATIONS, METRICS, CLIENT_METADATA } = env
  const bindings = { DIRECTORY, USERS, KEYRING, GUARDS, REVOCATIONS, METRICS, CLIENT_METADATA }
  const entries = Object.entries({ ...bindings, SESSIONS: withOldCopies(SESSIONS) }).map(
    ([name, binding]) => [
      name,
      interceptCalls<object>(binding, (perform) => callOrFail(name, perform)),
    ],
  )
  const result = { ...env, ...Object.fromEntries(entries) } as Env
  wrapped.set(env, result)
  return result
}

async function callOrFail(binding: string, perform: () => PromiseLike<unknown>): Promise<unknown> {
  const current = fault
  if (current?.binding !== binding || Math.random() >= current.share) return perform()
  hits += 1
  if (current.mode === 'error') throw new Error(`${binding} fails.`)
  if (current.mode === 'slow') await scheduler.wait(SLOW)
  const result = await perform()
  if (current.mode === 'error-after') throw new Error(`${binding} fails after the call.`)
  return result
}

const copies = new Map<string, { value: unknown; readAt: number }>()

/** What one location of KV returns, which does not notice changes for a while. */
function withOldCopies(namespace: KVNamespace): object {
  return {
    async get(key: string, type: 'json') {
      const copy = copies.get(key)
      if (copy && RealDate.now() - copy.readAt < KV_CACHE_AGE) return copy.value
      const value = await namespace.get(key, type)
      copies.set(key, { value, readAt: RealDate.now() })
      return value
    },
    put: namespace.put.bind(namespace),
    delete: namespace.delete.bind(namespace),
    list: namespace.list.bind(namespace),
  }
}

type ObjectClass = new (ctx: DurableObjectState, env: Env) => DurableObject<Env>

/** An object whose own calls of bindings fail, too. */
function withFaults(Base: unknown): ObjectClass {
  return class extends (Base as ObjectClass) {
    constructor(ctx: DurableObjectState, env: Env) {
      super(ctx, faulty(env))
    }
  }
}

export const UserObject = withFaults(exported.UserObject)
export const KeyringObject = withFaults(exported.KeyringObject)
export const GuardObject = withFaults(exported.GuardObject)
export const RevocationsObject = withFaults(exported.RevocationsObject)
export const MetricsObject = withFaults(exported.MetricsObject)
export const ClientMetadataObject = withFaults(exported.ClientMetadataObject)
