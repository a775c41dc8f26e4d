import { createMiddleware } from 'hono/factory'
import { SignInError } from '../errors.ts'
import type { AppEnv } from './app-env.ts'

/** Browsers drop a prefetch that fails and ask again when the person really goes there. */
const NOT_NOW = 503

/** Keeps prefetches and link previews from starting or finishing a sign-in nobody asked for. */
export const noPreview = createMiddleware<AppEnv>((c, next) => {
  const purpose = `${c.req.header('Sec-Purpose')} ${c.req.header('Purpose')} ${c.req.header('X-Moz')}`
  if (/prefetch|prerender|preview/i.test(purpose)) return Promise.resolve(c.body(null, NOT_NOW))
  if (c.req.method === 'HEAD') throw new SignInError('method_not_allowed')
  return next()
})
