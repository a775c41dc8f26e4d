import type { Meter } from './meter.ts'

type Caller = Parameters<Meter['call']>[0]

/** The same bindings, with every storage call counted. */
export function meterBindings(meter: Meter, caller: Caller, env: Env): Env {
  return {
    ...env,
    SESSIONS: meterKv(meter, caller, env.SESSIONS),
    DIRECTORY: meterDirectory(meter, caller, env.DIRECTORY),
    USERS: meterNamespace(meter, caller, env.USERS),
    KEYRING: meterNamespace(meter, caller, env.KEYRING),
    GUARDS: meterNamespace(meter, caller, env.GUARDS),
    REVOCATIONS: meterNamespace(meter, caller, env.REVOCATIONS),
  }
}

type Method = (...input: unknown[]) => unknown

/** A copy of an object whose methods are replaced by what `wrap` returns for them. */
function wrapMethods<T extends object>(
  target: T,
  wrap: (name: string, method: Method) => Method,
): T {
  return new Proxy(target, {
    get(_, key) {
      const member: unknown = Reflect.get(target, key)
      if (typeof member !== 'function' || typeof key !== 'string') return member
      return wrap(key, (...input) => Reflect.apply(member, target, input))
    },
  })
}

function meterKv(meter: Meter, caller: Caller, namespace: KVNamespace): KVNamespace {
  return wrapMethods(namespace, (name, method) => (...input) => {
    const [key, value] = input
    const isRead = name === 'get' || name === 'getWithMetadata'
    if (isRead) meter.add({ kvReads: Array.isArray(key) ? key.length : 1 })
    else meter.add({ kvWrites: 1 })
    if (name === 'put') meter.setStored({ kvEntry: byteLength(key) + byteLength(value) })
    return meter.call(caller, () => Promise.resolve(method(...input)))
  })
}

function byteLength(value: unknown): number {
  if (typeof value !== 'string') throw new TypeError('The meter expects strings in KV.')
  return new TextEncoder().encode(value).length
}

/** Every RPC call on a stub is one billed request. Getting a stub is free. */
function meterNamespace<T extends DurableObjectNamespace<never> | DurableObjectNamespace>(
  meter: Meter,
  caller: Caller,
  namespace: T,
): T {
  return wrapMethods(namespace, (name, method) => (...input) => {
    const result = method(...input)
    return name === 'get' || name === 'getByName' ? meterStub(meter, caller, result) : result
  })
}

function meterStub(meter: Meter, caller: Caller, stub: unknown): unknown {
  if (typeof stub !== 'object' || stub === null) return stub
  return wrapMethods(stub, (_, method) => (...input) => {
    meter.add({ objectRequests: 1 })
    return meter.call(caller, () => Promise.resolve(method(...input)))
  })
}

/** D1 counts its rows itself, and returns the numbers with every result. */
function meterDirectory(meter: Meter, caller: Caller, database: D1Database): D1Database {
  const originals = new WeakMap<object, D1PreparedStatement>()

  function count<T>(result: D1Result<T>): D1Result<T> {
    const { rows_read, rows_written, size_after } = result.meta
    meter.add({ directoryRowsRead: rows_read, directoryRowsWritten: rows_written })
    meter.setStored({ directory: size_after })
    return result
  }

  function meterStatement(original: D1PreparedStatement): object {
    const all = async () => count(await meter.call(caller, () => original.all()))
    // raw() is missing because D1 returns no counts with it.
    const metered = {
      bind: (...values: unknown[]) => meterStatement(original.bind(...values)),
      all,
      run: all,
      async first(column?: string) {
        const [row] = (await all()).results
        return (column === undefined ? row : row?.[column]) ?? null
      },
    }
    originals.set(metered, original)
    return metered
  }

  const metered = {
    prepare: (sql: string) => meterStatement(database.prepare(sql)),
    async batch(statements: readonly object[]) {
      const batch = statements.flatMap((statement) => originals.get(statement) ?? [])
      const results = await meter.call(caller, () => database.batch(batch))
      return results.map((result) => count(result))
    },
  }
  return metered as unknown as D1Database
}
