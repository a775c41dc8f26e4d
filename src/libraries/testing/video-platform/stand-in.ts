import { createMailbox } from '../mailbox/app.tsx'
import { createVideoPlatform } from './app.ts'
import type { PlatformOptions } from './platform.ts'

/**
 * What Node passes instead of a Worker's context. It keeps running, so background work needs no
 * special handling.
 */
const NODE_CONTEXT: Context = {
  waitUntil: (work) => void work.catch(() => {}),
  passThroughOnException: () => {},
  props: {},
}

interface Context {
  waitUntil(work: Promise<unknown>): void
  passThroughOnException(): void
  props: unknown
}

/**
 * The platform together with the mailbox, which is not a part of it but also exists in memory only.
 */
export function createStandIn(
  options: PlatformOptions = {},
): (request: Request, context?: Context) => Response | Promise<Response> {
  const mailbox = createMailbox()
  const platform = createVideoPlatform(options)
  return (request, context = NODE_CONTEXT) =>
    /^\/mailbox(\/|$)/.test(new URL(request.url).pathname)
      ? mailbox.fetch(request)
      : platform.fetch(request, {}, context)
}
