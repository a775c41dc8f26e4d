import { HonoBase } from 'hono/hono-base'
import type { Params, Result, Router } from 'hono/router'
import type { AppEnv } from './app-env.ts'

/** More addresses than the service has; a scanner's make room for each other. */
const MOST_REMEMBERED = 200

/** A longer address has something made up in it, and is not asked for again. */
const LONGEST_REMEMBERED = 100

interface Route<Handler> {
  method: string
  pattern: RegExp
  handler: Handler
}

/** Looks along the list of routes, and remembers what it found: the same few addresses are asked for all the time. */
class ListRouter<Handler> implements Router<Handler> {
  readonly name = 'ListRouter'
  readonly #routes: Route<Handler>[] = []
  readonly #found = new Map<string, Result<Handler>>()

  add(method: string, path: string, handler: Handler): void {
    this.#routes.push({ method, pattern: patternOf(path), handler })
  }

  match(method: string, path: string): Result<Handler> {
    const address = `${method} ${path}`
    const known = this.#found.get(address)
    if (known) return known
    const found: [Handler, Params][] = []
    for (const route of this.#routes) {
      const isMeant = route.method === method || route.method === 'ALL'
      const fit = isMeant && route.pattern.exec(path)
      if (fit) found.push([route.handler, fit.groups ?? {}])
    }
    if (path.length > LONGEST_REMEMBERED) return [found]
    if (this.#found.size >= MOST_REMEMBERED) this.#found.clear()
    this.#found.set(address, [found])
    return [found]
  }
}

/** What a route's path stands for: `:name` for one part of an address, `/*` at its end for all that follows. */
export function patternOf(path: string): RegExp {
  const source = path
    .replaceAll('.', '\\.')
    .replace(/\/\*$/, '(?:/.*)?')
    .replace(/:(\w+)/g, '(?<$1>[^/]+)')
  return new RegExp(`^${source}$`, 's')
}

/** A Hono app with a router as small as our needs. */
export function house() {
  return new HonoBase<AppEnv>({ router: new ListRouter() })
}

/** A part of the house. The house looks up its routes, so it has no router of its own to fill at every start. */
export function room() {
  const router = { name: 'none', add: () => {}, match: () => [[]] satisfies Result<never> }
  return new HonoBase<AppEnv>({ router })
}
