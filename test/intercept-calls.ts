/** A call of a binding. */
interface Call {
  method: string
  /** The SQL of its statements. */
  sql: string
}

/** Runs instead of a storage call, which it performs or not. */
export type AroundCall = (perform: () => PromiseLike<unknown>, call: Call) => Promise<unknown>

/** What proxies stand for: objects of bindings, and the SQL of those that are statements. */
const originals = new WeakMap<object, { original: object; sql: string }>()

/** Methods of bindings that only return another object, and call nothing. */
const SYNCHRONOUS = ['prepare', 'bind', 'withSession', 'idFromName', 'getByName', 'jurisdiction']

/** Lets `around` run instead of each call of a binding, also of objects that its methods return. */
export function interceptCalls<T extends object>(original: T, around: AroundCall, sql = ''): T {
  const proxy = new Proxy(original, {
    get(_, name) {
      const value = Reflect.get(original, name)
      if (typeof value !== 'function') return value
      return (...input: unknown[]) => {
        const perform = () => Reflect.apply(value, original, input.map(unwrap))
        const method = String(name)
        if (!isSynchronous(original, method)) {
          return around(perform, { method, sql: [sql, ...input.map(sqlOf)].join(' ') })
        }
        const output = perform()
        const text = method === 'prepare' ? String(input[0]) : sql
        return typeof output === 'object' && output ? interceptCalls(output, around, text) : output
      }
    },
  })
  originals.set(proxy, { original, sql })
  return proxy
}

/** `get` of KV reads a value; that of Durable Objects only returns a stub. */
function isSynchronous(original: object, name: string): boolean {
  return SYNCHRONOUS.includes(name) || (name === 'get' && 'idFromName' in original)
}

/** Bindings accept only their own objects as arguments, not proxies of them. */
function unwrap(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unwrap)
  return typeof value === 'object' && value ? (originals.get(value)?.original ?? value) : value
}

/** The SQL of statements that are arguments. */
function sqlOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(sqlOf).join(' ')
  return (typeof value === 'object' && value && originals.get(value)?.sql) || ''
}
