import service from '../src/index.ts'
import { interceptCalls } from './intercept-calls.ts'

export {
  ClientMetadataObject,
  GuardObject,
  KeyringObject,
  MetricsObject,
  RevocationsObject,
  UserObject,
} from '../src/index.ts'

/**
 * The login service, but a request with `Halt-After: N` halts when its Nth storage call has
 * completed: it calls the address in `Halt-At` and continues only after a response, so that the
 * service can be killed at that point.
 */
export default {
  fetch(request: Request, env: Env, ctx: ExecutionContext): Response | Promise<Response> {
    const haltingPoint = request.headers.get('Halt-At')
    if (!haltingPoint) return service.fetch(request, env, ctx)
    let remaining = Number(request.headers.get('Halt-After'))
    const haltAfter = async (perform: () => PromiseLike<unknown>) => {
      const result = await perform()
      remaining -= 1
      if (remaining === 0) await fetch(haltingPoint)
      return result
    }
    const { SESSIONS, DIRECTORY, USERS, KEYRING } = env
    const storage = Object.entries({ SESSIONS, DIRECTORY, USERS, KEYRING }).map(
      ([name, binding]) => [name, interceptCalls(binding, haltAfter)],
    )
    return service.fetch(request, { ...env, ...Object.fromEntries(storage) }, ctx)
  },
}
