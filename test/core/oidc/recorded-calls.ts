import { env } from 'cloudflare:workers'

/** The calls to storage since the last reset, in order. */
export const calls: string[] = []

/**
 * A binding that records each call before it passes it on. Preparing a statement is not a call to
 * D1.
 */
function recordCalls<T extends object>(name: string, binding: T): T {
  return interceptMethods(binding, (key, call) => {
    if (key !== 'prepare') calls.push(`${name}.${key}`)
    return call()
  })
}

/** Creating an id or a stub of a Durable Object costs nothing; only calls to the stub count. */
function recordObjectCalls(name: string, namespace: object): object {
  return interceptMethods(namespace, (key, call) =>
    key === 'get' ? recordCalls(name, call() as object) : call(),
  )
}

function interceptMethods<T extends object>(
  object: T,
  intercept: (key: string, call: () => unknown) => unknown,
): T {
  return new Proxy(object, {
    get(target, key) {
      const member = Reflect.get(target, key)
      if (typeof member !== 'function') return member
      return (...input: unknown[]) =>
        intercept(String(key), () => Reflect.apply(member, target, input))
    },
  })
}

/** The bindings of storage, whose calls are recorded. */
export const recordedBindings = {
  SESSIONS: recordCalls('SESSIONS', env.SESSIONS),
  DIRECTORY: recordCalls('DIRECTORY', env.DIRECTORY),
  USERS: recordObjectCalls('USERS', env.USERS),
  KEYRING: recordObjectCalls('KEYRING', env.KEYRING),
  GUARDS: recordObjectCalls('GUARDS', env.GUARDS),
  REVOCATIONS: recordObjectCalls('REVOCATIONS', env.REVOCATIONS),
  CLIENT_METADATA: recordObjectCalls('CLIENT_METADATA', env.CLIENT_METADATA),
}
