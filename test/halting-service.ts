import service from '../src/index.ts'

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
    const afterCall = async () => {
      remaining -= 1
      if (remaining === 0) await fetch(haltingPoint)
    }
    const { SESSIONS, DIRECTORY, USERS, KEYRING } = env
    const storage = Object.entries({ SESSIONS, DIRECTORY, USERS, KEYRING }).map(
      ([name, binding]) => [name, observe(binding, afterCall)],
    )
    return service.fetch(request, { ...env, ...Object.fromEntries(storage) }, ctx)
  },
}

const originals = new WeakMap<object, unknown>()

/**
 * Runs `afterCall` when a promise returned by a method resolves, also for objects that methods
 * return.
 */
function observe<T extends object>(original: T, afterCall: () => Promise<void>): T {
  const proxy = new Proxy(original, {
    get(_, name) {
      const value = Reflect.get(original, name)
      if (typeof value !== 'function') return value
      return (...input: unknown[]) => {
        const output = Reflect.apply(value, original, input.map(unwrap))
        if (isThenable(output)) return output.then((result) => afterCall().then(() => result))
        return typeof output === 'object' && output ? observe(output, afterCall) : output
      }
    },
  })
  originals.set(proxy, original)
  return proxy
}

/** Bindings accept only their own objects as arguments, not proxies of them. */
function unwrap(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unwrap)
  return typeof value === 'object' && value ? (originals.get(value) ?? value) : value
}

/** A promise of a Durable Object stub is a function with a `then` method. */
function isThenable(value: unknown): value is PromiseLike<unknown> {
  const canHaveMethods =
    (typeof value === 'object' && value !== null) || typeof value === 'function'
  return canHaveMethods && typeof Reflect.get(value, 'then') === 'function'
}
