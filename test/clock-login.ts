import login from '../src/testing-login.ts'

/*
 * The demo's login service with a clock that tests can move, to see in a browser what expires.
 */

const { now } = Date
let offset = 0 // milliseconds
Date.now = () => now() + offset

export default {
  fetch(request: Request, env: object, ctx: ExecutionContext) {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname !== '/__clock') return login.fetch(request, env, ctx)
    offset = Number(searchParams.get('seconds')) * 1000
    return new Response()
  },
}

export {
  ClientMetadataObject,
  GuardObject,
  KeyringObject,
  MetricsObject,
  RevocationsObject,
  UserObject,
} from '../src/testing-login.ts'
