import { createMiddleware } from 'hono/factory'
import { SignInError } from '../errors.ts'
import { countVisit } from '../limits/rate-limit.ts'
import type { AppContext, AppEnv } from './app-env.ts'
import { addressOf } from './client-address.ts'

/** Browsers drop a prefetch that fails and ask again when the person really goes there. */
const NOT_NOW = 503

/** Keeps prefetches and link previews from doing something nobody asked for, and counts the others. */
export const visit = createMiddleware<AppEnv>((c, next) => {
  if (isPreview(c)) return Promise.resolve(c.body(null, NOT_NOW))
  if (c.req.method === 'HEAD') throw new SignInError('method_not_allowed')
  const address = addressOf(c)
  return address === undefined ? next() : countVisit(c, address).then(next)
})

function isPreview({ req }: AppContext): boolean {
  const purpose = `${req.header('Sec-Purpose')} ${req.header('Purpose')} ${req.header('X-Moz')}`
  return /prefetch|prerender|preview/i.test(purpose)
}
