import service from '../src/index.ts'

export { GuardObject, KeyringObject, UserObject } from '../src/index.ts'

/**
 * The login service, which stops in the middle of a request that asks for it: after its storage has done
 * as much as `Halt-After` says, it calls `Halt-At`, and goes on when it is answered there.
 */
export default {
  fetch(request: Request, env: Env, ctx: ExecutionContext): Response | Promise<Response> {
    const place = request.headers.get('Halt-At')
    if (!place) return service.fetch(request, env, ctx)
    let left = Number(request.headers.get('Halt-After'))
    const afterEach = async () => {
      left -= 1
      if (left === 0) await fetch(place)
    }
    const { SESSIONS, DIRECTORY, USERS, KEYRING } = env
    const storage = Object.entries({ SESSIONS, DIRECTORY, USERS, KEYRING }).map(
      ([name, binding]) => [name, watched(binding, afterEach)],
    )
    return service.fetch(request, { ...env, ...Object.fromEntries(storage) }, ctx)
  },
}

const originals = new WeakMap<object, unknown>()

/** The same object; but when a promise of its methods, or of what they return, is kept, somebody hears of it. */
function watched<T extends object>(original: T, afterEach: () => Promise<void>): T {
  const copy = new Proxy(original, {
    get(_, name) {
      const value = Reflect.get(original, name)
      if (typeof value !== 'function') return value
      return (...input: unknown[]) => {
        const output = Reflect.apply(value, original, input.map(unwatched))
        if (isThenable(output)) return output.then((kept) => afterEach().then(() => kept))
        return typeof output === 'object' && output ? watched(output, afterEach) : output
      }
    },
  })
  originals.set(copy, original)
  return copy
}

/** The runtime takes its own objects back, and no others. */
function unwatched(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unwatched)
  return typeof value === 'object' && value ? (originals.get(value) ?? value) : value
}

/** What an object promises is a function, to be called before it is there. */
function isThenable(value: unknown): value is PromiseLike<unknown> {
  const isSomething = (typeof value === 'object' && value !== null) || typeof value === 'function'
  return isSomething && typeof Reflect.get(value, 'then') === 'function'
}
