import { HonoBase } from 'hono/hono-base'
import type { Result } from 'hono/router'
import { TrieRouter } from 'hono/router/trie-router'
import type { AppEnv } from './app-env.ts'

/** More addresses than the service has; a scanner's make room for each other. */
const MOST_REMEMBERED = 200

/** A longer address has something made up in it, and is not asked for again. */
const LONGEST_REMEMBERED = 100

/** Remembers what it has found: the same few addresses are asked for all the time. */
class RememberingRouter<Handler> extends TrieRouter<Handler> {
  readonly #found = new Map<string, Result<Handler>>()

  override match(method: string, path: string): Result<Handler> {
    const address = `${method} ${path}`
    const known = this.#found.get(address)
    if (known) return known
    const found = super.match(method, path)
    if (path.length > LONGEST_REMEMBERED) return found
    if (this.#found.size >= MOST_REMEMBERED) this.#found.clear()
    this.#found.set(address, found)
    return found
  }
}

/** A Hono app with one small router, where the usual preset brings three. */
export function house() {
  return new HonoBase<AppEnv>({ router: new RememberingRouter() })
}

/** A part of the house. The house looks up its routes, so it has no router of its own to fill at every start. */
export function room() {
  const router = { name: 'none', add: () => {}, match: () => [[]] satisfies Result<never> }
  return new HonoBase<AppEnv>({ router })
}
