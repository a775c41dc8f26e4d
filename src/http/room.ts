import { HonoBase } from 'hono/hono-base'
import { TrieRouter } from 'hono/router/trie-router'
import type { AppEnv } from './app-env.ts'

/** A Hono app with one small router, where the usual preset brings three: every room is one of these. */
export function room() {
  return new HonoBase<AppEnv>({ router: new TrieRouter() })
}
