import { env } from 'cloudflare:workers'

/** The guards, and the names of those that were used. */
export function recordedGuards() {
  const names: string[] = []
  const GUARDS = new Proxy(env.GUARDS, {
    get(target, key) {
      if (key !== 'idFromName') return Reflect.get(target, key).bind(target)
      return (name: string) => {
        names.push(name)
        return target.idFromName(name)
      }
    },
  })
  return { names, GUARDS }
}
