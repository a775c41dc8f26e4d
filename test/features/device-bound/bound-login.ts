import { options } from '../../../src/deployment.ts'
import { deviceBound } from '../../../src/features.ts'
import { createVestibule } from '../../../src/vestibule.ts'

/*
 * A deployment whose browsers bind their sessions, with a clock that tests can move.
 */

const { now } = Date
let offset = 0 // milliseconds
Date.now = () => now() + offset

const { worker, objects } = createVestibule({
  ...options,
  features: [...(options.features ?? []), deviceBound()],
})

export default {
  fetch(request: Request, env: Env, ctx: ExecutionContext) {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname !== '/__clock') return worker.fetch(request, env, ctx)
    offset = Number(searchParams.get('seconds')) * 1000
    return new Response()
  },
}

export const {
  UserObject,
  KeyringObject,
  GuardObject,
  RevocationsObject,
  MetricsObject,
  ClientMetadataObject,
} = objects
