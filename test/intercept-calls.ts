/** Runs instead of a storage call, which it performs or not. */
export type AroundCall = (perform: () => PromiseLike<unknown>) => Promise<unknown>

const originals = new WeakMap<object, unknown>()

/** Methods of bindings that only return another object, and call nothing. */
const SYNCHRONOUS = ['prepare', 'bind', 'withSession', 'idFromName', 'getByName', 'jurisdiction']

/** Lets `around` run instead of each call of a binding, also of objects that its methods return. */
export function interceptCalls<T extends object>(original: T, around: AroundCall): T {
  const proxy = new Proxy(original, {
    get(_, name) {
      const value = Reflect.get(original, name)
      if (typeof value !== 'function') return value
      return (...input: unknown[]) => {
        const perform = () => Reflect.apply(value, original, input.map(unwrap))
        if (!isSynchronous(original, String(name))) return around(perform)
        const output = perform()
        return typeof output === 'object' && output ? interceptCalls(output, around) : output
      }
    },
  })
  originals.set(proxy, original)
  return proxy
}

/** `get` of KV reads a value; that of Durable Objects only returns a stub. */
function isSynchronous(original: object, name: string): boolean {
  return SYNCHRONOUS.includes(name) || (name === 'get' && 'idFromName' in original)
}

/** Bindings accept only their own objects as arguments, not proxies of them. */
function unwrap(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unwrap)
  return typeof value === 'object' && value ? (originals.get(value) ?? value) : value
}
