import * as limits from '../../src/core/limits/guard-object.ts'
import * as revocations from '../../src/core/revocations/revocations-object.ts'
import * as tokens from '../../src/core/tokens/keyring-object.ts'
import * as users from '../../src/core/users/user-object.ts'
import service, * as exported from '../../src/index.ts'
import { USAGE_PATH } from '../usage.ts'
import { meterBindings } from './bindings.ts'
import { Meter } from './meter.ts'
import { meterMethods, meterStorage } from './objects.ts'

/**
 * The service with a meter around its bindings and its objects' storage. The service itself is
 * unchanged. Worker and objects run in the same isolate here, so they share the meter.
 */
const meter = new Meter()

let meteredEnv: Env | undefined

/** How far the clock is ahead, in milliseconds. */
let clockOffset = 0
const realNow = Date.now
Date.now = () => realNow() + clockOffset

export default {
  async fetch(request, env, ctx) {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === USAGE_PATH) {
      clockOffset += Number(searchParams.get('advance')) * 1000
      return Response.json(meter.report())
    }
    // The benchmark's connection has no TLS. In production the edge terminates it, and the worker
    // sees https.
    const secureRequest = new Request(request.url.replace(/^http:/, 'https:'), request)
    // One object for all requests, as in production: the service may cache what it derives from it.
    meteredEnv ??= meterBindings(meter, 'worker', env)
    const bindings = meteredEnv
    return meter.request(async () => service.fetch(secureRequest, bindings, ctx))
  },
} satisfies ExportedHandler<Env>

export class UserObject extends exported.UserObject {
  constructor(ctx: DurableObjectState, env: Env) {
    meterStorage(meter, ctx.storage)
    super(ctx, meterBindings(meter, 'object', env))
  }
}

export class KeyringObject extends exported.KeyringObject {
  constructor(ctx: DurableObjectState, env: Env) {
    meterStorage(meter, ctx.storage)
    super(ctx, meterBindings(meter, 'object', env))
  }
}

export class GuardObject extends exported.GuardObject {
  constructor(ctx: DurableObjectState, env: Env) {
    meterStorage(meter, ctx.storage)
    super(ctx, meterBindings(meter, 'object', env))
  }
}

export class RevocationsObject extends exported.RevocationsObject {
  constructor(ctx: DurableObjectState, env: Env) {
    meterStorage(meter, ctx.storage)
    super(ctx, env)
  }
}

/** Not metered: isolates send reports when they like, so a job's share of them is not constant. */
export const { MetricsObject, ClientMetadataObject } = exported

// The methods are on the base classes; those of the deployment add only a constructor.
meterMethods(meter, users.UserObject.prototype, { reportsSize: true })
meterMethods(meter, tokens.KeyringObject.prototype)
meterMethods(meter, limits.GuardObject.prototype)
meterMethods(meter, revocations.RevocationsObject.prototype)
