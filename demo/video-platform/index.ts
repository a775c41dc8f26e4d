import { createMailbox } from '../mailbox/app.tsx'
import { createVideoPlatform } from './app.ts'
import { appsWithWebhook } from './apps.ts'

interface Bindings {
  /** Where the login service receives webhooks. */
  WEBHOOK_URL?: string
}

/** Not a part of the platform, but of the same worker, because it also exists in memory only. */
const mailbox = createMailbox()

let platform: ReturnType<typeof createVideoPlatform> | undefined

export default {
  fetch(request: Request, env: Bindings, ctx: ExecutionContext) {
    if (/^\/mailbox(\/|$)/.test(new URL(request.url).pathname)) return mailbox.fetch(request)
    platform ??= createVideoPlatform({ apps: appsWithWebhook(env.WEBHOOK_URL) })
    return platform.fetch(request, env, ctx)
  },
}
